import Diagnostics
import Foundation
import LoopbackServer
import Testing

@testable import PlimsollCommand

/// Whole archives from connections of which each fails with a probability.
@Suite(.serialized)  // a fetch watches for signals, for one caller at a time
struct BadNightTests {
    private static let good = Task { try await BadNight.fetch(probability: 0, seed: 0) }

    @Test func aGoodNightBringsEverythingAtTheFirstAttempt() async throws {
        let night = try await Self.good.value
        #expect(night.results.allSatisfy { $0.failure == nil && $0.snapshots == 1 })
        #expect(night.results.flatMap(\.warnings).map(\.summary) == [])
        let rows = try night.rows()
        for table in ["health_day", "release", "issue", "issue_day", "note", "fetch_attempt"] {
            #expect(rows.contains { $0.hasPrefix(table + " ") }, "\(table)")
        }
        #expect(night.results.map(\.revisions).allSatisfy { $0 > 0 } && night.count > 30)
    }

    @Test(
        arguments: [
            (0, 1), (0.1, 2), (0.1, 3), (0.2, 4), (0.2, 5), (0.3, 6), (0.3, 7), (0.3, 8), (0.3, 9),
        ] as [(Double, UInt64)])
    func aBadNightBringsTheSameRows(probability: Double, seed: UInt64) async throws {
        let good = try await Self.good.value
        let night = try await BadNight.fetch(probability: probability, seed: seed)
        #expect(night.results.allSatisfy { $0.failure == nil }, "\(night.results.compactMap(\.failure))")
        #expect(night.results.flatMap(\.warnings).map(\.summary) == [])
        let difference = Set(try night.rows()).symmetricDifference(try good.rows())
        #expect(difference.isEmpty, "\(difference.sorted())")
        #expect(try night.rows() == good.rows())
        #expect(night.count > good.count || probability == 0, "\(night.count), \(good.count)")
    }

    @Test func aDeadNightLeavesTheLastGoodFiguresAndSaysSo() async throws {
        let good = try await Self.good.value
        let night = try await BadNight.fetch(probability: 1, seed: 10, day: 20, after: good.folder)
        #expect(night.results.allSatisfy { $0.failure != nil && $0.snapshots == 0 && $0.revisions == 0 })
        #expect(night.results.flatMap(\.warnings).isEmpty)
        // Three services, each left alone after thirty failures in a row or after its first request.
        #expect(night.count <= 3 * 30 + 10 && night.count >= 30)
        let (before, after) = (try good.rows(), try night.rows())
        #expect(
            after.filter { !$0.hasPrefix("fetch_attempt") }
                == before.filter { !$0.hasPrefix("fetch_attempt") })
        let failed = after.filter { $0.hasPrefix("fetch_attempt") && $0.contains("has_failed:1") }
        #expect(
            failed.count == night.results.count && failed.allSatisfy { $0.contains("attempts and") },
            "\(failed)")
        let built = try await Program.run(
            "build", "--config", night.folder.path + "/plimsoll.yml", in: night.folder)
        #expect(built.status != 2, "\(built.printed)")
        for (app, figure) in [("ferry", "3,018"), ("buoy", "5,018")] {
            let page = night.folder.text("site/apps/\(app)/index.html")
            #expect(
                page.contains("is-stale") && page.contains("Stale: data from Thu, Nov 19, 2026"), "\(app)")
            #expect(page.contains(figure), "\(app)")
        }
        for app in ["ferry", "tug", "buoy"] {
            #expect(night.folder.text("site/apps/\(app)/index.html").contains("stale"), "\(app)")
        }
        #expect(night.folder.text("site/sources/index.html").contains("attempts and"))
        #expect(!night.folder.text("site/sources/index.html").contains(token))
    }
}
