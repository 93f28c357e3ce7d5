import Testing

@testable import Markup

private func strong(_ text: String) -> Span { .strong(text) }

private func span(_ text: String, _ change: (inout Span) -> Void) -> Span {
    var span = Span.text(text)
    change(&span)
    return span
}

private let sampleTable = BlockTable(
    [.init("#", isNumber: true), .init("Issue | x"), .init("Users", isNumber: true)], name: 1,
    rows: [
        [[.text("1")], [.link("a|b", to: "x.md"), .text(" \\")], [.text("412")]],
        [[.text("2")], [.text("# no heading")], []],
    ])

struct DocumentReaderTests {
    /// Markdown, and the blocks that are meant.
    @Test(
        arguments: [
            ("", []), ("a", [.lines([[.text("a")]])]), ("a\nb", [.lines([[.text("a")], [.text("b")]])]),
            ("# a *b*", [.heading([.text("a "), span("b") { $0.isEmphasised = true }], level: 1)]),
            (
                "**a [b](c) d**",
                [
                    .lines([
                        [strong("a "), span("b") { ($0.isStrong, $0.address) = (true, "c") }, strong(" d")]
                    ])
                ]
            ),
            ("- a\n- b", [.list([[.text("a")], [.text("b")]])]),
            ("- a\n\n- b", [.list([[.text("a")], [.text("b")]])]),
            ("3. a\n4. b", [.entries([[.lines([[.text("a")]])], [.lines([[.text("b")]])]], start: 3)]),
            ("- a\n  - b", [.entries([[.lines([[.text("a")]]), .list([[.text("b")]])]], start: nil)]),
            ("> a", [.quote([.lines([[.text("a")]])])]), ("---", [.rule]),
            ("```swift\na\n\nb\n```", [.code("a\n\nb", language: "swift")]),
            ("a\\\nb", [.lines([[.text("a"), span("") { $0.isBreak = true }], [.text("b")]])]),
            ("a<br>b", [.lines([[.text("a"), span("") { $0.isBreak = true }], [.text("b")]])]),
            ("`a*`", [.lines([[span("a*") { $0.isCode = true }]])]),
            ("![a](b.svg)", [.lines([[span("a") { $0.picture = "b.svg" }]])]),
            ("a\\*b &lt;c&gt; @\u{200B}d", [.lines([[.text("a*b <c> @d")]])]),
            ("a <b>c</b>", [.lines([[.text("a c")]])]),
            ("<p>a &amp; <i>b</i></p>", [.lines([[.text("a & b")]])]),
            (
                "<details><summary>A &lt;b&gt;</summary>\n\na\n\n- b\n\n</details>\n\nc",
                [
                    .folded(title: "A <b>", [.lines([[.text("a")]]), .list([[.text("b")]])]),
                    .lines([[.text("c")]]),
                ]
            ),
            ("</details>\n\na", [.lines([[.text("a")]])]),
            ("<details>\n\na", [.folded(title: "", [.lines([[.text("a")]])])]),
            (
                "| # | Issue \\| x | Users |\n|--:|---|--:|\n| 1 | [a\\|b](x.md) \\\\ | 412 |\n| 2 | # no heading |",
                [.table(sampleTable)]
            ),
            (
                "a\r\n\r\n| b |\r\n|---|\r\n| c |",
                [.lines([[.text("a")]]), .table(BlockTable([.init("b")], rows: [[[.text("c")]]]))]
            ),
            ("a\n| b |\n|---|", [.lines([[.text("a")]]), .table(BlockTable([.init("b")], rows: []))]),
            ("| a | b |\n|---|", [.lines([[.text("| a | b |")], [.text("|---|")]])]),
            (
                "a | b\n--- | :-:\n1 | 2",
                [.table(BlockTable([.init("a"), .init("b")], rows: [[[.text("1")], [.text("2")]]]))]
            ),
            (
                "- l\n\n  | b |\n  |---|\n  | c |",
                [
                    .entries(
                        [[.lines([[.text("l")]]), .table(BlockTable([.init("b")], rows: [[[.text("c")]]]))]],
                        start: nil)
                ]
            ),
            (
                "> a\n> | b |\n> |---|\n> | c |",
                [.quote([.lines([[.text("a")]]), .table(BlockTable([.init("b")], rows: [[[.text("c")]]]))])]
            ),
        ] as [(String, [Block])])
    func markdownIsRead(text: String, blocks: [Block]) {
        #expect(documentBlocks(ofMarkdown: text) == blocks)
    }

