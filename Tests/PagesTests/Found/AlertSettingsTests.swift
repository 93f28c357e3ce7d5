import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct AlertSettingsTests {
    @Test func withoutSettingsEverythingIsReported() {
        let reported = activity(of: long)
        #expect(reported.muted.isEmpty && reported.hidden.isEmpty && reported.uses.isEmpty)
        #expect(
            Set(reported.shown.map(\.kind)) == [
                .sourceTrouble, .topIssues, .recovery, .velocity, .stability, .newIssue,
            ])
    }

    /// Settings with the kinds that are reported and what is said of the rest.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let settings: AlertSettings
        let velocity: [String]
        let hidden: [String]
    }

    @Test(arguments: [
        Row(
            testDescription: "a kind turned off", settings: .init(kinds: [.velocity: .init(isOn: false)]),
            velocity: [],
            hidden: [
                "1 Issue Velocity Alert hidden (turned off)",
                "2 Issue Velocity Alerts hidden (turned off)",
            ]
        ),
        Row(
            testDescription: "a limit of a day lets the gravest stand",
            settings: .init(kinds: [.velocity: .init(limit: 1)]),
            velocity: ["velocity knot@2.1 0", "velocity rope@2.0 12"],
            hidden: ["1 more Issue Velocity Alert hidden (limit 1 a day)"]),
        Row(
            testDescription: "a least share",
            settings: .init(kinds: [.velocity: .init(least: .init(share: 3))]),
            velocity: ["velocity knot@2.1 0", "velocity rope@2.0 12"],
            hidden: ["1 Issue Velocity Alert hidden (below 3% of sessions)"]),
        Row(
            testDescription: "every least figure must be reached",
            settings: .init(kinds: [.velocity: .init(least: .init(users: 151, share: 3))]),
            velocity: ["velocity knot@2.1 0"],
            hidden: [
                "2 Issue Velocity Alerts hidden (below 151 users a day or 3% of sessions)"
            ]),
        Row(
            testDescription: "only alerts, and what is turned on",
            settings: .init(
                show: .alerts, kinds: [.recovery: .init(isOn: true), .topIssues: .init(isOn: nil)]),
            velocity: ["velocity knot@2.1 0", "velocity knot@2.0 12", "velocity rope@2.0 12"],
            hidden: Array(repeating: "1 Top Issues Summary hidden (turned off)", count: 13)),
    ])
    func settingsLeaveOut(row: Row) {
        let reported = activity([], row.settings)
        #expect(reported.shown.filter { $0.kind == .velocity }.map(\.brief) == row.velocity)
        #expect(reported.hidden.map(\.sentence) == row.hidden)
        #expect(reported.shown.count + reported.hidden.reduce(0) { $0 + $1.count } == activity().shown.count)
    }

    /// Issues by the day on which they begin; a day lists no more of them than can be read.
    @Test(arguments: [(nil, 100, 50), (149, 149, 1), (150, 150, 0), (1_000, 150, 0)] as [(Int?, Int, Int)])
    func aDayHasAHundredNewIssuesUnlessMoreAreWanted(limit: Int?, shown: Int, hidden: Int) {
        let crowd = (0..<150).map { Issue(id: "crowd-\($0)", title: "", firstSeen: .noon(back: 1)) }
        let few = (0..<3).map { Issue(id: "few-\($0)", title: "", firstSeen: .noon(back: 2)) }
        let source = SourceHistory.make(health: [.make(9), .make(0)], issues: crowd + few)
        let settings = limit.map { AlertSettings(kinds: [.newIssue: .init(limit: $0)]) } ?? .standard
        let reported = activity([], settings, of: source)
        let days = reported.shown.filter { $0.kind == .newIssue }.map(\.back)
        #expect(days.count { $0 == 1 } == shown && days.count { $0 == 2 } == few.count)
        let kept =
            hidden == 0
            ? [] : ["\(hidden) more New Issue\(hidden == 1 ? "" : "s") hidden (limit \(shown) a day)"]
        #expect(reported.hidden.map(\.sentence) == kept)
    }

    @Test(arguments: EventKind.allCases) func alertsHaveNoLimitUnlessOneIsWanted(kind: EventKind) {
        #expect(AlertSettings.standard.limit(of: kind) == (kind.isAlert ? nil : 100))
    }

    @Test func aDropBelowTheLeastTakesItsRecoveryAlong() {
        let reported = activity([], .init(kinds: [.stability: .init(least: .init(points: 3))]), of: long)
        #expect(!reported.shown.contains { $0.kind == .stability || $0.kind == .recovery })
        #expect(reported.hidden.map(\.kind) == [.recovery, .stability])
    }

    @Test func mutedEventsDoNotCountForALimit() {
        let reported = activity(
            [.make(0, .init(issue: "rope"))], .init(kinds: [.velocity: .init(limit: 1)]))
        #expect(
            reported.shown.filter { $0.kind == .velocity }.map(\.brief) == [
                "velocity knot@2.1 0", "velocity knot@2.0 12",
            ])
        #expect(reported.muted.map(\.event.brief) == ["velocity rope@2.0 12"] && reported.hidden.isEmpty)
    }

    @Test(arguments: EventKind.allCases) func keysAreTheNamesOfTheCases(kind: EventKind) {
        #expect(EventKind(key: kind.key) == kind)
        #expect(kind.key.allSatisfy { $0.isLetter })
    }

    @Test(arguments: [
        (EventKind.newIssue, "New Issues"), (.recovery, "Recoveries"), (.topIssues, "Top Issues Summaries"),
    ])
    func severalOfAKindHaveAWord(kind: EventKind, plural: String) {
        #expect(kind.plural == plural)
    }
}
