import Testing

@testable import Markup

struct FencedTextTests {
    private static let names: Set = ["chart", "block"]

    /// Texts, and the pieces of HTML and of CommonMark between their fences.
    @Test(arguments: [
        ("", [""], [""]),
        ("a", ["<p>a</p>\n"], ["a"]),
        ("a\n\n```chart\nk: 1\n```\n\nb", ["<p>a</p>\n", "\n<p>b</p>\n"], ["a", "b"]),
        ("```chart\n```\n~~~block x\ny\n~~~", ["", "\n", "\n"], ["", "", ""]),
        ("a\n```chart\nno end", ["<p>a</p>\n", "\n"], ["a", ""]),
        ("   ```chart\n   k: 1\n   ```\nb", ["", "\n<p>b</p>\n"], ["", "b"]),
        (
            "```swift\nx\n```", ["<pre><code class=\"language-swift\">x\n</code></pre>\n"],
            ["```swift\nx\n```"]
        ),
        ("<!--cut-->\n\na", ["<!-- raw HTML omitted -->\n<p>a</p>\n"], ["a"]),
        ("[a]\n\n```chart\n```\n\n[a]: b", ["<p><a href=\"b\">a</a></p>\n", "\n"], ["[a]", "[a]: b"]),
        (
            "`<!--cut-0-->` <b>\n\n```chart\n```\n\nc",
            ["<p><code>&lt;!--cut-0--&gt;</code> <!-- raw HTML omitted --></p>\n", "\n<p>c</p>\n"],
            ["`<!--cut-0-->` ", "c"]
        ),
        ("[x](javascript:a)\n", ["<p>x</p>\n"], ["x"]),
        ("a <b onclick=x>c</b>", ["<p>a <!-- raw HTML omitted -->c<!-- raw HTML omitted --></p>\n"], ["a c"]),
    ])
    func textIsCutAtItsFences(text: String, html: [String], commonMark: [String]) {
        let cut = FencedText(text, fences: Self.names)
        #expect(cut.html.map(\.text) == html)
        #expect(cut.commonMark.map(\.text) == commonMark)
    }