    /// CommonMark, and its words as blocks.
    @Test(
        arguments: [
            ("", []), ("<script>x</script>", []),
            ("*a* [b](c)\nd `e` ![f](g)", [.lines([[.text("a b d e f")]])]),
            ("a\\\nb", [.lines([[.text("a"), span("") { $0.isBreak = true }], [.text("b")]])]),
            ("# a *b*", [.heading([.text("a b")], level: 4)]),
            ("- a\n  b\n- c", [.list([[.text("a b")], [.text("c")]])]),
            (
                "a:\n\n1. b\n2. c",
                [
                    .lines([[.text("a:")]]),
                    .entries([[.lines([[.text("b")]])], [.lines([[.text("c")]])]], start: 1),
                ]
            ),
            ("> *a*\n> b", [.quote([.lines([[.text("a b")]])])]),
            ("```swift\na\n\nb\n```", [.code("a\n\nb", language: "swift")]),
            (
                "| a | b |\n|---|--:|\n| *c*<br>d | |",
                [
                    .table(
                        BlockTable([.init("a"), .init("b", isNumber: true)], rows: [[[.text("c d")], []]]))
                ]
            ),
            ("<details><summary>a</summary>\n\nb\n\n</details>", [.lines([[.text("b")]])]),
        ] as [(String, [Block])])
    func wordsOfCommonMarkAreRead(text: String, blocks: [Block]) {
        #expect(wordBlocks(ofCommonMark: text, highestHeading: 4) == blocks)
    }

    /// A text from outside, as what an entry says, adds nothing but itself to the entry: what follows is as before.
    @Test(arguments: hostileTexts + ["- a\n- b", "a\n\n```\nb", "| a |\n|---|\n| b |", "# a", "> a\n\n***"])
    func entryHoldsAllOfAText(text: String) {
        let said = wordBlocks(ofCommonMark: text)
        let markdown = "- **A**: \(entryMarkdown(said).text)\n- **C**: d\n\ne\n"
        let blocks = documentBlocks(ofMarkdown: markdown)
        #expect(blocks.count == 2 && blocks.last == .lines([[.text("e")]]), "\(markdown)")
        switch blocks.first {
        case .list(let entries): #expect(entries.count == 2 && entries.last?.first == strong("C"))
        case .entries(let entries, nil):
            #expect(entries.count == 2 && entries.last == [.lines([[strong("C"), .text(": d")]])])
        default: Issue.record("no list: \(markdown)")
        }
    }

    /// What is written in GitHub's dialect is read as what it was, in CommonMark as the same without tables.
    @Test(arguments: hostileTexts)
    func whatIsWrittenIsReadAgain(text: String) {
        let shown = Markup(escaping: text, language: .plain).text.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let words = shown.isEmpty ? "x" : shown
        let cell: [[Span]] = [
            [.text("1")], [.link(words, to: "a/b.md"), .text(" (\(words))")], [.text(words)],
        ]
        let blocks: [Block] = [
            .heading([.text(words)], level: 1),
            .lines([[strong("Now:"), .text(" " + words)], [.text(words + ".")]]),
            .table(
                BlockTable(
                    [.init("#", isNumber: true), .init(words), .init("Users", isNumber: true)], name: 1,
                    rows: [cell, cell])),
            .list([[.text(words)], [.text("a \(words)")]]), .list([[.text(words)]]),
            .entries(
                [[.lines([[.text(words)]]), .list([[.text(words)]])], [.quote([.lines([[.text(words)]])])]],
                start: nil),
            .entries([[.lines([[.text(words)]]), .code(words, language: "")]], start: 7),
            .entries(
                [[.lines([[.text(words)]]), .table(BlockTable([.init(words)], rows: [[[.text(words)]]]))]],
                start: 3),
            .entries(
                [[.lines([[.text(words)]]), .entries([[.lines([[.text(words)]])]], start: 4)]], start: nil),
            .quote([.table(BlockTable([.init(words)], rows: [[[.text(words)]]]))]),
            .folded(title: words, [.lines([[.text(words)]]), .list([[.text(words)]])]),
            .quote([.lines([[.text(words)], [.text(words)]]), .quote([.lines([[.text(words)]])])]), .rule,
            .lines([
                [
                    span(words) { $0.isCode = true }, .text(" "),
                    span(words) { $0.isEmphasised = true },
                ]
            ]),
            .lines([[span(words) { $0.picture = "chart.svg" }]]),
        ]
        let github = documentText(blocks, in: .github)
        #expect(documentBlocks(ofMarkdown: github).merged == blocks.merged, "\(github)")
        let plain = documentText(blocks, in: .commonmark)
        #expect(documentBlocks(ofMarkdown: plain).merged == linear(blocks).merged, "\(plain)")
        #expect(!html(fromCommonMark: plain).text.contains("<!-- raw"))
    }

