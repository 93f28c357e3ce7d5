import Diagnostics
import Markup
import Templates
import Testing

private let sample = Release(
    note: "a < b", tags: ["new", "beta & co"],
    issues: [
        Issue(title: "One", related: [Issue(title: "Two", related: [Issue(title: "Three")])]),
        Issue(title: "Four"),
    ])

struct RenderingTests {
    private func check(
        _ template: String, _ expected: String, _ partials: [String: String] = [:],
        in language: OutputLanguage = .html,
        _ release: Release = sample, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            let output = try load(template, partials, in: language).rendered(release)
            #expect(output == expected, sourceLocation: sourceLocation)
        } catch {
            let text = error.diagnostics.map { "\($0.id) \($0.summary)" }.joined(separator: "\n")
            #expect(Bool(false), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test func printsEveryKind() {
        check(
            "{{version}}|{{note}}|{{users}}|{{{users}}}|{{home}}", "4.2.1|a &lt; b|1234|1234|releases/4.2.1/")
        check("{{{chart}}}{{&chart}}|{{{summary}}}|{{source}}", "<svg/><svg/>||")
        check("{{app.name}}|{{#app}}{{name}} {{version}}{{/app}}", "Weather &amp; Co|Weather &amp; Co 4.2.1")
        check(
            "{{worst.title}}|{{#worst}}x{{/worst}}{{^worst}}none{{/worst}}|{{^worst.title}}none{{/worst.title}}",
            "|none|none")
    }

    @Test func sectionsTestPresence() {
        check("{{#current}}yes{{/current}}{{^current}}no{{/current}}", "yes")
        check(
            "{{#note}}[{{.}}]{{/note}}{{#summary}}[{{{.}}}]{{/summary}}{{#source}}x{{/source}}", "[a &lt; b]")
        check("{{#tags}}<{{.}}>{{/tags}}{{^tags}}none{{/tags}}", "<new><beta &amp; co>")
        check("{{^tags}}none{{/tags}}{{#note}}x{{/note}}", "none", [:], Release(note: ""))
        check("{{#home}}<a href=\"{{.}}\">{{/home}}", "<a href=\"#\">", [:], Release(home: "javascript:x"))
    }

    @Test func standaloneTagsLeaveNoLine() {
        check(
            "<ul>\n{{#issues}}\n  <li>{{title}}</li>\n{{/issues}}\n</ul>\n",
            "<ul>\n  <li>One</li>\n  <li>Four</li>\n</ul>\n")
        check("a\r\n{{! note }}\r\nb", "a\r\nb")
        check("{{=<% %>=}}\n<%version%> {{version}}", "4.2.1 {{version}}")
    }

    @Test func innerNamesAreSoughtInOuterModelsToo() {
        check(
            "{{#issues}}{{title}} in {{version}} of {{app.name}};{{/issues}}",
            "One in 4.2.1 of Weather &amp; Co;Four in 4.2.1 of Weather &amp; Co;")
        check(
            "{{#issues}}{{#related}}{{title}}{{#related}}{{title}}{{/related}}{{/related}}{{/issues}}",
            "TwoThree")
    }

    @Test func partialsRecurseOverModels() {
        let partials = ["issue": "- {{title}}\n{{#related}}\n  {{>issue}}\n{{/related}}\n"]
        check(
            "{{#issues}}\n{{>issue}}\n{{/issues}}\n", "- One\n  - Two\n    - Three\n- Four\n", partials,
            in: .plain)
        check("{{#issues}}{{>*.}}{{/issues}}", "- One\n  - Two\n    - Three\n- Four\n", partials)
    }

    @Test func anInlinePartialKeepsItsOwnMargin() {
        check("  {{>outer}}\n", "  x a\nb\n  y\n", ["outer": "x {{>inner}}\ny\n", "inner": "a\nb"])
    }

    @Test func blankLinesOfPartialsAreNotIndented() {
        check("  {{>p}}\n", "  a\n\n  b\n", ["p": "a\n\nb\n"])
    }

