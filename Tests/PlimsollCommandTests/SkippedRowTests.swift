import AppHealth
import Diagnostics
import Foundation
import Testing

@testable import PlimsollCommand

/// What snapshot files skip is reported, whichever file it is in, and once.
struct SkippedRowTests {
    private func table(_ capturedAt: String, _ rows: String...) -> String {
        "# capturedAt: \(capturedAt)\n# app: buoy\ndate,sessions,crashed_sessions\n"
            + rows.map { $0 + "\n" }.joined()
    }

    private func project() throws -> Folder {
        let folder = try Folder()
        try folder.write(
            "plimsoll.yml",
            "title: Quay\nasOf: 2026-11-19T06:00:00Z\napps:\n  - id: buoy\n    sources: [{provider: files, path: data}]\n"
        )
        return folder
    }

    /// The badly written rows are in the older file, in the newer one, or in one of two of the same capture.
    @Test(arguments: [
        ("2026-11-18T05:00:00Z", "2026-11-19T05:00:00Z", "a.csv"),
        ("2026-11-19T05:00:00Z", "2026-11-18T05:00:00Z", "a.csv"),
        ("2026-11-19T05:00:00Z", "2026-11-19T05:00:00Z", "a.csv"),
        ("2026-11-19T05:00:00Z", "2026-11-19T05:00:00Z", "b.csv"),
    ])
    func badRowsOfEveryFileAreReported(first: String, second: String, bad: String) async throws {
        let folder = try project()
        for (name, capturedAt, day) in [("a.csv", first, 16), ("b.csv", second, 17)] {
            let rows = ["2026-11-\(day),500,5"] + (bad == name ? ["2026-11-12,many,7"] : [])
            try folder.write("data/\(name)", table(capturedAt, rows.joined(separator: "\n")))
        }
        let run = try await Program.run("run", "--threads", "1", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        #expect(run.errors.contains("data/\(bad):5"), "\(run.errors)")
        #expect(folder.text("site/sources/index.md").contains("data/\(bad):5"))
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.errors.contains("data/\(bad):5"), "\(doctor.errors)")
        #expect(doctor.status == 1 && doctor.output.contains("✗ buoy from files"), "\(doctor.printed)")
    }

    /// What a service sends in another form than expected is in the response to each request.
    @Test(arguments: [
        (0, []), (1, ["x 0 []"]), (2, ["x 0 [\"the same once more, at b\"]"]),
        (31, ["x 0 [\"the same 30 more times, last at b\"]"]),
    ])
    func whatEachResponseHasIsReportedOnce(count: Int, expected: [String]) {
        let all = (0..<count).map { number in
            Diagnostic.warning("d", "x", at: .address(number == 0 ? "a" : "b"))
        }
        let others = (1...3).map { Diagnostic.warning("d", "other \($0)", at: .address("a")) }
        func words(_ list: [Diagnostic]) -> [String] {
            list.map { "\($0.summary) \($0.location == .address("a") ? 0 : 1) \($0.details)" }
        }
        #expect(words((all + others).eachOnce) == expected + words(others))
        #expect(words((others + all).eachOnce) == words(others) + expected)
    }

    /// What differs in numbers alone is one finding on a console, whose place in a response is its first and its last.
    @Test(arguments: [
        (0, []), (1, ["a[0] found 7: []"]), (2, ["a[0] found 7: [\"1 more like it, last at u: a[1]\"]"]),
        (31, ["a[0] found 7: [\"30 more like it, last at u: a[30]\"]"]),
    ])
    func whatEachElementHasIsPrintedOnce(count: Int, expected: [String]) {
        let all = (0..<count).map { number in
            Diagnostic.warning(
                "d", "a[\(number)] found \(number + 7)", at: .keyPath(document: "u", path: "a[\(number)]"))
        }
        let others =
            [Diagnostic.warning("d", "b[0] found 7", at: .keyPath(document: "u", path: "b[0]"))]
            + (1...2).map { (row: Int) in .warning("d", "row \(row)", at: .file(path: "f", line: row)) }
        func words(_ list: [Diagnostic]) -> [String] { list.map { "\($0.summary): \($0.details)" } }
        #expect(words((all + others).alikeOnce) == expected + words(others))
        #expect(words((others + all).alikeOnce) == words(others) + expected)
    }

