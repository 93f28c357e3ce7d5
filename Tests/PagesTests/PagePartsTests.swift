import Testing

@testable import Pages

struct PagePartsTests {
    @Test(arguments: [
        // Few apps are on one page, whatever their rows take.
        (Array(repeating: 9, count: 40), 10, [0..<40]), ([], 10, [0..<0]),
        (Array(repeating: 1, count: 41), 10, [0..<10, 10..<20, 20..<30, 30..<40, 40..<41]),
        (Array(repeating: 10, count: 41), 400, [0..<40, 40..<41]),
        (Array(repeating: 10, count: 41), 410, [0..<41]),
        // A row that takes more than a page has one for itself, and no page is empty.
        ([50] + Array(repeating: 1, count: 40) + [50], 40, [0..<1, 1..<41, 41..<42]),
        (Array(repeating: 0, count: 41), 10, [0..<41]),
    ])
    func everyRowIsOnOnePart(sizes: [Int], most: Int, ranges: [Range<Int>]) {
        let parts = PageParts(of: sizes, most: most, apps: sizes.count)
        #expect(parts.ranges == ranges && parts.count == ranges.count)
        #expect(parts.rows(of: 1) == ranges[0] && parts.rows(of: 0).isEmpty && parts.rows(of: 99).isEmpty)
        let links = parts.links(from: 1, site.links(from: .sources)) { .sources(part: $0) }
        #expect(links.count == (ranges.count == 1 ? 0 : ranges.count))
        #expect(links.map(\.isCurrent) == links.indices.map { $0 == 0 })
        #expect(links.dropFirst().first?.stem.map { $0 == "2/index" } != false)
        #expect(parts.suffix(of: 1) == "")
    }

    @Test func laterPartsSayWhatTheyHold() {
        let parts = PageParts(of: Array(repeating: 1, count: 1_001), most: 20, apps: 1_001)
        #expect(parts.suffix(of: 2) == ", apps 21–40 of 1,001")
        #expect(parts.suffix(of: 51) == ", apps 1,001 of 1,001")
    }
}
