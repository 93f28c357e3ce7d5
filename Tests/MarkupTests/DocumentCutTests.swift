import Testing

@testable import Markup

struct DocumentCutTests {
    private func table(_ name: String, _ rows: Int) -> String {
        "| \(name) |\n|---|\n" + (1...rows).map { "| \(name)\($0) |\n" }.joined()
    }

    private var page: String {
        """
        # Title

        **Now:** all is well.

        ## Long

        \(table("row", 40))
        ## Short

        - entry1
        - entry2
        - entry3

        <details><summary>Behind it</summary>

        \(table("day", 30))
        </details>

        ## Words

        A paragraph.

        ---

        Freshness: today.

        """
    }

    /// What a limit leaves, and what it takes.
    @Test(
        arguments: [
            (2000, ["row40", "day30", "entry3", "A paragraph."], [], nil),
            (800, ["row40", "entry3", "A paragraph."], ["day1"], "1 folded part skipped: no room."),
            (
                500, ["row3", "entry3", "A paragraph.", "## Long"], ["day1", "row40"],
                "rows of tables and 1 folded part skipped: no room."
            ),
            (
                209, ["row1 |", "entry1", "A paragraph.", "## Long"], ["row9", "entry3"],
                "39 rows of tables, 2 entries of lists and 1 folded part skipped: no room."
            ),
            (170, ["all is well", "Freshness"], ["## Words", "## Short", "A paragraph"], "1 paragraph"),
            (10, ["# Title"], ["all is well", "Freshness", "##  "], "3 paragraphs skipped: no room."),
        ] as [(Int, [String], [String], String?)])
    func theLeastImportantGoesFirst(limit: Int, kept: [String], gone: [String], reported: String?) {
        let cut = pageText(page, in: .github, limit: limit, because: "no room")
        #expect(cut.isCut == (reported != nil))
        if limit > 100 { #expect(cut.text.utf16.count <= limit) }
        for part in kept { #expect(cut.text.contains(part), "\(part): \(cut.text)") }
        for part in gone { #expect(!cut.text.contains(part), "\(part): \(cut.text)") }
        if let reported { #expect(cut.text.contains(reported), "\(cut.text)") }
    }

    /// What is folded in GitHub's dialect alone is called a section elsewhere.
    @Test(arguments: MarkdownDialect.allCases)
    func whatIsNotFoldedIsASection(dialect: MarkdownDialect) {
        let whole = pageText(page, in: dialect, limit: nil, because: "").text.utf16.count
        let text = pageText(page, in: dialect, limit: whole - 10, because: "no room").text
        let name = dialect == .github ? "folded part" : "section"
        #expect(text.contains("1 \(name) skipped: no room."), "\(text)")
    }

    /// Rows of long tables go before those of short ones, then rows of both.
    @Test(arguments: [(224, 12, 10), (144, 6, 5)])
    func tablesShrinkTogether(limit: Int, long: Int, short: Int) {
        let page = "# T\n\n\(table("a", 100))\n\n\(table("b", 10))\n"
        let text = pageText(page, in: .github, limit: limit, because: "no room").text
        let (a, b) = (text.ranges(of: /\| a\d+ \|/).count, text.ranges(of: /\| b\d+ \|/).count)
        #expect((a, b) == (long, short), "\(text)")
    }

    @Test func everyLimitIsKept() {
        let whole = pageText(page, in: .github, limit: nil, because: "").text.utf16.count
        for dialect in MarkdownDialect.allCases {
            for limit in stride(from: 190, to: whole, by: 17) {
                let cut = pageText(page, in: dialect, limit: limit, because: "no room")
                #expect(cut.text.utf16.count <= limit, "\(dialect) \(limit)")
                #expect(cut.text.contains("Title"))
            }
        }
    }

    @Test func cutIsReportedBeforeTheLastRule() throws {
        let text = pageText(page, in: .github, limit: 800, because: "no room").text
        let reported = try #require(text.firstRange(of: " skipped: "))
        let rule = try #require(text.firstRange(of: "\n---\n"))
        #expect(reported.upperBound < rule.lowerBound && text.hasSuffix("Freshness: today.\n"))
    }

    @Test func largePageIsCutToTheLimitOfItsDialect() {
        let page = "# T\n\n" + table("issue with a long name ", 9000)
        for dialect in MarkdownDialect.allCases {
            let cut = pageText(page, in: dialect)
            #expect(cut.isCut == (dialect.limit != nil))
            if let limit = dialect.limit, let words = dialect.limitWords {
                #expect((limit - 200...limit).contains(cut.text.utf16.count), "\(cut.text.utf16.count)")
                #expect(cut.text.contains("rows of tables skipped: " + words))
            } else {
                #expect(cut.text.contains("9000"))
            }
        }
    }

    @Test func compactPageSaysWhatItSaid() {
        let page = """
            # T

            **Now:** 3 of 4.

            ![It fell.](a.svg)

            As files: [drawing (SVG)](a.svg), [numbers (CSV)](a.csv)

            <details><summary>Behind</summary>

            9

            </details>

            Released: soon. [Summary for release notes](s.md)

            ---

            Pages of this app:

            - [Overview](index.md)

            Freshness: Data to 19 Nov.
            [How](how.md)
            """
        let blocks = compactBlocks(ofMarkdown: page) { "apps/" + $0 }
        #expect(documentText(blocks, in: .github) == "# T\n**Now:** 3 of 4.\n\nFreshness: Data to 19 Nov.\n")
    }
}
