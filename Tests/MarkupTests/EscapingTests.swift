import Testing

@testable import Markup

private func escaped(_ text: String, _ language: OutputLanguage, after: String = "") -> String {
    var writer = ByteWriter()
    writer.append(raw: after)
    writer.append(text, escapedFor: language)
    return String(writer.text.dropFirst(after.count))
}

struct EscapingTests {
    @Test(arguments: [
        ("plain text – ünï 🚢", "plain text – ünï 🚢"), ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
        ("\"x\" 'y'", "&quot;x&quot; &#39;y&#39;"), ("tab\tline\nend", "tab\tline\nend"),
        ("bell\u{07}\rcr", "bellcr"), ("nul\0", "nul\u{FFFD}"), ("&amp;", "&amp;amp;"), ("", ""),
        ("\u{202E}evil\u{202C}\u{2066}x\u{2069}\u{200E}\u{200F}", "evilx"),
        ("dash – “quotes” …", "dash – “quotes” …"),
        ("\u{FFFE}a\u{FFFF}", "a"), ("é\u{FFFD}", "é\u{FFFD}"),
    ])
    func escapesHTMLAndXML(text: String, expected: String) {
        #expect(escaped(text, .html) == expected)
        #expect(escaped(text, .xml) == expected)
    }

    @Test func plainTextLosesOnlyControls() {
        #expect(escaped("a < b & \"c\"\n\u{1B}[31m\0\u{202E}", .plain) == "a < b & \"c\"\n[31m\u{FFFD}")
    }

