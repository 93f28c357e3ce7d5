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
}
