import Diagnostics
import Markup
import Templates
import Testing

struct TemplateErrorTests {
    /// What loading reports: id and place of every mistake.
    private func mistakes(_ page: String, _ partials: [String: String] = [:]) -> [Diagnostic] {
        do {
            _ = try load(page, partials)
            return []
        } catch {
            return error.diagnostics
        }
    }

    @Test(arguments: [
        ("{{versoin}}", "template.unknown-name templates/page:1:1"),
        ("{{somethingelse}}", "template.unknown-name templates/page:1:1"),
        ("é🚢\n  ü {{app.nam}}", "template.unknown-name templates/page:2:5"),
        ("{{#issues}}{{titel}}{{/issues}}", "template.unknown-name templates/page:1:12"),
        ("{{issues}}", "template.wrong-kind templates/page:1:1"),
        ("{{app}}", "template.wrong-kind templates/page:1:1"),
        ("{{current}}", "template.wrong-kind templates/page:1:1"),
        ("{{event}}", "template.wrong-kind templates/page:1:1"),
        ("{{#event}}{{/event}}", "template.wrong-kind templates/page:1:1"),
        ("{{#users}}{{/users}}", "template.wrong-kind templates/page:1:1"),
        ("{{.}}", "template.wrong-kind templates/page:1:1"),
        ("{{issues.title}}", "template.wrong-kind templates/page:1:1"),
        ("{{>*version}}", "template.wrong-kind templates/page:1:1"),
        ("{{#tags}}{{>*.}}{{/tags}}", "template.wrong-kind templates/page:1:10"),
        ("{{{version}}}", "template.raw-text templates/page:1:1"),
        ("{{&home}}", "template.raw-text templates/page:1:1"),
        ("{{chart}}", "template.markup-escaped templates/page:1:1"),
        ("{{>gone}}", "template.missing-partial templates/page:1:1"),
        ("{{<gone}}{{/gone}}", "template.missing-partial templates/page:1:1"),
        ("{{>*app}}", "template.missing-partial templates/page:1:1"),
        ("{{>*app.tiny}}", "template.missing-partial templates/page:1:1"),
        ("{{#app}}", "template.unclosed-section templates/page:1:1"),
        ("{{/app}}", "template.unopened-section templates/page:1:1"),
        ("{{#app}}\n{{#issues}}{{/app}}", "template.mismatched-section templates/page:2:12"),
        ("a {{version", "template.unclosed-tag templates/page:1:3"),
        ("{{{version}}", "template.unclosed-tag templates/page:1:1"),
        ("{{=x=}}", "template.bad-delimiters templates/page:1:1"),
        ("{{= a b c =}}", "template.bad-delimiters templates/page:1:1"),
        ("{{= aaaaaaaaaaaaaaaaa b =}}", "template.bad-delimiters templates/page:1:1"),
        ("{{}}", "template.bad-name templates/page:1:1"), ("{{a b}}", "template.bad-name templates/page:1:1"),
        ("{{a..b}}", "template.bad-name templates/page:1:1"),
        ("{{>.row}}", "template.bad-name templates/page:1:1"),
        ("{{<*app}}{{/app}}", "template.dynamic-parent templates/page:1:1"),
        ("{{<a}}{{$b}}{{/b}}{{$b}}{{/b}}{{/a}}", "template.duplicate-block templates/page:1:19"),
        ("{{<layout}}{{$mian}}x{{/mian}}{{/layout}}", "template.unknown-block templates/page:1:12"),
        ("{{<nested}}{{$mian}}x{{/mian}}{{/nested}}", "template.unknown-block templates/page:1:12"),
        ("{{>self}}", "template.recursion partials/self:1:1"),
        ("{{>flagged}}", "template.recursion partials/flagged:1:13"),
        ("{{>ping}}", "template.recursion partials/ping:1:1"),
        ("{{<self2}}{{/self2}}", "template.recursion partials/self2:1:1"),
        ("{{>broken}}", "template.unclosed-tag partials/broken:2:2"),
    ])
    func saysWhatAndWhere(page: String, expected: String) {
        let partials = [
            "self": "{{>self}}", "flagged": "{{#current}}{{>flagged}}{{/current}}", "ping": "{{>pong}}",
            "pong": "{{>ping}}",
            "self2": "{{<self2}}{{/self2}}", "broken": "a\n {{b", "a": "",
            "layout": "{{$head}}{{/head}} {{#current}}{{$main}}{{/main}}{{/current}}",
            "nested": "{{<layout}}{{$head}}H{{/head}}{{/layout}}",
        ]
        let found = mistakes(page, partials)
        let place = found.first?.location.map { "\($0)" } ?? ""
        #expect(found.first.map { "\($0.id) \(place)" } == expected)
        #expect(found.allSatisfy { $0.severity == .error && !$0.summary.hasSuffix(".") })
        #expect(found.allSatisfy { !$0.hints.isEmpty }, "each says what to do next")
    }

