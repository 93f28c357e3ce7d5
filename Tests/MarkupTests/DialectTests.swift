import Markup
import Testing

/// Text from outside that wants to be more than text.
let hostileTexts = [
    "<script>alert(1)</script>", "a | b | c", "*bold* _em_ ~gone~ `code`", "[a](javascript:x) ![b](c)",
    "@channel and <!channel> <@U1>", "see #123 and me@quay.example", "https://evil.example www.evil.example",
    "two\nlines", "two\u{2028}# parts\u{2029}/assign", "# heading", "- item", "1. one", "> quote",
    "</details>", "x & y &amp; z", "*", "a*", "*b",
    "Foo* bar", "\u{1B}[31mred\u{7}", "\u{202E}txt.exe", "***", "```", "日本語の題名", "👩‍👩‍👧‍👦 🏳️‍🌈", ":skull:", "",
]

/// A document with one hostile text in each place.
private func document(_ text: String) -> [Block] {
    let table = BlockTable(
        [.init("Rank", isNumber: true), .init("Issue \(text)"), .init("Users", isNumber: true)], name: 1,
        rows: [
            [
                [.text("1 ▲6")], [.link(text, to: "https://quay.example/a b|c>d&e/index.html")],
                [.text("412")],
            ],
            [[.text("2")], [.text("(\(text))")], [.text(text)]],
        ])
    return [
        .heading([.text("Day "), .strong(text)], level: 3), .lines([[.text(text)], [.text("end \(text)")]]),
        .table(table), .folded(title: text, [.list([[.strong("New:"), .text(" "), .text(text)]])]),
    ]
}

struct DialectTests {
    private let sample: [Block] = [
        .heading([.text("Day: "), .strong("▼ below", .bad)], level: 3),
        .lines([[.text("One.")], [.text("Two.")]]),
        .table(
            BlockTable(
                [.init("Rank", isNumber: true), .init("Issue"), .init("Users", isNumber: true)], name: 1,
                rows: [
                    [[.text("1")], [.link("Crash", to: "a/b.html")], [.text("412")]],
                    [[.text("12")], [.text("漢字")], [.text("9")]],
                ])),
        .folded(title: "New (1)", [.list([[.strong("New:"), .text(" x")]])]),
        .lines([[.text("Fresh. "), .link("Page", to: "https://quay.example/p.html")]]),
    ]

    @Test(arguments: [
        (
            MarkdownDialect.github,
            """
            ### Day: **▼ below**
            One.
            Two.

            | Rank | Issue | Users |
            |--:|---|--:|
            | 1 | [Crash](a/b.html) | 412 |
            | 12 | 漢字 | 9 |

            <details><summary>New (1)</summary>

            - **New:** x

            </details>

            Fresh. [Page](https://quay.example/p.html)

            """
        ),
        (
            .commonmark,
            """
            ### Day: **▼ below**
            One.
            Two.

            **Issue:**

            - 1 [Crash](a/b.html) — Users: 412
            - 12 漢字 — Users: 9

            **New (1)**

            - **New:** x

            Fresh. [Page](https://quay.example/p.html)

            """
        ),
        (
            .plain,
            """
            Day: ▼ below

            One.
            Two.

            Rank  Issue  Users
               1  Crash    412
              12  漢字       9

            New (1)
            • New: x

            Fresh. Page: https://quay.example/p.html

            """
        ),
        (
            .slack,
            """
            *Day: ▼ below*

            One.
            Two.

            *Issue:*
            • 1 <a/b.html|Crash> — Users: 412
            • 12 漢字 — Users: 9

            *New (1)*
            • *New:* x

            Fresh. <https://quay.example/p.html|Page>

            """
        ),
    ])
    func sameDocumentInEachDialect(dialect: MarkdownDialect, expected: String) {
        #expect(documentText(sample, in: dialect) == expected)
    }

    /// What a CommonMark parser reads is what was written.
    @Test(arguments: hostileTexts, [MarkdownDialect.github, .commonmark])
    func markdownMeansTheText(text: String, dialect: MarkdownDialect) {
        let written = documentText(document(text), in: dialect)
        let page = html(fromCommonMark: written).text
        for tag in [
            "<em>", "<code>", "<script", "<img", "<blockquote", "<h1", "<h2", "<pre", "<hr", "javascript:\"",
        ] {
            #expect(!page.contains(tag), "\(tag): \(written)")
        }
        #expect(page.ranges(of: "<h3").count == 1, "\(written)")
        let words = plainText(fromCommonMark: written)
        let shown = visible(text)
        if !shown.isEmpty {
            #expect(words.ranges(of: shown).count >= 4, "\(shown): \(words)")
        }
        #expect(!written.contains("\n\n\n"), "\(written)")
    }

    /// Mentions, references and bare addresses are broken without being seen.
    @Test(arguments: [
        ("@josh", "@\u{200B}josh"), ("#123", "#\u{200B}123"), ("https://x.y", "https:\u{200B}//x.y"),
        ("www.x.y", "www\u{200B}.x.y"), ("GH-12", "GH-\u{200B}12"), ("!12", "!\u{200B}12"),
        ("%3", "%\u{200B}3"),
    ])
    func gitHubAndGitLabLinkNothingByThemselves(text: String, expected: String) {
        #expect(documentText([.lines([[.text("a " + text)]])], in: .github) == "a \(expected)\n")
    }