    @Test func viewsAreShownByThePartialOfTheirType() {
        let partials = [
            "stability-alert": "[{{words}} {{version}}]", "issue": "[{{title}}]",
            "stability-alert.row": "<{{words}}>",
            "issue.row": "<{{title}}>", "app": "({{name}})", "app.row": "({{name}}!)",
            "release.row": "{{version}}",
        ]
        check("{{>*event}}", "[Crash free users dropped 4.2.1]", partials)
        check("{{>*event}} {{>*event.row}}", "[Hang] <Hang>", partials, Release(event: Issue(title: "Hang")))
        check(
            "{{>*app}}{{>*app.row}}{{>*worst}}{{>*.row}}", "(Weather &amp; Co)(Weather &amp; Co!)4.2.1",
            partials)
        check("{{>*event}}", "(model stranger is not declared)", partials, Release(event: Stranger()))
    }

    @Test func layoutsTakeBlocks() {
        let layout = "<title>{{$title}}Plimsoll{{/title}}</title>\n<main>\n  {{$main}}{{/main}}\n</main>\n"
        check(
            "{{<layout}}\n{{$title}}{{version}}{{/title}}\n{{$main}}\n<h1>{{version}}</h1>\n{{#tags}}\n  <i>{{.}}</i>\n{{/tags}}\n{{/main}}\n{{/layout}}\n",
            "<title>4.2.1</title>\n<main>\n  <h1>4.2.1</h1>\n    <i>new</i>\n    <i>beta &amp; co</i>\n</main>\n",
            ["layout": layout])
        check("{{<layout}}{{/layout}}", "<title>Plimsoll</title>\n<main>\n</main>\n", ["layout": layout])
        check(
            "{{<layout}}{{$main}}x{{/main}}{{/layout}}", "<title>Plimsoll</title>\n<main>\n  x\n</main>\n",
            ["layout": layout])
        check("{{<p}}{{$a}}[{{$a}}in{{/a}}]{{/a}}{{/p}}", "[in]", ["p": "{{$a}}out{{/a}}"])
    }

    @Test func markupThatDoesNotFitIsEscaped() {
        let html = Release(chart: Markup(trusted: "<b>", language: .html))
        check("{{{chart}}}", "<b>", [:], in: .html, html)
        check("{{{chart}}}", "&lt;b&gt;", [:], in: .xml, html)
        check("{{{chart}}}", "&lt;b&gt;", [:], in: .markdown, html)
        check("{{{chart}}}", "&lt;svg/&gt;", [:], in: .markdown)
    }

    @Test func markdownKnowsWhereLinesStart() {
        check(
            "{{note}}\n{{#tags}}\n- {{.}}\n{{/tags}}", "\\# x\n- \\- y\n", [:], in: .markdown,
            Release(note: "# x", tags: ["- y"]))
    }

    @Test func deepRecursionStopsAndSaysSo() throws {
        var issue = Issue(title: "x")
        for _ in 0..<2000 { issue = Issue(title: "x", related: [issue]) }
        let template = try load(
            "{{#issues}}{{>issue}}{{/issues}}", ["issue": "{{title}}{{#related}}{{>issue}}{{/related}}"])
        let output = template.rendered(Release(issues: [issue]))
        #expect(output.hasSuffix("x(nested too deeply)"))
        #expect(output.count < 400)
    }

    @Test func oneTemplateRendersOnManyThreads() async throws {
        let template = try load(
            "{{#issues}}{{title}}{{>issue}}{{/issues}}", ["issue": "{{#related}}{{title}}{{/related}}"])
        let outputs = await withTaskGroup(of: String.self) { group in
            for number in 0..<64 {
                group.addTask {
                    template.rendered(
                        Release(issues: [Issue(title: "\(number % 2)", related: [Issue(title: "r")])]))
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(outputs == ["0r", "1r"])
    }

    @Test func theReferenceListsFields() {
        let fields = reference(of: Release.self)
        #expect(fields.count == 13)
        #expect(fields[0].name == "version" && fields[0].kind == .text && fields[0].models == [])
        #expect(fields[0].doc == "The version, such as `4.2.1`.")
        #expect(fields[12].models == ["stability-alert", "issue"])
        #expect(fields[9].models == ["issue"] && fields[9].kind == .list)
        #expect(
            modelsReached(from: Release.self).map(\.name) == ["release", "issue", "app", "stability-alert"])
    }
}
