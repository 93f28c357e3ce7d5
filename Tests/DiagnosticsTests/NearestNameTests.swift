import Diagnostics
import Testing

struct NearestNameTests {
    private static let keys = ["title", "theme", "targets", "sources", "base-url", "Language"]

    @Test(arguments: [
        ("tilte", "title"), ("theem", "theme"), ("target", "targets"), ("source", "sources"),
        ("sourcess", "sources"), ("baseurl", "base-url"), ("base_url", "base-url"), ("TITLE", "title"),
        ("langauge", "Language"), ("title", "title"),
    ])
    func slipOfThePenFindsTheName(name: String, expected: String) {
        #expect(nearestName(to: name, among: Self.keys) == expected)
    }

    @Test(arguments: ["", "zzzzz", "colors", "a-wholly-different-name", "船", "tttttttttttttttttttttttt"])
    func nothingIsFoundForAFarName(name: String) {
        #expect(nearestName(to: name, among: Self.keys) == nil)
    }

    @Test func nothingIsFoundAmongNoNames() {
        #expect(nearestName(to: "title", among: [String]()) == nil)
        #expect(nearestName(to: "", among: [String]()) == nil)
    }

    @Test func swapOfNeighborsCountsAsOneSlip() {
        #expect(nearestName(to: "ab", among: ["ba", "xy"]) == "ba")
        #expect(nearestName(to: "ca", among: ["abc"]) == nil)
    }

    @Test func firstInTheAlphabetWinsATieWhateverTheOrder() {
        #expect(nearestName(to: "bat", among: ["cat", "bet", "hat"]) == "bet")
        #expect(nearestName(to: "bat", among: ["hat", "bet", "cat"]) == "bet")
    }

    @Test func exactNameBeatsANearOne() {
        #expect(nearestName(to: "user", among: ["uses", "users", "user"]) == "user")
    }

    /// Of many names, the one that a comparison with each of them in full finds.
    @Test(arguments: UInt64(1)...40) func theNearestOfManyIsFound(seed: UInt64) {
        var state = seed
        func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        // Names of more than 64 letters are compared in another way.
        let beginning = String(repeating: "x", count: [0, 58, 70][Int(seed % 3)])
        func word(_ length: Int) -> String {
            beginning + String((0..<length).map { _ in Array("aéC1")[below(4)] })
        }
        let names = Set((0..<60).map { _ in word(below(9)) })
        let known = NearestNames(names)
        for _ in 0..<30 {
            let wanted = word(below(10))
            let limit = min(3, max(1, wanted.count / 2))
            // What all begin with takes no edit.
            func ending(_ name: String) -> String { String(name.lowercased().dropFirst(beginning.count)) }
            let near = names.map { (distance: edits(ending(wanted), ending($0)), name: $0) }
                .filter { $0.distance <= limit }.min { $0 < $1 }
            #expect(known.nearest(to: wanted) == near?.name, "\(wanted) among \(names.sorted())")
        }
    }

    /// The fewest edits, by the last characters of both.
    private func edits(_ first: String, _ second: String) -> Int {
        let (left, right) = (Array(first), Array(second))
        var known: [[Int]] = [Array(0...right.count)]
        for row in left.indices {
            var cells = [row + 1]
            for column in right.indices {
                var options = [
                    cells[column] + 1, known[row][column + 1] + 1,
                    known[row][column] + (left[row] == right[column] ? 0 : 1),
                ]
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    options.append(known[row - 1][column - 1] + 1)
                }
                cells.append(options.min() ?? 0)
            }
            known.append(cells)
        }
        return known[left.count][right.count]
    }
}
