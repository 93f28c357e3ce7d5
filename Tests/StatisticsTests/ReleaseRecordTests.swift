import Foundation
import Statistics
import Testing

struct ReleaseRecordTests {
    @Test(.enabled(if: hasReferenceValues)) func agreesWithReferenceValues() throws {
        struct Row: Decodable {
            let x1: [Int], n1: [Int], x0: [Int], n0: [Int], delta: Double, s: Double
            let U: Double, V: Double, phi: Double, log10_e: Double
        }
        let file = try ReferenceValues<Row>("release_eprocess")
        for row in file.cases {
            var evidence = ReleaseRecord(tolerance: row.delta, spread: row.s)
            for day in row.n1.indices {
                evidence.add(try #require(counts(row.n1[day], row.x1[day], row.n0[day], row.x0[day])))
            }
            expectClose(evidence.score, row.U, within: file.tol, floor: file.tol)
            expectClose(evidence.variance, row.V, within: file.tol)
            expectClose(evidence.dispersion, row.phi, within: file.tol)
            expectClose(evidence.logEValue / log(10), row.log10_e, within: file.tol, floor: file.tol)
        }
    }

    @Test func emptyDaysStateNothing() throws {
        var evidence = ReleaseRecord()
        #expect(evidence.logEValue == 0 && evidence.dispersion == 1)
        evidence.add(try #require(counts(0, 0, 500, 3)))
        evidence.add(try #require(counts(500, 3, 0, 0)))
        evidence.add(try #require(counts(0, 0, 0, 0)))
        evidence.add(try #require(counts(100, 0, 100, 0)))
        #expect(evidence.logEValue == 0)
    }

    @Test func allCrashedAndVastCountsAreAnswered() throws {
        var evidence = ReleaseRecord()
        evidence.add(try #require(counts(10, 10, 10, 10)))
        #expect(!evidence.logEValue.isNaN)
        evidence.add(
            try #require(counts(1_000_000_000_000, 20_000_000_000, 1_000_000_000_000, 10_000_000_000)))
        #expect(evidence.logEValue > 1000 && evidence.logEValue.isFinite)
    }

    @Test func impossibleCountsAreRefused() {
        #expect(counts(1, 2, 3, 0) == nil)
        #expect(counts(1, 0, 3, 4) == nil)
        #expect(counts(1, -1, 3, 0) == nil)
        #expect(counts(-1, -1, 3, 0) == nil)
    }

    private func counts(_ n1: Int, _ x1: Int, _ n0: Int, _ x0: Int) -> ReleaseDayCounts? {
        ReleaseDayCounts(newSessions: n1, newCrashed: x1, oldSessions: n0, oldCrashed: x0)
    }
}