    /// To some readers a line separator ends a line, to others none: the text has none.
    @Test(arguments: MarkdownDialect.allCases)
    func aTextStaysInItsLine(dialect: MarkdownDialect) {
        let written = documentText(document("one\u{2028}# two\u{2029}/assign"), in: dialect)
        let plain = documentText(document("one # two /assign"), in: dialect)
        #expect(written == plain)
    }

    @Test(arguments: hostileTexts)
    func slackFormatsNothing(text: String) {
        let written = documentText(document(text), in: .slack)
        for line in written.split(separator: "\n") {
            // `<` opens links of ours alone, and no line has an odd star of ours.
            for part in line.split(separator: "<").dropFirst(line.hasPrefix("<") ? 0 : 1) {
                #expect(part.hasPrefix("https://quay.example/a%20b%7Cc%3Ed&amp;e/index.html|"), "\(line)")
            }
            #expect(!line.contains("\u{1B}"))
        }
        let foreign = documentText([.lines([[.text(text)]])], in: .slack)
        for mark in ["*", "_", "~", "`"] {
            let bare = foreign.replacing("\u{200B}\(mark)\u{200B}", with: "")
            #expect(!bare.contains(mark), "\(foreign)")
        }
        #expect(!foreign.contains("://") && !foreign.contains("@c") && !foreign.contains(":skull"))
    }

    @Test(arguments: [
        ("a & <b>", "a &amp; &lt;b&gt;"), ("<!channel>", "&lt;!channel&gt;"), ("@here", "@\u{200B}here"),
        ("06:30: ok", "06:\u{200B}30: ok"), ("x\ty", "x y"), ("x\u{2028}y\u{2029}z", "x y z"),
    ])
    func slackText(text: String, expected: String) {
        #expect(documentText([.lines([[.text(text)]])], in: .slack) == expected + "\n")
    }

    /// Within a word Slack does not read a mark; a zero-width space, here `Z`, parts it from the letters around it.
    @Test(arguments: [
        ("2*3*4", "2Z_3_Z4"), ("**日本**語", "*日本*Z語"), ("a`b`", "aZ`b`"), ("(*a*) **b**.", "(_a_) *b*."),
    ])
    func slackReadsMarksWithinWords(markdown: String, expected: String) {
        let written = documentText(documentBlocks(ofMarkdown: markdown), in: .slack)
        #expect(written == expected.replacing("Z", with: "\u{200B}") + "\n")
    }

    /// A break ends a line outside of what is emphasized, and the text means the same again.
    @Test(arguments: [
        ("**Warning  \nread this** now.", "**Warning**\\\n**read this** now.\n"),
        ("*first\\\nsecond*", "*first*\\\n*second*\n"), ("*first \\\nsecond*", "*first*\\\n*second*\n"),
        ("[a  \nb](c)", "[a](c)\\\n[b](c)\n"), ("a  \nb", "a\\\nb\n"),
        ("- ***\n- a\n", "- ***\n\n- a\n"), ("- a\n\n* ---\n", "- a\n\n* ---\n"), ("1. ---", "1. ---\n"),
    ])
    func markdownIsWrittenAgain(markdown: String, expected: String) {
        let written = documentText(documentBlocks(ofMarkdown: markdown), in: .commonmark)
        #expect(written == expected)
        #expect(documentText(documentBlocks(ofMarkdown: written), in: .commonmark) == expected)
    }

    /// Three backticks would end the code, also where something between them is not written.
    @Test(arguments: [
        ("```", "``Z`"), ("````", "``Z``"), ("`````", "``Z``Z`"), ("``````\n`````", "``Z``Z``\n``Z``Z`"),
        ("``\u{7}` *b*", "``Z` *b*"), ("```\u{301}", "``Z`\u{301}"), ("`` `", "`` `"),
        ("a`b``<c>", "a`b``&lt;c&gt;"),
    ])
    func slackCodeEndsAtItsEnd(code: String, expected: String) {
        let shown = documentText([.code(code, language: "")], in: .slack)
        #expect(shown == "```\n" + expected.replacing("Z", with: "\u{200B}") + "\n```\n")
    }

    @Test(arguments: hostileTexts)
    func plainHasNoControls(text: String) {
        let written = documentText(document(text), in: .plain)
        #expect(!written.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(!written.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    }

    @Test func plainHasNarrowLines() {
        let long = String(repeating: "many words ", count: 40)
        let lines = documentText(document(long), in: .plain).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 }, "\(lines)")
        #expect(lines.count > 8)
    }

    @Test func limitsAreThoseOfTheServices() {
        #expect(MarkdownDialect.allCases.map(\.limit) == [125_000, nil, nil, 40_000])
        #expect(MarkdownDialect.allCases.allSatisfy { ($0.limit == nil) == ($0.limitWords == nil) })
    }

    /// The text as a reader sees it.
    private func visible(_ text: String) -> String {
        let kept = Markup(escaping: text, language: .plain).text
        return kept.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("://", with: ":\u{200B}//").replacing("www.", with: "www\u{200B}.")
            .replacing("@c", with: "@\u{200B}c").replacing("@q", with: "@\u{200B}q")
            .replacing("@U", with: "@\u{200B}U").replacing("~gone", with: "~\u{200B}gone")
            .replacing("#1", with: "#\u{200B}1").replacing(":skull:", with: ":\u{200B}skull:")
    }
}
