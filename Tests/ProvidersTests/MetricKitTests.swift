import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

struct MetricKitTests {
    private func fetch(_ path: String) async -> FetchOutcome {
        await MetricKitProvider(MetricKitConfiguration(path: path), sender: client())
            .fetch(app("sketchbook"), at: runTime)
    }

    @Test func payloadsBecomeIssuesWithoutADenominator() async throws {
        let snapshot = try #require(await fetch(fixture("metrickit")).snapshots.first)
        #expect(snapshot.source.capabilities == [.issues, .issueDays])
        #expect(snapshot.health.allSatisfy { $0.sessions == nil && $0.users == nil && $0.crashes != nil })
        #expect(snapshot.usage.isEmpty)
        // Only devices that share diagnostics deliver.
        #expect(Set(snapshot.coverage.map(\.fact)) == [.crashes, .issueDays])
        #expect(snapshot.coverage.allSatisfy { $0.coverage == .partial(counted: nil, of: nil) })
        #expect(
            snapshot.issues.map { "\($0.events ?? 0) \($0.kind.rawValue) \($0.title)" } == [
                "3 crash Ended by the system in the foreground: memory limit",
                "1 crash Crash: EXC_BAD_ACCESS SIGSEGV in Sketchbook + 4711", "1 hang Crash: watchdog",
                "1 hang Hang in Heavy + 3", "1 crash Ended by the system in the background: CPU limit",
            ])
        #expect(
            snapshot.issues[1].id == "Crash EXC_BAD_ACCESS SIGSEGV 00000000-0000-0000-0000-00000000000A+4711 "
                + "00000000-0000-0000-0000-00000000000B+12")
        #expect(snapshot.issues[3].id == "Hang Heavy+3 dyld+1")
        #expect(snapshot.issues.allSatisfy { $0.users == nil })
        #expect(snapshot.issues[0].firstVersion == Version("4.2.0", build: "360"))
        #expect(snapshot.issues[0].lastVersion == Version("4.2.1"))
        #expect(snapshot.issues[2].lastVersion == Version("4.2.1", build: "371"))
        #expect(
            snapshot.warnings.map(\.summary) == [
                #"metrickit: crashDiagnostics[2]: expected an object, found "no object""#,
                #"metrickit: [1].timeStampBegin: expected a time such as "2020-10-23 23:00:00 +0000", found "yesterday""#,
            ])
    }

    /// What was read of files that are elsewhere now still counts; a day with a file is that of its files.
    @Test func anIssueKeepsWhatWasReadBefore() async throws {
        let read = try #require(await fetch(fixture("metrickit")).snapshots.first)
        let issue = read.issues[0]
        let day = try #require(read.issueDays.first { $0.issue == issue.id }?.date)
        var old = Issue(id: issue.id, title: "old")
        old.firstSeen = Instant(startOf: day.advanced(by: -50))
        (old.firstVersion, old.lastVersion) = (Version("1.0"), Version("1.1"))
        let days = [day.advanced(by: -50), day].map {
            IssueDay(issue: issue.id, date: $0, events: 40, users: nil)
        }
        var configuration = MetricKitConfiguration(path: fixture("metrickit"))
        configuration.knownIssues = { [old] in KnownIssues(issues: [old], days: days) }
        let outcome = await MetricKitProvider(configuration, sender: client())
            .fetch(app("sketchbook"), at: runTime)
        let snapshot = try #require(outcome.snapshots.first)
        let known = try #require(snapshot.issues.first { $0.id == issue.id })
        #expect(known.firstSeen == old.firstSeen && known.lastSeen == issue.lastSeen)
        #expect(known.firstVersion == Version("1.0") && known.lastVersion == issue.lastVersion)
        #expect(known.events == (issue.events ?? 0) + 40)
        #expect(snapshot.issueDays == read.issueDays)
    }

    /// A span that begins at 23:00 UTC is about the next day, which began at midnight where the device was.
    @Test func anEventCountsOnTheDayOfTheMiddleOfItsSpan() async throws {
        let snapshot = try #require(await fetch(fixture("metrickit")).snapshots.first)
        let days = snapshot.issueDays.map { "\($0.date) \($0.events ?? 0) \($0.issue.prefix(6))" }
        #expect(
            days == [
                "2026-09-20 2 exit f", "2026-09-22 1 exit f", "2026-11-19 1 Crash ", "2026-11-19 1 Crash ",
                "2026-11-19 1 Hang H", "2026-09-20 1 exit b",
            ])
        #expect(snapshot.issues[0].firstSeen?.description == "2026-09-20T12:00:00Z")
        #expect(snapshot.issues[0].lastSeen?.description == "2026-09-22T05:00:00Z")
    }

    @Test func skipsOnlyTheUnreadableFile() async throws {
        try await withTemporaryDirectory { directory in
            let crash = try Data(contentsOf: URL(fileURLWithPath: fixture("metrickit/crash.json")))
            let files = [
                "a.json": crash, "again.json": crash, "broken.json": crash.prefix(900), "empty.json": Data(),
                "list.json": Data("[]".utf8), "odd.json": Data(#"{"timeStampBegin":7}"#.utf8),
                "t.csv": Data("a".utf8),
                "number.json": Data("7".utf8),
            ]
            for (name, data) in files { try data.write(to: URL(fileURLWithPath: "\(directory)/\(name)")) }
            let outcome = await fetch(directory)
            #expect(outcome.requests == 7)
            let snapshot = try #require(outcome.snapshots.first)
            #expect(snapshot.issues.count == 3)
            #expect(
                Set(snapshot.warnings.map(\.id)) == [
                    "decoding.mismatch", "metrickit.twice", "decoding.not-json",
                ])
        }
    }

    @Test func nothingToReadIsAFailure() async throws {
        #expect(await fetch("/nowhere/at/all").failures.map(\.why.id) == ["files.missing"])
        try await withTemporaryDirectory { directory in
            #expect(await fetch(directory).failures.map(\.why.id) == ["metrickit.nothing"])
            try Data("{".utf8).write(to: URL(fileURLWithPath: "\(directory)/a.json"))
            let broken = await fetch(directory)
            #expect(broken.failures.map(\.why.id) == ["metrickit.nothing"])
            #expect(broken.warnings.count == 1)
        }
    }

    @Test func aStackOfAnyDepthIsRead() async throws {
        let depth = 20_000
        let frame = #"{"binaryName":"Loop","offsetIntoBinaryTextSegment":5,"subFrames":["#
        let text =
            #"{"timeStampBegin":"2026-11-18 00:00:00","crashDiagnostics":[{"callStackTree":{"callStackPerThread":true,"#
            + #""callStacks":[{"callStackRootFrames":["# + String(repeating: frame, count: depth)
            + String(repeating: "]}", count: depth) + "]}]}}]}"
        try await withTemporaryDirectory { directory in
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/deep.json"))
            let outcome = await fetch(directory)
            #expect(outcome.diagnostics.map(\.everything) == [])
            #expect(outcome.snapshots.first?.issues.map(\.title) == ["Crash in Loop + 5"])
        }
    }

    /// In a tree the outermost call comes first, and the innermost ones make the issue, however deep they lie.
    @Test(arguments: [
        ("hangDiagnostics", 4, "Hang"), ("hangDiagnostics", 40, "Hang"), ("hangDiagnostics", 60, "Hang"),
        ("hangDiagnostics", 20_000, "Hang"), ("cpuExceptionDiagnostics", 60, "Too much CPU"),
        ("diskWriteExceptionDiagnostics", 60, "Too many writes to disk"),
    ])
    func theInnermostCallsOfATreeMakeItsIssue(kind: String, depth: Int, name: String) async throws {
        func call(_ offset: Int, _ binary: String, samples: Int, _ below: String) -> String {
            #"{"subFrames":[\#(below)],"sampleCount":\#(samples),"binaryName":"\#(binary)","offsetIntoBinaryTextSegment":\#(offset)}"#
        }
        try await withTemporaryDirectory { directory in
            for fault in [1000, 2000] {
                let innermost = call(fault + 1, "Harbour", samples: 9, call(fault, "Harbour", samples: 9, ""))
                // The path with fewer samples comes first.
                let fork = call(7, "Other", samples: 2, "") + "," + innermost
                let outer = (1..<depth - 2).map {
                    #"{"binaryName":"UIKitCore","offsetIntoBinaryTextSegment":\#($0),"sampleCount":11,"subFrames":["#
                }
                let calls = outer.joined() + fork + String(repeating: "]}", count: outer.count)
                let text =
                    #"{"timeStampBegin":"2026-11-18 00:00:00","\#(kind)":[{"callStackTree":{"callStacks":"#
                    + #"[{"callStackRootFrames":[\#(calls)]}],"callStackPerThread":false}}]}"#
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(fault).json"))
            }
            let outcome = await fetch(directory)
            #expect(outcome.diagnostics.map(\.everything) == [])
            let issues = try #require(outcome.snapshots.first?.issues)
            #expect(
                issues.map(\.id).sorted()
                    == [1000, 2000].map { fault in
                        "\(name) Harbour+\(fault) Harbour+\(fault + 1) UIKitCore+\(depth - 3)"
                    })
            #expect(
                issues.map(\.title).sorted() == ["\(name) in Harbour + 1000", "\(name) in Harbour + 2000"])
        }
    }

    /// A tree says the same when it is shortened.
    @Test(arguments: [
        #"{"callStackPerThread":false,"callStacks":[{"callStackRootFrames":[{"binaryName":"a \"]","#
            + #""subFrames":[{"sampleCount":1,"binaryName":"b"},{"sampleCount":2,"binaryName":"c","subFrames":7}]}]}]}"#,
        #"{"callStackPerThread":true,"callStacks":[{"callStackRootFrames":[{"binaryName":"a"}]}]}"#,
        #"{"callStackPerThread":false,"callStacks":[{"callStackRootFrames":[1,null]}]}"#,
        #"{"callStackPerThread":false,"callStacks":[{"callStackRootFrames":[{"binaryName":{},"subFrames":[]}]}]}"#,
    ])
    func aShortenedTreeSaysTheSame(text: String) throws {
        let decoder = ResponseDecoder(provider: "sample", endpoint: "tree")
        func names(_ bytes: [UInt8]) throws -> [String?] {
            try decoder.decode(MetricKitTree.self, from: bytes).value.frames.map { $0.binary?.value?.text }
        }
        let bytes = Array(text.utf8)
        #expect(shortenedTrees(bytes, levels: 96) == bytes)
        #expect(try names(shortenedTrees(bytes, levels: 1)) == names(bytes))
    }

    @Test(arguments: [
        ("[[1],2]", "[null,2]"), (#"{"a":"[{\"}"}"#, #"{"a":"[{\"}"}"#), (#"["\\",[0]]"#, #"["\\",null]"#),
        ("[[", "[null"), ("]]", "]]"), ("", ""), (#"[["]"],1]"#, "[null,1]"),
    ])
    func whatLiesTooDeepBecomesNull(text: String, expected: String) {
        #expect(String(decoding: prunedJSON(Array(text.utf8), levels: 1), as: UTF8.self) == expected)
    }

    private static let samples = "\(SampleAnswerTests.folder)/metrickit"

    @Test(
        .enabled(if: SampleAnswerTests.areHere, "the samples are not here"),
        arguments: [
            ("per-thread", ["Sentry", "iOS-Swift", "iOS-Swift"]), ("per-thread-nil-package", [nil]),
            ("per-thread-flamegraph", ["Sentry", "iOS-Swift", "iOS-Swift"]), ("tree-garbage", nil),
            ("tree-unknown-fields", ["Sentry", "iOS-Swift", "iOS-Swift"]),
            ("not-per-thread-only-one-frame", ["libsystem_pthread.dylib"]),
            ("tree-real", ["Sentry", "iOS-Swift", "UIKitCore"]),
        ] as [(String, [String?]?)])
    func realTreesAreRead(name: String, binaries: [String?]?) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.samples)/sentry-cocoa-\(name).json"))
        let tree = try? ResponseDecoder(provider: "sample", endpoint: name)
            .decode(MetricKitTree.self, from: prunedJSON([UInt8](data), levels: MetricKitRun.levels)).value
        #expect(tree.map { $0.frames.prefix(3).map { $0.binary?.value?.text } } == binaries)
    }
}