    @Test(arguments: [
        ("Crash-free 99.12% (98.98–99.24), 4.2.1", "Crash-free 99.12% (98.98–99.24), 4.2.1"),
        ("*bold* _em_ `code` ~~x~~ $m$", #"\*bold\* \_em\_ \`code\` \~\~\#u{200B}x\~\~ \$m\$"#),
        ("[a](b) ![c](d) wow!", #"\[a\](b) \!\[c\](d) wow\!"#), ("<b> & |", #"&lt;b&gt; &amp; \|"#),
        ("a\nb\r\nc", "a b  c"), ("a # b - c + d = e", "a # b - c + d = e"),
        ("mail @josh and a@b.c", "mail @\u{200B}josh and a@\u{200B}b.c"), ("see #12", "see #\u{200B}12"),
        ("GH-12 (gh-9) xGH-1 GH-x", "GH-\u{200B}12 (gh-\u{200B}9) xGH-1 GH-x"),
        ("!12 !x $5 $m &2 & 2", "!\u{200B}12 !x \\$\u{200B}5 \\$m &amp;\u{200B}2 &amp; 2"),
        ("%3 %v1 %\"a b\" 9%3 % 4", "%\u{200B}3 %\u{200B}v1 %\u{200B}\"a b\" 9%3 % 4"),
        ("~bug ~\"a b\" a~b ~ c", "\\~\u{200B}bug \\~\u{200B}\"a b\" a\\~b \\~ c"),
        ("https://x.y/z", "https:\u{200B}//x.y/z"), ("www.x.y", "www\u{200B}.x.y"), ("C:/x", "C:/x"),
        ("A.swift:100: x", "A.swift:\u{200B}100: x"), (":1234: :tada:x", ":\u{200B}1234: :\u{200B}tada:x"),
        ("-[A set:key:value:]", #"-\[A set:\#u{200B}key:\#u{200B}value:\]"#),
        (":+1: :-1:", ":\u{200B}+1: :\u{200B}-1:"),
        ("12:30:45 a::b a: b:", "12:30:45 a::b a: b:"), ("A.swift:101: x", "A.swift:101: x"), (":ü:", ":ü:"),
        ("bell\u{07}\0\u{202E}", "bell\u{FFFD}"), (#"\"#, #"\\"#),
    ])
    func escapesMarkdownInMidLine(text: String, expected: String) {
        #expect(escaped(text, .markdown, after: "x ") == expected)
    }

    @Test(
        arguments: [
            ("# h", "\\# h"), ("- i", "\\- i"), ("+ i", "\\+ i"), ("=== s", "\\=== s"), ("> q", "&gt; q"),
            ("1. i", "1\\. i"), ("12) i", "12\\) i"), ("1.", "1\\."), ("4.2.1 is out", "4.2.1 is out"),
            ("    code", "code"), ("\t- x", "\\- x"), ("99.12% fine", "99.12% fine"), ("-5", "\\-5"),
            ("1234567890. x", "1234567890. x"),
        ], ["", "text\n", "- ", "> ", "  * ", "1. ", "> - ", "\n   "])
    func startsNoBlock(test: (text: String, expected: String), after: String) {
        #expect(escaped(test.text, .markdown, after: after) == test.expected)
    }

    @Test(arguments: [
        ("12", ".", "12\\."), ("-", "x", "\\-x"), ("www", ".x", "www\u{200B}.x"),
        ("http:", "//x", "http:\u{200B}//x"),
        ("@", "josh", "@\u{200B}josh"), ("!", "[x]", #"\!\[x\]"#),
    ])
    func joinsTwoTextsSafely(first: String, second: String, expected: String) {
        var writer = ByteWriter()
        writer.append(first, escapedFor: .markdown)
        writer.append(second, escapedFor: .markdown)
        #expect(writer.text == expected)
    }

    /// What CommonMark reads back is the text itself, in one paragraph or one list item, with no mark-up.
    @Test(
        arguments: [
            "# a", "* a *b* **c**", "`a` ``b``", "[a](javascript:b)", "![a](b)", "<script>",
            "&lt; &amp; &#35;",
            "1. a", "- - - -", "***", "===", "~~~", "```", "a\\", "\\*a\\*", "_a_ __b__", "> > a",
            "| a | b |",
            "<https://x.y>", "[a]: b", "+ a", "a\n# b", "a\n===", "a  \nb", "\ta", "!", "![", "]", "12) a",
        ], ["", "- ", "> ", "1. ", "## ", "x "])
    func readsBackAsText(text: String, after: String) {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let markdown = after + escaped(text, .markdown, after: after)
        let html = html(fromCommonMark: markdown, options: .init(anchors: false)).text
        let read = plainText(fromCommonMark: markdown).replacing("\u{200B}", with: "")
        #expect(read == (after == "x " ? "x " + words : words), "\(html)")
        #expect(
            !["<em", "<strong", "<code", "<a", "<img", "<hr", "<pre"].contains { html.contains($0) },
            "\(html)")
        #expect(html.count { $0 == "<" } == html.replacing("</", with: "").count { $0 == "<" } * 2, "\(html)")
    }

    @Test func numbersAreDecimal() {
        var writer = ByteWriter()
        for number in [0, 7, -1, 1234, .max, .min] {
            writer.append(number)
            writer.append(" ")
        }
        #expect(writer.text == "0 7 -1 1234 9223372036854775807 -9223372036854775808 ")
        writer.removeAll()
        #expect(writer.count == 0 && writer.text == "")
    }

    @Test(arguments: [
        ("apps/x/", "apps/x/"), ("/a?b=c:d", "/a?b=c:d"), ("#top", "#top"),
        ("https://x.y/?a=1&b", "https://x.y/?a=1&amp;b"),
        ("mailto:a@b.c", "mailto:a@b.c"), ("HTTP://x", "HTTP://x"), ("javascript:alert(1)", "#"),
        (" java\nscript:x", "#"), ("data:text/html,x", "#"), ("java\u{01}script:x", "#"), ("vbscript:x", "#"),
        ("a:b", "#"), ("./a:b", "./a:b"), ("\"x", "%22x"), ("", ""), ("é:x", "#"),
        ("https://x.y/?a=\"<b> c\\`{|}^", "https://x.y/?a=%22%3Cb%3E%20c%5C%60%7B%7C%7D%5E"),
        ("https://[::1]/a[b]?c[d]", "https://[::1]/a%5Bb%5D?c%5Bd%5D"), ("a//b[c]", "a//b%5Bc%5D"),
        ("a%20b%2", "a%20b%252"), ("%", "%25"), ("é/ü", "é/ü"), ("/\\host", "/%5Chost"),
    ])
    func printsOnlySafeAddresses(address: String, expected: String) {
        var writer = ByteWriter()
        writer.append(address: address, escapedFor: .html)
        #expect(writer.text == expected)
    }

    @Test func addressesCannotEndAMarkdownLink() {
        var writer = ByteWriter()
        writer.append(address: "a (b)|[c]?d=1&e", escapedFor: .markdown)
        #expect(writer.text == "a%20%28b%29%7C%5Bc%5D?d=1&amp;e")
    }

    @Test func languagesComeFromFileExtensions() {
        let expected: [(String, OutputLanguage?)] = [
            ("html", .html), ("md", .markdown), ("xml", .xml), ("svg", .xml), ("txt", .plain),
            ("TXT", .plain), ("js", nil),
        ]
        for (name, language) in expected { #expect(OutputLanguage(fileExtension: name) == language) }
    }

    @Test func svgIsAllowedInHTMLAndNothingElse() {
        for outer in OutputLanguage.allCases {
            for inner in OutputLanguage.allCases {
                #expect(outer.accepts(inner) == (outer == inner || (outer == .html && inner == .xml)))
            }
        }
    }
}
