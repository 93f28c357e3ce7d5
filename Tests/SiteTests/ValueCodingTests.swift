import Analysis
import AppHealth
import Diagnostics
import Foundation
import HistoryFixtures
import Pages
import Testing

@testable import Site

/// What a build keeps is read as it was written, in the same bytes each time.
struct ValueCodingTests {
    private struct Whole: Codable, Hashable {
        enum Choice: Codable, Hashable {
            case none
            case one(Int)
            case two(first: String?, second: [Double])
        }

        enum Word: String, Codable, Hashable, CaseIterable { case tide, ebb, slack }

        struct Inner: Codable, Hashable {
            var flag: Bool
            var flags: [Bool?]
        }

        var number: Int
        var small: UInt8
        var large: UInt64
        var rate: Double
        var text: String
        var missing: String?
        var inner: Inner?
        var list: [Int?]
        var nested: [[String]]
        var words: Set<Word>
        var byText: [String: Inner]
        var byNumber: [Int: String]
        var byWord: [Word: [Choice]]
        var choices: [Choice]
        var span: ClosedRange<Int>
    }

    private static let whole = Whole(
        number: -7, small: 255, large: .max, rate: -0.1, text: "Flut \u{0} 🌊", missing: nil,
        inner: .init(flag: true, flags: [true, nil, false]), list: [1, nil, .min, .max],
        nested: [[], ["a", ""]], words: [.ebb, .tide],
        byText: ["b": .init(flag: false, flags: []), "a": .init(flag: true, flags: [nil])],
        byNumber: [3: "c", -1: "z"], byWord: [.slack: [.none, .one(4)], .tide: []],
        choices: [.none, .one(-1), .two(first: nil, second: [.infinity]), .two(first: "x", second: [])],
        span: -3...12)

    @Test func readsWhatWasWritten() throws {
        let bytes = try ValueEncoder.bytes(of: Self.whole)
        #expect(try ValueDecoder.value(Whole.self, from: bytes) == Self.whole)
    }

    @Test func readsDiagnosticsAsTheyWereWritten() throws {
        let all = [
            Diagnostic.warning("a.b", "line 3", at: .file(path: "a.csv", line: 3)),
            .error(
                "c", "", details: ["x", ""], quotes: ["response: no"],
                at: .keyPath(document: "d", path: "e[0]"), hints: ["f"]),
            Diagnostic(.note, id: "g", "h", location: .address("https://h.example")),
            .error("i", "j"),
        ]
        let bytes = try ValueEncoder.bytes(of: all)
        #expect(try ValueDecoder.value([Diagnostic].self, from: bytes) == all)
    }

    @Test func equalValuesHaveEqualBytes() throws {
        let words = (0..<40).map { "word-\($0)" }
        let one = Dictionary(uniqueKeysWithValues: words.map { ($0, Set(words)) })
        var other: [String: Set<String>] = [:]
        other.reserveCapacity(1_000)
        for word in words.reversed() { other[word] = Set(words.reversed()) }
        #expect(try ValueEncoder.bytes(of: one) == ValueEncoder.bytes(of: other))
    }

    /// What an app with an event of every kind has for its pages, of both ways to write it.
    @Test func whatIsWrittenDirectlyHasTheSameBytes() throws {
        let analysis = AppAnalysis(EventSentenceTests.history, targets: .standard, asOf: reportTime)
        let pages = AppPages(analysis, site: .sample())
        #expect(Set(analysis.activity.events.map(\.kind)) == Set(EventKind.allCases))
        try check(analysis.overview)
        try check(analysis.facts)
        for issue in analysis.issues.all { try check(pages.inputs(of: issue)) }
        for release in analysis.releases.all { try check(pages.inputs(of: release)) }
        for pair in analysis.releases.pairs { try check(pages.inputs(of: pair)) }
        for week in analysis.activity.weeks { try check(pages.inputs(of: week)) }
        for day in analysis.facts.days { try check(pages.inputs(of: day)) }
    }