    @Test(arguments: [
        String(repeating: "> ", count: 5000) + "a", String(repeating: "- ", count: 5000) + "a",
        String(repeating: "*", count: 20_000) + "a", String(repeating: "<details>\n\n", count: 2000),
        String(repeating: "[", count: 20_000),
        String(repeating: "| ", count: 3000) + "\n" + String(repeating: "|-", count: 3000),
    ])
    func deepTextNeedsNoStack(text: String) {
        _ = pageText(text, in: .plain)
        _ = pageText(text, in: .commonmark)
        _ = pageText(text, in: .slack)
    }

    /// A page in each dialect that has no tables.
    @Test(arguments: [
        (
            MarkdownDialect.commonmark,
            "# T\n**A:** ▁█ 1%\n\n![A: 1%](a.svg)\n\n**Day:** Gone 7: –\n\n- 2026\\-11\\-19 — Rate: 99.5%\n\n---\n\n[Top](../index.md)\n"
        ),
        (
            .plain,
            "T\n=\n\nA: ▁█ 1%\n\nA: 1%: a.svg\n\nDay          Rate  Gone 7\n2026-11-19  99.5%\n\n\(String(repeating: "─", count: 72))\n\nTop: ../index.md\n"
        ),
        (.slack, "*T*\n\n*A:* ▁█ 1%\n\n<a.svg|A:\u{200B}1>"),
    ])
    func pageInADialect(dialect: MarkdownDialect, expected: String) {
        let page =
            "# T\n\n**A:** ▁█ 1%\n\n![A: 1%](a.svg)\n\n| Day | Rate | Gone 7 |\n|---|--:|---|\n| 2026-11-19 | 99.5% |  |\n\n---\n\n[Top](../index.md)\n"
        #expect(pageText(page, in: .github).text == page)
        if dialect != .slack {
            #expect(pageText(page, in: dialect).text == expected.replacing("\\-", with: "-"))
        }
        let absolute = pageText(page, in: .slack) { $0.hasPrefix("..") ? nil : "https://quay.example/" + $0 }
        #expect(absolute.text.contains("<https://quay.example/a.svg|A: 1%>\n"), "\(absolute.text)")
        #expect(absolute.text.hasSuffix("\n———\n\nTop\n"))
    }

    @Test func descriptionIsNotRepeatedWherePicturesAreWords() {
        let page = "**A:** ▁█ It fell.\n\n![It fell.](a.svg)\n"
        #expect(pageText(page, in: .plain).text == "A: ▁█ It fell.\n")
        #expect(pageText(page, in: .slack).text == "*A:* ▁█ It fell.\n")
        #expect(pageText(page, in: .commonmark).text == page)
    }

    @Test func fileKeepsToItsWidthAndLosesNothing() {
        let name = (1...30).map { "word\($0)" }.joined(separator: " ")
        let long = String(repeating: "x", count: 130) + "9"
        let page =
            "\(name) \(name)\n\n| Name | N |\n|---|--:|\n| \(name) | 1,234 |\n\n| Name | N |\n|---|--:|\n| \(long) | 5 |\n"
        let text = pageText(page, in: .plain).text
        for line in text.split(separator: "\n") where !line.contains(long) {
            #expect(line.count <= 100, "\(line)")
        }
        for part in ["word30", "1,234", long, "N: 5"] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("…"))
    }
}

extension [Block] {
    /// With the spans of a line that look alike made one.
    fileprivate var merged: [Block] {
        func spans(_ line: [Span]) -> [Span] {
            line.reduce(into: []) { merged, span in
                if span.text.isEmpty, !span.isBreak, span.picture == nil { return }
                var last = merged.last
                let text = last?.text ?? ""
                last?.text = span.text
                if last == span, !span.isCode, span.picture == nil {
                    merged[merged.count - 1].text = text + span.text
                } else {
                    merged.append(span)
                }
            }
        }
        return map { block in
            switch block {
            case .heading(let line, let level): .heading(spans(line), level: level)
            case .lines(let lines): .lines(lines.map(spans))
            case .list(let lines): .list(lines.map(spans))
            case .entries(let entries, let start): .entries(entries.map(\.merged), start: start)
            case .table(let table):
                .table(BlockTable(table.columns, name: table.name, rows: table.rows.map { $0.map(spans) }))
            case .folded(let title, let blocks): .folded(title: title, blocks.merged)
            case .quote(let blocks): .quote(blocks.merged)
            case .code, .rule: block
            }
        }
    }
}