    /// Texts whose last block has no end, and the CommonMark with it; what is written below is no part of it.
    @Test(arguments: [
        ("a\n\n```sh\nb\n", "a\n\n```sh\nb\n```"), ("```", "```\n```"), ("~~~~\n```", "~~~~\n```\n~~~~"),
        ("  ````\n```\n\n  x", "  ````\n```\n\n  x\n````"), ("> ```\na\n```", "> ```\na\n```\n```"),
        ("```\na\n    ```", "```\na\n    ```\n```"), ("```\n~~~", "```\n~~~\n```"),
        ("```sh\n```sh", "```sh\n```sh\n```"),
        ("> ```\n> a", "> ```\n> a"), ("- ~~~\n  a", "- ~~~\n  a"), ("```\na\n```", "```\na\n```"),
        ("```\na\n`````  ", "```\na\n`````  "), ("    ```\n", "    ```"), ("a\n\n<!-- b\n\nc\n", "a"),
        ("a\n\n<?b\n\nc", "a"), ("a\n\n<script>\n\nc", "a"),
        ("<b>\n\n```sh\na", "``` sh\na\n```"),
    ])
    func blocksEndWithTheText(text: String, expected: String) throws {
        let cut = FencedText(text, fences: Self.names).commonMark.map(\.text)
        #expect(cut.map { withoutLineEnds($0) } == [withoutLineEnds(expected)])
        let below = html(fromCommonMark: try #require(cut.first) + "\n\n## Below\n\nwords").text
        #expect(below.hasSuffix("<h2 id=\"below\">Below</h2>\n<p>words</p>\n"), "\(below)")
    }

    private func withoutLineEnds(_ text: String) -> String {
        String(text.reversed().drop { $0 == "\n" }.reversed())
    }

    /// Texts with the line and the fence of the block that is open at the end.
    @Test(arguments: [
        ("a\n\n```sh\nb\n", 3, "```"), ("~~~~~ x", 1, "~~~~~"), ("> ```\na\n```", 3, "```"),
        ("> ```\n> a", 1, "```"), ("- a\n\n  ~~~\n  b\n", 3, "~~~"), ("1. > ````\n   > b", 1, "````"),
        ("a\n\n<!-- b\n\nc\n", 3, "-->"), ("```chart\nkind: x", 1, "```"),
        ("```\na\n```", nil, ""), ("> ```\n> a\n> ```", nil, ""), ("<!-- a -->", nil, ""), ("", nil, ""),
        ("    ```\n", nil, ""), ("```\na\n\nb", 1, "```"), ("> ```\n> a\n\nb", nil, ""),
    ])
    func openBlockIsFound(text: String, line: Int?, sign: String) {
        let found = openBlock(inCommonMark: text)
        #expect(found?.line == line)
        #expect(found.map(\.kind) == line.map { _ in sign == "-->" ? .comment : .code(fence: sign) })
    }

    /// Hostile texts take as long as others: each sign is read a few times.
    @Test(arguments: [
        (String(repeating: "[", count: 1 << 16), String(repeating: "[a](b)", count: 1 << 14)),
        ("", String(repeating: "[](x", count: 1 << 15)), ("", String(repeating: "[](<", count: 1 << 15)),
    ])
    func manyBracketsTakeNoLonger(start: String, links: String) {
        let found = rewritingLinks(inCommonMark: start + links) { $0.uppercased() }
        #expect(found.utf8.count == start.utf8.count + links.utf8.count)
    }

    /// Headings below the title of a page have the same levels in both languages.
    @Test(arguments: [
        ("# A\n\n## B\n\nc", 1, "## A\n\n### B\n\nc"), ("A\n===\n\nB\n---\n", 1, "## A\n\n### B"),
        ("# A", 0, "# A"), ("a *b*", 1, "a *b*"),
    ])
    func headingsAreShiftedInCommonMarkToo(text: String, shift: Int, expected: String) {
        let cut = FencedText(text, fences: Self.names, options: .init(headingShift: shift))
        #expect(cut.commonMark.map(\.text) == [expected])
    }

    /// Texts with a table, and what is between `<table>` and `</table>`, without line ends.
    @Test(arguments: [
        (
            "| a | b |\n|---|--:|\n| `x\\|y` | **1** |\n| [l](m) |",
            "<thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"n\">b</th></tr></thead>"
                + "<tbody><tr><td><code>x|y</code></td><td class=\"n\"><strong>1</strong></td></tr>"
                + "<tr><td><a href=\"m\">l</a></td><td class=\"n\"></td></tr></tbody>"
        ),
        (
            "a | b\n--|--\n", "<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>"
        ),
        (
            "before\n| a |\n|---|\n| [x](javascript:y) |",
            "<thead><tr><th scope=\"col\">a</th></tr></thead><tbody><tr><td>x</td></tr></tbody>"
        ),
        (
            "| [a][c] |\n|---|\n| [b] |\n\n[b]: x\n[c]: y",
            "<thead><tr><th scope=\"col\"><a href=\"y\">a</a></th></tr></thead>"
                + "<tbody><tr><td><a href=\"x\">b</a></td></tr></tbody>"
        ),
    ])
    func tablesAreRead(text: String, table: String) throws {
        let html = FencedText(text, fences: Self.names).html.map(\.text).joined().replacing("\n", with: "")
        let found = try #require(html.firstMatch(of: /<table>(.*)<\/table>/))
        #expect(String(found.1) == table)
        let whole = commonMarkPage(text).html.text.replacing("\n", with: "")
        #expect(whole.contains("<table>\(table)</table>"))
        #expect(html.hasPrefix("<p>before</p>") == text.hasPrefix("before"))
    }

    /// Texts with tables that lists and quotations hold, and their HTML without line ends, `[]` for what is around and
    /// `()` for what is in a table of one column.
    @Test(arguments: [
        ("- l\n\n  | a |\n  |---|\n  | b |\n", "<ul><li><p>l</p>[(a)(b)]</li></ul>"),
        ("- | a |\n  |---|\n  | b |\n- c\n", "<ul><li>[(a)(b)]</li><li>c</li></ul>"),
        ("10. l\n    | a |\n    |---|\n", "<ol start=\"10\"><li>l[(a)]</li></ol>"),
        ("> | a |\n> |---|\n>| > b |\n\nc", "<blockquote>[(a)(&gt; b)]</blockquote><p>c</p>"),
        (
            "- > - l\n  >   | a |\n  >   |---|\n  >   | b |\n",
            "<ul><li><blockquote><ul><li>l[(a)(b)]</li></ul></blockquote></li></ul>"
        ),
        ("> > | a |\n> |---|\n", "<blockquote><blockquote>[(a)]</blockquote></blockquote>"),
        ("> a\n> ---\n", "<blockquote><h2>a</h2></blockquote>"),
        ("> | a |\n> |---|---|\n", "<blockquote><p>| a ||---|---|</p></blockquote>"),
    ])
    func tablesAreReadInListsAndQuotations(text: String, expected: String) {
        let begin =
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><th scope=\"col\">"
        let html = FencedText(text, fences: Self.names, options: .init(anchors: false)).html.map(\.text)
            .joined()
            .replacing("\n", with: "").replacing(begin, with: "[(")
            .replacing("</th></tr></thead>", with: ")").replacing("</table></div>", with: "]")
            .replacing("<tbody>", with: "").replacing("</tbody>", with: "")
            .replacing("<tr><td>", with: "(").replacing("</td></tr>", with: ")")
        #expect(html == expected)
    }

    /// Texts with raw HTML and tables, and the CommonMark that is written again without the HTML: its tables are as wide
    /// and have the same cells.
    @Test(arguments: [
        (
            "| a \\| b | n |\n|---|--:|\n| `x \\| y` | 1 |\n| **c \\| d** | [l \\| m](https://x.example/a\\|b \"t\\|u\") |",
            "| a \\| b | n |\n|---|--:|\n| `x \\| y` | 1 |\n"
                + "| **c \\| d** | [l \\| m](https://x.example/a%7Cb \"t&#124;u\") |"
        ),
        ("a | b\n--- | :-:\n1", "| a | b |\n|---|---|\n| 1 |  |"),
        ("x\n- | a |\n  |---|\n  | \\\\\\| |", "x\n\n  - | a |\n    |---|\n    | \\\\\\| |"),
        ("> | a |\n> |---|\n\nb", "> | a |\n> |---|\n\nb"),
        (
            "| ![p\\|q](https://x.example/p) |\n|---|\n| <https://x.example/a\\|b> |",
            "| [p\\|q](https://x.example/p) |\n|---|\n| [https://x.example/a\\|b](https://x.example/a%7Cb) |"
        ),
        ("y [c]\n| [c] |\n|---|\n\n[c]: d", "y [c](d)\n\n| [c](d) |\n|---|"),
        ("| - a |\n|---|\n| 1. b |", "| - a |\n|---|\n| 1. b |"),
    ])
    func tablesStayTablesWhereTextIsWrittenAgain(text: String, expected: String) throws {
        let cut = FencedText(text + "\n\n<br>\n", fences: Self.names)
        #expect(cut.commonMark.map(\.text) == [expected])
        let again = FencedText(try #require(cut.commonMark.first).text, fences: Self.names)
        #expect(
            again.html.map(\.text)
                == cut.html.map { $0.text.replacing("<!-- raw HTML omitted -->\n", with: "") })
    }

    @Test(arguments: ["a | b\n", "| a |\n|---|---|\n", "```\n| a |\n|---|\n```\n"])
    func otherTextsAreNoTables(text: String) {
        #expect(!FencedText(text, fences: Self.names).html.map(\.text).joined().contains("<table>"))
    }

    /// Texts, and the same with each destination of a link in capitals.
    @Test(arguments: [
        ("[a](b) ![c](d \"t\")", "[a](B) ![c](D \"t\")"), ("`[a](b)` [a](b)", "`[a](b)` [a](B)"),
        ("```\n[a](b)\n```\n[a](b)", "```\n[a](b)\n```\n[a](B)"), ("    [a](b)\n", "    [a](b)\n"),
        ("[a]\n\n[a]: b\n", "[a]\n\n[a]: B\n"), ("``a`](b) `` [a](b)", "``a`](b) `` [a](B)"),
        ("[a](", "[a]("), ("", ""), ("[a](<b>) x", "[a](B) x"), ("[a]( b)", "[a]( B)"),
        ("[a][r]\n\n[r]:b\n", "[a][r]\n\n[r]:B\n"), ("[a][r]\n\n[r]: <b> \"t\"", "[a][r]\n\n[r]: B \"t\""),
        ("x [a]:b", "x [a]:b"),
        ("[a][r]\n\n[r]:\n    b \"t\"", "[a][r]\n\n[r]:\n    B \"t\""),
        ("[a][r]\n\n[r]: \n<b>\n[q]:\nd", "[a][r]\n\n[r]: \nB\n[q]:\nD"),
        ("> [a](\n> b) [c](d)", "> [a](\n> B) [c](D)"), ("[a](\n\nb", "[a](\n\nb"),
        ("x [a]:\nb", "x [a]:\nb"), ("[r]:\n\n    b", "[r]:\n\n    b"), ("x [a]: b", "x [a]: b"),
        ("A \\` and [x](b) and \\` too", "A \\` and [x](B) and \\` too"),
        ("A `code\n[x](b)` [x](b)", "A `code\n[x](b)` [x](B)"),
        ("A ` sign\n\n[x](b) `", "A ` sign\n\n[x](B) `"),
        ("> A `code\n> [x](b)` so", "> A `code\n> [x](b)` so"), ("``a` [x](b)", "``a` [x](B)"),
        ("\\[x](b) [y\\](b) [z](b)", "\\[x](b) [y\\](b) [z](B)"), ("[x\\]](b)", "[x\\]](B)"),
        ("x](b)", "x](b)"), ("[a\nb]: c", "[a\nb]: C"), ("[x](a(1)) [y](b", "[x](A(1)) [y](b"),
        ("<!-- [x](b) -->\n\n[x](b)", "<!-- [x](b) -->\n\n[x](B)"), ("[x](b\"t\")", "[x](B\"T\")"),
        ("[a ![b [c](d)](e) f](g)", "[a ![b [c](D)](E) f](g)"),
        ("[a [b](c) d](e)", "[a [b](C) d](e)"), ("[![a](b)](c)", "[![a](B)](C)"), ("[x](b c)", "[x](b c)"),
        ("[x](a\\_b)", "[x](A_B)"), ("- [r]: b\n- [q]: d\n", "- [r]: B\n- [q]: D\n"),
        ("| ` | [x](b) |\n|---|---|\n| ` | [x](b) |", "| ` | [x](B) |\n|---|---|\n| ` | [x](B) |"),
        ("- ```\n  [a](b)\n[a](b)", "- ```\n  [a](b)\n[a](B)"), ("- [ ] [x](b)", "- [ ] [x](B)"),
        ("[x](a&amp;b)", "[x](A&B)"), ("[x](<a&#46;b>)", "[x](A.B)"), ("[x](a&period;b)", "[x](A.B)"),
        ("[x]\n\n[x]: a&lowbar;b\n", "[x]\n\n[x]: A_B\n"), ("[x](a&b)", "[x](A&B)"),
        ("[x](a&none;b)", "[x](A&amp;NONE;B)"), ("[x](a&amp;lt;b)", "[x](A&amp;LT;B)"),
        ("[x](a&#32;b)", "[x](A%20B)"), ("[x](a&rpar;b)", "[x](A\\)B)"), ("[x](<a b>)", "[x](A%20B)"),
        ("[x](a\\)b)", "[x](A\\)B)"), ("[x](a&bsol;b)", "[x](A%5CB)"),
    ])
    func destinationsAreRewritten(text: String, expected: String) {
        #expect(rewritingLinks(inCommonMark: text) { $0.uppercased() } == expected)
    }

    @Test func fencesAreFoundWithTheirLines() {
        let text = "a\n\n```chart\nk: 1\n```\n- ```block\n  k: 2\n  ```\n\n> ```chart\n> k: 3\n> ```\n"
        let found = fences(inCommonMark: text, named: Self.names)
        #expect(found.map(\.name) == ["chart", "block", "chart"])
        #expect(found.map(\.body) == ["k: 1\n", "k: 2\n", "k: 3\n"])
        #expect(found.map(\.lines.lowerBound) == [3, 6, 10])
        #expect(found.map(\.isOutermost) == [true, false, false])
    }

    @Test func anchorsAreUniqueInTheWholeTextAndKeepOutOfThePagesOwn() {
        let text = "# a\n\n```chart\n```\n\n# a\n\n# Contents\n\n# a-2\n"
        let cut = FencedText(text, fences: Self.names, options: .init(takenAnchors: ["contents"]))
        #expect(cut.headings.map(\.id) == ["a", "a-2", "contents-2", "a-2-2"])
        #expect(cut.html.map(\.text).joined().contains("<h1 id=\"a-2\">"))
    }

    @Test func manyEqualHeadingsAreFast() {
        let page = commonMarkPage(String(repeating: "# a\n", count: 20_000))
        #expect(Set(page.headings.map(\.id)).count == 20_000)
        #expect(
            commonMarkPage("# " + String(repeating: "long ", count: 100)).headings.map(\.id.count) == [80])
    }

    /// The words after a fence, and the class of its code.
    @Test(arguments: [
        ("swift", "swift"), ("Swift", "swift"), ("c++", "c++"), ("c# x=1", "c#"),
        ("objective-c", "objective-c"),
        ("swift\" onclick=\"x", nil), ("<b>", nil), ("ünï", nil), ("", nil), ("{.swift}", nil),
        (String(repeating: "a", count: 33), nil),
    ])
    func languageOfCodeIsAPlainWord(info: String, name: String?) {
        let opening = name.map { "<pre><code class=\"language-\($0)\">" } ?? "<pre><code>"
        #expect(html(fromCommonMark: "~~~ \(info)\nx\n~~~").text == opening + "x\n</code></pre>\n")
    }
}
