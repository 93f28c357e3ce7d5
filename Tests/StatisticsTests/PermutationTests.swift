import Statistics
import Testing

/// The order in which issues are listed changes nothing.
struct PermutationTests {
    @Test(arguments: Array(0..<12))
    func velocityFindingsFollowTheIssue(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let affected = (0..<8).map { issue in
            (0..<420).map { hour in
                Int.random(in: 0...(6 / (issue + 1) + 1), using: &random)
                    + (issue == 3 && hour >= 400 ? 50 : 0)
            }
        }
        let order = affected.indices.shuffled(using: &random)
        func findings(_ rows: [[Int]]) throws -> [VelocityFinding] {
            let sessions = [Int](repeating: 1_000, count: 420)
            return IssueVelocityDetector().findings(
                in: try #require(IssueSeries(sessions: sessions, affected: rows)))
        }
        let (plain, shuffled) = (try findings(affected), try findings(order.map { affected[$0] }))
        #expect(!plain.isEmpty)
        func reported(_ findings: [VelocityFinding], _ name: (Int) -> Int) -> Set<[Int]> {
            Set(findings.map { [name($0.issue), $0.hour, $0.affected, Int($0.score * 1e6)] })
        }
        #expect(reported(plain) { $0 } == reported(shuffled) { order[$0] })
    }

    @Test(arguments: Array(0..<40))
    func coveringSetIsOfTheSameSizes(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let counts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
            Int.random(in: 0...30, using: &random)
        }
        let shuffled = counts.shuffled(using: &random)
        let total = max(1, counts.reduce(0, +))
        let (one, other) = (
            try #require(CoveringSet(of: counts, total: total, share: 0.8)),
            try #require(CoveringSet(of: shuffled, total: total, share: 0.8))
        )
        #expect(one.chosen.map { counts[$0] } == other.chosen.map { shuffled[$0] })
        #expect(one.sum == other.sum && one.isReached == other.isReached)
        #expect(unionBounds(of: counts, all: total) == unionBounds(of: shuffled, all: total))
        let doubled = try #require(
            CoveringSet(of: counts.map { $0 * 2 }, total: total * 2, share: 0.8))
        #expect(doubled.chosen == one.chosen)
    }
}
