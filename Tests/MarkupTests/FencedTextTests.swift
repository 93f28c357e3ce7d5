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

    @Test func manyEqualHeadingsCostLittle() {
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
