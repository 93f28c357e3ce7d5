import Testing

@testable import Markup

struct CommonMarkTests {
    private func check(_ text: String, _ expected: String, _ options: CommonMarkOptions = .init()) {
        #expect(html(fromCommonMark: text, options: options) == Markup(trusted: expected, language: .html))
    }

    @Test func rendersBlocksAndCode() {
        check("*a* & `<b>`", "<p><em>a</em> &amp; <code>&lt;b&gt;</code></p>\n")
        check("```chart\nx: 1\n```", "<pre><code class=\"language-chart\">x: 1\n</code></pre>\n")
        check("", "")
    }

    @Test func leavesOutRawHTML() {
        check("<script>x</script>", "<!-- raw HTML omitted -->\n")
        check("a <b onclick=x>c</b>", "<p>a <!-- raw HTML omitted -->c<!-- raw HTML omitted --></p>\n")
    }

    @Test(arguments: [
        ("[a](https://x.y)", "<p><a href=\"https://x.y\">a</a></p>\n"),
        ("[a](../b#c)", "<p><a href=\"../b#c\">a</a></p>\n"),
        ("[a](mailto:b@c.d)", "<p><a href=\"mailto:b@c.d\">a</a></p>\n"),
        ("[a](#b)", "<p><a href=\"#b\">a</a></p>\n"),
        ("[a](javascript:b)", "<p>a</p>\n"),
        ("[a](JaVaScRiPt:b)", "<p>a</p>\n"),
        ("[a](&#106;avascript:b)", "<p>a</p>\n"),
        ("[a](ftp://b)", "<p>a</p>\n"),
        ("<tel:1>", "<p>tel:1</p>\n"),
        (
            "[*a* `b` ![c](d.svg)](javascript:e)",
            "<p><em>a</em> <code>b</code> <img src=\"d.svg\" alt=\"c\" /></p>\n"
        ),
        ("![a](b.svg)", "<p><img src=\"b.svg\" alt=\"a\" /></p>\n"),
        ("![a](data:image/png;base64,x)", "<p>a</p>\n"),
        ("![a](#b)", "<p>a</p>\n"),
        ("![a](mailto:b@c.d)", "<p>a</p>\n"),
        ("![a *b*](https://c.d/e.png)", "<p><a href=\"https://c.d/e.png\">a b</a></p>\n"),
        ("![](//c.d/e.png)", "<p><a href=\"//c.d/e.png\">//c.d/e.png</a></p>\n"),
        ("[![a](https://c.d/e)](f)", "<p><a href=\"f\">a</a></p>\n"),
        ("![a [b](c) ![d](e)](https://f.g/h)", "<p><a href=\"https://f.g/h\">a b d</a></p>\n"),
    ])
    func keepsOnlySafeAddresses(text: String, expected: String) {
        check(text, expected)
    }

    @Test func headingsGetUniqueIDs() {
        let page = commonMarkPage("# A & *b*\n\n## A b\n\nB\n-\n\n# !?\n\n    <h1>\n")
        #expect(
            page.html.text == """
                <h1 id="a-b">A &amp; <em>b</em></h1>
                <h2 id="a-b-2">A b</h2>
                <h2 id="b">B</h2>
                <h1 id="section">!?</h1>
                <pre><code>&lt;h1&gt;
                </code></pre>

                """)
        #expect(page.headings.map(\.id) == ["a-b", "a-b-2", "b", "section"])
        #expect(page.headings.map(\.text) == ["A & b", "A b", "B", "!?"])
        #expect(page.headings.map(\.level) == [1, 2, 2, 1])
    }

    @Test func headingsMoveDeeper() {
        check(
            "# a\n\n##### b", "<h3 id=\"n-a\">a</h3>\n<h6 id=\"n-b\">b</h6>\n",
            .init(headingShift: 2, anchorPrefix: "n-"))
        check("# a", "<h6>a</h6>\n", .init(headingShift: .max, anchors: false))
        check("## a", "<h1>a</h1>\n", .init(headingShift: .min, anchors: false))
    }

    @Test func headingIDsAreEscapedAndKeepOtherScripts() {
        #expect(commonMarkPage("# Übersicht \"1\" <2>").headings.map(\.id) == ["übersicht-1-2"])
    }

    @Test func plainTextKeepsTheWords() {
        #expect(
            plainText(fromCommonMark: "# A\n\n*b* [c](d) `e`\nf\n\n- g\n- h <i>j</i>") == "A b c e f g h j")
        #expect(plainText(fromCommonMark: "one two three", limit: 9) == "one two…")
        #expect(plainText(fromCommonMark: "one two", limit: 7) == "one two")
        #expect(plainText(fromCommonMark: "abcdef", limit: 3) == "ab…")
        #expect(plainText(fromCommonMark: "abc", limit: 0) == "…")
    }

    @Test func deepAndBrokenInputIsHarmless() {
        #expect(!html(fromCommonMark: String(repeating: "> ", count: 20_000) + "a").isEmpty)
        #expect(!html(fromCommonMark: String(repeating: "[", count: 20_000)).isEmpty)
        #expect(html(fromCommonMark: "a\0b").text == "<p>a\u{FFFD}b</p>\n")
    }
}
