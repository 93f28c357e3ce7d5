import Testing

@testable import Markup

/// What lies beyond the bounds of a CommonMark text is not read.
struct CommonMarkBoundsTests {
    @Test func aTextIsReadUpToItsLimit() throws {
        for (limit, words) in [(11, "one two six"), (10, "one two si"), (12, "one two six")] {
            let tree = CommonMarkTree(parsing: "one two six", limit: limit)
            #expect(tree?.html() == "<p>\(words)</p>\n")
        }
        // The whole limit, which no page reaches.
        let most = 8 << 20
        for (bytes, shown) in [(most - 1, most - 1), (most, most), (most + 1, most)] {
            let tree = CommonMarkTree(parsing: String(repeating: "a", count: bytes))
            #expect(tree?.html().utf8.count == shown + "<p></p>\n".utf8.count)
        }
    }

    /// Lists in lists: what lies deeper is read as text, and nothing is lost.
    @Test func listsAreReadUpToTheirDepth() {
        for depth in [23, 24, 25, 500] {
            let text = (0..<depth).map { String(repeating: "  ", count: $0) + "- x\($0)\n" }.joined()
            let shown = documentText(documentBlocks(ofMarkdown: text), in: .plain)
            #expect(shown.contains("x0") && shown.contains("x\(min(depth, 24) - 1)"))
        }
    }

    /// A head of many cells over many short rows is as much work, and as much text, as its source.
    @Test(arguments: [1000, 4000]) func aTableIsAsLargeAsItsSource(count: Int) {
        let head = "|" + String(repeating: "a|", count: count) + "\n|" + String(repeating: "-|", count: count)
        let text = head + "\n" + String(repeating: "b\n", count: count)
        let most = text.utf8.count * 40
        #expect(commonMarkPage(text).html.text.utf8.count < most)
        // Raw HTML is removed, so all of it is written again.
        let written = FencedText("<i>x</i>\n\n" + text, fences: []).commonMark.map(\.text).joined()
        #expect(written.utf8.count < most && written.contains("---|"))
        let blocks = documentBlocks(ofMarkdown: text)
        #expect(wordBlocks(ofCommonMark: text) == blocks)
        for dialect in MarkdownDialect.allCases {
            #expect(documentText(blocks, in: dialect).utf8.count < most)
        }
        #expect(layoutText(blocks, width: nil, hasColors: false).utf8.count < most)
    }

    /// Cells that a row has beyond its head cost nothing, and a long title is not written with each row.
    @Test func longRowsAndTitlesAddNothing() {
        let long =
            "|a|\n|-|\n" + String(repeating: "|b" + String(repeating: "|c", count: 1000) + "|\n", count: 200)
        #expect(!commonMarkPage(long).html.text.contains("c</td>"))
        #expect(commonMarkPage(long).html.text.utf8.count < 10_000)
        let title = String(repeating: "t", count: 5000)
        let wide = "|a|\(title)|\n|-|-|\n" + String(repeating: "|b|c|\n", count: 2000)
        for dialect in MarkdownDialect.allCases {
            #expect(documentText(documentBlocks(ofMarkdown: wide), in: dialect).utf8.count < 300_000)
        }
        #expect(
            layoutText(documentBlocks(ofMarkdown: wide), width: nil, hasColors: false).utf8.count < 300_000)
    }

    /// What a row lacks is empty: in as many cells, while they are no more than those that are written.
    @Test(arguments: [(2, 4, "1"), (12, 1, "11"), (3000, 1, "1000")])
    func shortRowsEndWithEmptyCells(count: Int, filled: Int, width: String) {
        let cells = { (cell: String) in "|" + String(repeating: cell + "|", count: count) + "\n" }
        let rows = String(repeating: "|b|\n", count: filled + 1)
        let html = commonMarkPage(cells("a") + cells("-") + rows).html.text.replacing("\n", with: "")
        let whole = "<tr><td>b</td>" + String(repeating: "<td></td>", count: count - 1) + "</tr>"
        let short = count == 2 ? whole : "<tr><td>b</td><td colspan=\"\(width)\"></td></tr>"
        let body = String(repeating: whole, count: filled) + short
        #expect(html.contains("<tbody>\(body)</tbody>"), "\(html.suffix(200))")
        let table = documentBlocks(ofMarkdown: cells("a") + cells("-") + rows)
        guard case .table(let table)? = table.first else {
            Issue.record("no table")
            return
        }
        #expect(table.rows.map(\.count) == Array(repeating: count, count: filled) + [count == 2 ? 2 : 1])
    }
}