    /// The next night reports what is new, the site shows the last fetch that brought something.
    @Test func whatWasReportedIsNotNewAgain() async throws {
        let folder = try project()
        try folder.write("data/a.csv", table("2026-11-17T05:00:00Z", "2026-11-16,500,5", "2026-11-12,many,7"))
        try folder.write("data/b.csv", table("2026-11-18T05:00:00Z", "2026-11-17,500,5"))
        func night() async throws -> (errors: String, page: String) {
            let run = try await Program.run("run", "--threads", "1", in: folder)
            #expect(run.status == 0, "\(run.printed)")
            return (run.errors, folder.text("site/sources/index.md"))
        }
        let first = try await night()
        #expect(first.errors.contains("a.csv:5") && first.page.contains("a.csv:5"))
        // Nothing came: the site still says so.
        let second = try await night()
        #expect(!second.errors.contains("a.csv:5") && second.page.contains("a.csv:5"), "\(second.errors)")
        try folder.write("data/c.csv", table("2026-11-19T05:00:00Z", "2026-11-18,few,5", "2026-11-15,500,5"))
        let third = try await night()
        #expect(!third.errors.contains("a.csv:5") && third.errors.contains("c.csv:4"), "\(third.errors)")
        #expect(third.page.contains("c.csv:4"))
        // A file that was late is reported when it comes.
        try folder.write("data/d.csv", table("2026-11-18T04:00:00Z", "2026-11-14,none,5", "2026-11-13,500,5"))
        let fourth = try await night()
        #expect(fourth.errors.contains("d.csv:4") && fourth.page.contains("c.csv:4"), "\(fourth.errors)")
    }

    /// What older and newer snapshots skipped, which of them are known, and what the newest one shows.
    @Test(
        arguments: [
            ([["a", "b"], ["c"]], [], ["c", "a", "b"]), ([["a", "b"], ["c"]], [0], ["c"]),
            ([["a"], ["b"]], [1], ["b"]), ([["a"], []], [], ["a"]), ([[], []], [], []), ([["a"]], [0], ["a"]),
            ([["a[1]"], ["b"], ["a[2]"], []], [], ["b", "a[2] | the same once before"]),
            (
                [["a[1]", "a[2]", "a[3]"], ["a[4]"]], [],
                ["a[4]", "a[3] | the same 2 times before"]
            ),
        ] as [([[String]], [Int], [String])])
    func theNewestShowsWhatIsNewBeforeIt(skipped: [[String]], known: [Int], shown: [String]) {
        for isHandedOver in [false, true] {
            var problems = SnapshotProblems()
            var last: [Diagnostic] = []
            let all = skipped.enumerated().map { snapshot(at: $0, skipping: $1) }
            for part in isHandedOver ? all.map({ [$0] }) : [all] {
                var part = part
                problems.gather(into: &part, known: Set(known.map { Instant(secondsSinceEpoch: $0) }))
                last = part.last?.warnings ?? []
            }
            #expect(last.map { ([$0.summary] + $0.details).joined(separator: " | ") } == shown)
        }
    }

    @Test func manyProblemsOfOlderSnapshotsAreBounded() {
        var problems = SnapshotProblems()
        var snapshots = (0..<400).map { snapshot(at: $0, skipping: [String(repeating: "x", count: $0)]) }
        problems.gather(into: &snapshots, known: [])
        let shown = problems.all.map(\.summary)
        #expect(shown.first?.count == 379 && shown.last?.count == 399 && shown.count == 22)
        #expect(shown.contains("379 more problems in older snapshots not shown"))
        #expect(snapshots.last?.warnings.count == 22)
    }

    private func snapshot(at seconds: Int, skipping: [String]) -> Snapshot {
        let source = Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [])
        var snapshot = Snapshot(
            app: App(id: Slug(anyText: "buoy"), name: "Buoy"), source: source,
            capturedAt: Instant(secondsSinceEpoch: seconds))
        snapshot.warnings = skipping.map { .warning("test.skipped", $0) }
        return snapshot
    }
}