    /// Whatever follows a tag without its end, its own place is named, and no other tag is blamed.
    @Test(arguments: [
        ("{{$main}}\n<h1>{{version</h1>\n{{#app}}\n{{name}}\n{{/app}}\n{{/main}}", 2, 5, "{{version</h1>"),
        ("<h1>{{version}</h1>\n{{#current}}x{{/current}}", 1, 5, "{{version}</h1>"),
        ("{{version</p>\n<p>x</p>\n<p>{{version}}</p>", 1, 1, "{{version</p>"),
        ("{{#app</p>\n{{name}}\n{{/app}}", 1, 1, "{{#app</p>"),
        ("{{#app}}\n{{name}}\n{{/app\n{{version}}", 3, 1, "{{/app"),
        ("{{#app}}{{name}}{{/ app}\n{{#current}}{{/current}}", 1, 17, "{{/ app}"),
        ("{{{chart}}\n{{{chart}}}", 1, 1, "{{{chart}}"), ("{{>a\n{{>a}}", 1, 1, "{{>a"),
        ("{{<a\n{{$b}}{{/b}}{{/a}}", 1, 1, "{{<a"), ("{{>*event\n{{>*event}}", 1, 1, "{{>*event"),
        ("{{! abc\n{{version}}", 1, 1, "{{! abc"), ("{{! {{version}} }}", 1, 1, "{{! {{version}} }}"),
        ("{{version</p>\n<i>{a:{b}}</i>{{version}}", 1, 1, "{{version</p>"),
        ("{{=<% %>=}}<%version\n<%#app%><%/app%>", 1, 12, "<%version"),
        ("{{version\n{{= a b", 1, 1, "{{version"),
    ])
    func tagWithoutItsEndIsNamedAtItsOwnLine(page: String, line: Int, column: Int, tag: String) {
        let found = mistakes(page, ["a": "", "issue": "", "stability-alert": ""])
        #expect(found.first?.id == "template.unclosed-tag")
        #expect(found.first?.location == .file(path: "templates/page", line: line, column: column))
        #expect(found.first?.summary == "Tag '\(tag)' is never closed")
        #expect(found.allSatisfy { $0.id == "template.unclosed-tag" }, "\(found.map(\.summary))")
    }

    /// A name may have its braces on other lines.
    @Test(arguments: [
        "{{\nversion\n}}", "{{#\n current\n}}{{/\ncurrent }}", "{{! a\n b\n}}", "{{={{ }}=}}{{version}}",
        "{{>*\nevent\n}}",
    ])
    func tagOverLinesIsNoMistake(page: String) {
        #expect(mistakes(page, ["issue": "", "stability-alert": ""]).map(\.summary) == [])
    }

    /// A layout may do without a block, and one that it fills itself is still the page's.
    @Test(arguments: ["head", "main", "other"]) func aBlockThatIsNoMisspellingIsNoMistake(name: String) {
        let partials = [
            "layout": "{{$head}}{{/head}} {{$main}}{{/main}}",
            "nested": "{{<layout}}{{$head}}H{{/head}}{{/layout}}",
        ]
        #expect(mistakes("{{<nested}}{{$\(name)}}x{{/\(name)}}{{/nested}}", partials).isEmpty)
    }

