import Diagnostics
import Markup
import Templates
import Testing

/// The syntax, case by case: the template, what it writes for one release, and the partial `p`.
struct SyntaxTests {
    @Test(arguments: [
        // Comments and line ends.
        ("a{{! x }}b", "ab"), ("a\n  {{! x\n y }}\nb\n", "a\nb\n"), ("{{!x}}", ""), ("a {{!x}} \n", "a  \n"),
        // Delimiters.
        ("{{=| |=}}|version|{{version}}", "4.2.1{{version}}"),
        ("{{=[ ]=}}[#current][version][/current]", "4.2.1"),
        ("a\n {{=| |=}} \n|version|", "a\n4.2.1"), ("{{=<% %>=}}<%={{ }}=%>{{version}}", "4.2.1"),
        ("{{=<% %>=}}<%&chart%><%{chart}%>", "<svg/><svg/>"),
        // Sections on their own lines and within lines.
        ("{{#current}}\na\n{{/current}}\nb", "a\nb"), (" {{#current}}a{{/current}}\n", " a\n"),
        ("{{#current}}\r\na\r\n{{/current}}\r\n", "a\r\n"), ("a{{#current}}\nb\n{{/current}}c", "a\nb\nc"),
        ("{{#current}} {{#current}}x{{/current}} {{/current}}", " x "),

        ("{{# current }}x{{/ current }}", "x"), ("{{^current}}\na\n{{/current}}\nb", "b"),
        ("\t{{#current}}\t\n\ta\n\t{{/current}}\t\n", "\ta\n"), ("{{#current}}\n{{/current}}", ""),
        // Names.
        ("{{ version }}{{app.name}}{{ app.name }}", "4.2.1Weather &amp; CoWeather &amp; Co"),
        ("{{#app}}{{#app}}{{name}}{{/app}}{{/app}}", "Weather &amp; Co"),
        ("{{#app.name}}<{{.}}>{{/app.name}}", "<Weather &amp; Co>"),
        ("{{#tags}}{{#app}}{{name}}{{/app}}{{.}},{{/tags}}", "Weather &amp; Coa,Weather &amp; Cob,"),
        // Partials.
        ("  {{>p}}\nx", "  [4.2.1]\nx"), ("a {{>p}} b", "a [4.2.1]\n b"), ("{{> p }}|", "[4.2.1]\n|"),
        ("{{=| |=}}|>p|", "[4.2.1]\n"), ("{{#tags}}\n {{>p}}\n{{/tags}}", " [4.2.1]\n [4.2.1]\n"),
        // Layouts.
        ("{{<l}}{{/l}}", "<\n  one\n    two\n>\n"), ("  {{<l}}{{/l}}\n", "  <\n    one\n      two\n  >\n"),
        ("{{<l}}{{$b}}x{{/b}}{{/l}}", "<\n  x\n>\n"),
        ("{{<l}}\n{{$b}}\n      x\n        y\n{{/b}}\n{{/l}}\n|", "<\n  x\n    y\n>\n|"),
        ("{{<l}} dropped {{$b}}{{/b}} {{version}} {{/l}}", "<\n>\n"),
        ("a{{<i}}{{$c}}\n  x\n{{/c}}{{/i}}b", "a(\n  x\n)b"),
        ("{{<i}}{{$c}}{{version}}{{/c}}{{/i}}{{<i}}{{/i}}", "(4.2.1)(c)"),
        ("{{<m}}{{$c}}x{{/c}}{{/m}}{{<m}}{{/m}}", "(x)(m)"),
        ("{{$b}}here{{/b}}\n", "here\n"),
        ("{{$b}}\n  {{#tags}}\n  {{.}}\n  {{/tags}}\n{{/b}}\n.", "  a\n  b\n."),
        ("{{<s}}{{$c}}{{.}}{{/c}}{{/s}}", "ab"), ("{{<l}}{{$b}}{{>p}}{{/b}}{{/l}}", "<\n  [4.2.1]\n\n>\n"),
        ("{{<l}}\n  {{$b}}\n    {{>p}}\n  {{/b}}\n{{/l}}", "<\n  [4.2.1]\n>\n"),
    ])
    func writes(template: String, expected: String) throws {
        let partials = [
            "p": "[{{version}}]\n", "l": "<\n{{$b}}\n  one\n    two\n{{/b}}\n>\n", "i": "({{$c}}c{{/c}})",
            "m": "{{<i}}{{$c}}m{{/c}}{{/i}}", "s": "{{#tags}}{{$c}}{{/c}}{{/tags}}",
        ]
        do {
            #expect(try load(template, partials).rendered(Release(tags: ["a", "b"])) == expected)
        } catch {
            #expect(error.diagnostics.map(\.summary) == [], "\(expected)")
        }
    }

    /// Random templates from pieces of syntax: each loads and renders, or gives errors, and always ends.
    @Test(arguments: 0..<8)
    func nothingBreaksIt(seed: UInt64) {
        let pieces = [
            "{{#issues}}", "{{/issues}}", "{{#app}}", "{{/app}}", "{{^tags}}", "{{/tags}}", "{{$b}}",
            "{{/b}}", "{{<p}}",
            "{{/p}}", "{{>p}}", "{{>q}}", "{{>*event}}", "{{>*.}}", "{{version}}", "{{{chart}}}", "{{.}}",
            "\n", "\r\n",
            "  ", "x", "{{!c}}", "{{=| |=}}", "|={{ }}=|", "é", "{{", "}}", "{{#related}}", "{{/related}}",
            "{{title}}",
        ]
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func text(_ limit: UInt64) -> String {
            func next(_ bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % bound
            }
            return (0..<next(Int(limit))).map { _ in pieces[next(pieces.count)] }.joined()
        }
        let release = Release(tags: ["a"], issues: [Issue(related: [Issue()])])
        var rendered = 0
        for _ in 0..<800 {
            let partials = [
                "p": text(6), "q": text(6), "release": text(3), "stability-alert": "", "issue": text(4),
                "app": "",
            ]
            guard let template = try? load(text(8), partials) else { continue }
            _ = template.rendered(release)
            rendered += 1
        }
        #expect(rendered > 100)
    }
}