    /// Each field of what is written directly, there and absent.
    @Test func everyFieldIsWrittenDirectly() throws {
        let (day, instant) = (CivilDate.back(3), Instant.noon(back: 3))
        var issue = Issue(
            id: "1", title: "It's a <fault> 🌊", kind: .hang, state: .muted,
            place: CodePlace(file: "a/b.swift", line: nil), firstSeen: instant, lastSeen: reportTime,
            firstVersion: Version("1"), lastVersion: Version("2", build: "9"), fixedIn: Version("3"),
            events: 4,
            users: .max, url: "https://quay.example/1")
        (issue.firstSeenOn, issue.lastSeenOn) = (day, .back(0))
        try check([issue, Issue(id: "", title: "", place: CodePlace(file: "", line: -5))])
        try check([
            App(id: Slug(anyText: "x"), name: "X", group: "G"),
            App(id: Slug(anyText: "y"), name: "", platform: "ios"),
        ])
        try check([
            IssueDay(issue: "1", date: day, version: "2", events: nil, users: 7),
            IssueDay(issue: "1", date: day, events: 0, users: nil),
        ])
        var health = HealthDay(
            date: day, version: "1", sessions: 1, crashedSessions: 2, users: 3, crashedUsers: 4, crashes: 5)
        health.deviation = 0.003
        try check([health, HealthDay(date: day)])
        let subjects: [Note.Subject] = [.app, .issue("1"), .release("2"), .day(day)]
        var notes = subjects.map { Note(id: "n", at: instant, author: "Ana", text: "*Look*", subject: $0) }
        notes[1].targets = ["../b.md": "b/index.html", "../a.md#x": "a/index.html#x"]
        try check(notes)
        try check([Fraction(1, of: 2), Fraction(0, of: 7, deviation: 0.01), nil])
        try check([[1.5, nil, -.infinity], []] as [[Double?]])
        try check([SeenVersions(first: nil, last: "2"), SeenVersions(first: "1", last: nil)])
        try check([
            Coverage.complete, .unknown, .approximate(deviation: 0.25),
            .partial(counted: 1, of: nil, deviation: 0.5), nil,
        ])
        try check([
            DayFinality.settled, .provisional(.seenOnce), .provisional(.early(settlesAfterHours: 48)),
            .provisional(.rateChanged(points: 0.5)), .provisional(.countChanged(from: nil, to: 4)),
        ])
        try check([DayAbsence.notCollected, .failed, .missing, .nothingCounted, nil])
        try check([day: [Coverage.complete, .partial(counted: nil, of: 3)], day.advanced(by: -400): []])
        try check(CivilWeek(of: day))
        try check([DaySet([]), DaySet([day, day.advanced(by: 1), day.advanced(by: -40)])])
        try check(Self.trends.map { try JSONDecoder().decode(IssueTrend.self, from: Data($0.utf8)) })
    }

    private static let trends = [
        #"{"unit":"events","isRankedByAll":false}"#,
        #"""
        {"unit":"userDays","isRankedByAll":true,"rank":2,"rankBefore":300,"move":-298,
        "change":{"rising":{"count":9,"expected":2.5,"adjustedP":0.01}},
        "course":{"rises":true,"slope":0.25,"pValue":0.002}}
        """#,
        #"{"unit":"events","isRankedByAll":true,"change":{"gone":{"days":12,"expected":7.5,"pValue":0.0005}}}"#,
    ]

    private func check(_ value: some Encodable) throws {
        #expect(try ValueEncoder.bytes(of: value) == ValueEncoder.bytes(of: value, direct: nil))
    }

    @Test func brokenBytesAreAnErrorAndNeverATrap() throws {
        let bytes = try ValueEncoder.bytes(of: Self.whole)
        for count in bytes.indices {
            #expect(throws: (any Error).self) {
                try ValueDecoder.value(Whole.self, from: Array(bytes.prefix(count)))
            }
        }
        for place in bytes.indices {
            for flip: UInt8 in [1, 0x80, 0xFF] {
                var broken = bytes
                broken[place] ^= flip
                _ = try? ValueDecoder.value(Whole.self, from: broken)
            }
        }
    }
}