    @Test func offersTheNearestNameAndThoseThatExist() {
        let mistake = mistakes("{{versoin}}").first
        #expect(mistake?.summary == "Name 'versoin' does not exist here")
        #expect(mistake?.hints == ["did you mean 'version'?"])
        #expect(mistake?.details.first?.hasPrefix("known: version, note, users, current") == true)
        #expect(
            mistakes("{{#issues}}{{titel}}{{/issues}}").first?.details.first?.hasPrefix(
                "known: title, related, version") == true)
        #expect(mistakes("{{app.nam}}").first?.summary == "Name 'nam' in 'app.nam' does not exist here")
        #expect(mistakes("{{app.nam}}").first?.details == ["known: name"])
    }

    @Test func saysHowToUseAKind() {
        #expect(mistakes("{{issues}}").first?.summary == "'issues' is a list and cannot be used as text")
        #expect(mistakes("{{issues}}").first?.hints == ["write {{#issues}}…{{/issues}}"])
        #expect(mistakes("{{chart}}").first?.hints == ["write {{{chart}}}"])
        #expect(mistakes("{{{version}}}").first?.hints == ["write {{version}}"])
        #expect(mistakes("{{.}}").first?.hints.first?.hasPrefix("name one of its fields: version") == true)
    }

    @Test func saysWhereAPartialWasLookedFor() {
        #expect(
            mistakes("{{>*event}}").map(\.summary) == [
                "Partial 'stability-alert' is missing", "Partial 'issue' is missing",
            ])
        #expect(mistakes("{{>gone}}").first?.details == ["searched: site/gone, themes/default/gone"])
    }

    @Test func collectsEveryMistakeOnce() {
        let found = mistakes("{{a}}{{b}}\n{{>p}}{{#issues}}{{>p}}{{/issues}}", ["p": "{{c}}{{d}}"])
        #expect(found.map(\.id) == [String](repeating: "template.unknown-name", count: 4))
        #expect(Set(found.compactMap { $0.location.map { "\($0)" } }).count == 4)
    }

    @Test func aMissingPageIsAnError() {
        var library = TemplateLibrary { _, _, _ in .missing(lookedIn: ["themes/default/templates/x.html"]) }
        #expect(throws: TemplateErrors.self) { try library.template("x", for: Release.self, in: .html) }
    }

    @Test func nestingIsLimited() {
        let open = String(repeating: "{{#app}}", count: 101)
        let close = String(repeating: "{{/app}}", count: 101)
        #expect(mistakes(open + close).map(\.id) == ["template.nested-too-deeply"])
        #expect(mistakes(String(open.dropFirst(8)) + String(close.dropFirst(8))) == [])
    }

    @Test func floodsOfMistakesStaySmall() {
        #expect(mistakes(String(repeating: "{{/a}}", count: 5000)).count == 100)
        #expect(mistakes(String(repeating: "{{a b}}", count: 5000)).count == 100)
        #expect(mistakes(String(repeating: "{{=}=}}", count: 5000)).count == 100)
        #expect(mistakes(String(repeating: "{{a ", count: 20_000)).count == 100)
        #expect(mistakes(String(repeating: "{{x}}\n", count: 2000)).count == 1000)
        #expect(
            mistakes("{{" + String(repeating: "app.", count: 5000) + "name}}").map(\.id) == [
                "template.bad-name"
            ])
    }

    @Test func hugeTemplatesAreRefused() {
        #expect(mistakes(String(repeating: "x", count: (4 << 20) + 1)).map(\.id) == ["template.too-large"])
    }

    @Test(arguments: [
        "{{", "}}", "{{{", "{{=", "{{= =}}", "{{#}}", "{{/}}", "{{$}}{{/}}", "{{<}}{{/}}", "{{>}}", "{{>*}}",
        "{{&}}", "{{!",
    ])
    func brokenInputGivesErrorsOrText(page: String) {
        #expect(mistakes(page).isEmpty == (page == "}}"))
    }
}
