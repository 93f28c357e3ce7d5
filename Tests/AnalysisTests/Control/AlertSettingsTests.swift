import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct AlertSettingsTests {
    @Test func nothingSaidTellsEverything() {
        let told = activity(of: long)
        #expect(told.muted.isEmpty && told.leftOut.isEmpty && told.uses.isEmpty)
        #expect(
            Set(told.shown.map(\.kind)) == [
                .sourceTrouble, .topIssues, .recovery, .velocity, .stability, .newIssue,
            ])
    }

    /// Settings with the kinds that are told and what is said of the rest.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let settings: AlertSettings
        let velocity: [String]
        let leftOut: [String]
    }

    @Test(arguments: [
        Row(
            testDescription: "a kind turned off", settings: .init(kinds: [.velocity: .init(isOn: false)]),
            velocity: [],
            leftOut: [
                "1 Issue Velocity Alert hidden (turned off)",
                "2 Issue Velocity Alerts hidden (turned off)",
            ]
        ),
        Row(
            testDescription: "a limit of a day lets the gravest stand",
            settings: .init(kinds: [.velocity: .init(limit: 1)]),
            velocity: ["velocity knot@2.1 0", "velocity rope@2.0 12"],
            leftOut: ["1 more Issue Velocity Alert hidden (limit 1 a day)"]),
        Row(
            testDescription: "a least share",
            settings: .init(kinds: [.velocity: .init(least: .init(share: 3))]),
            velocity: ["velocity knot@2.1 0", "velocity rope@2.0 12"],
            leftOut: ["1 Issue Velocity Alert hidden (below 3% of sessions)"]),
        Row(
            testDescription: "every least figure must be reached",
            settings: .init(kinds: [.velocity: .init(least: .init(users: 151, share: 3))]),
            velocity: ["velocity knot@2.1 0"],
            leftOut: [
                "2 Issue Velocity Alerts hidden (below 151 users a day or 3% of sessions)"
            ]),
        Row(
            testDescription: "only alerts, and what is turned on",
            settings: .init(
                show: .alerts, kinds: [.recovery: .init(isOn: true), .topIssues: .init(isOn: nil)]),
            velocity: ["velocity knot@2.1 0", "velocity knot@2.0 12", "velocity rope@2.0 12"],
            leftOut: Array(repeating: "1 Top Issues Summary hidden (turned off)", count: 13)),
    ])
    func settingsLeaveOut(row: Row) {
        let told = activity([], row.settings)
        #expect(told.shown.filter { $0.kind == .velocity }.map(\.brief) == row.velocity)
        #expect(told.leftOut.map(\.sentence) == row.leftOut)
        #expect(told.shown.count + told.leftOut.reduce(0) { $0 + $1.count } == activity().shown.count)
    }

    @Test func aFallBelowTheLeastTakesItsRecoveryAlong() {
        let told = activity([], .init(kinds: [.stability: .init(least: .init(points: 3))]), of: long)
        #expect(!told.shown.contains { $0.kind == .stability || $0.kind == .recovery })
        #expect(told.leftOut.map(\.kind) == [.recovery, .stability])
    }

    @Test func mutedEventsDoNotCountForALimit() {
        let told = activity(
            [.make(0, .init(issue: "rope"))], .init(kinds: [.velocity: .init(limit: 1)]))
        #expect(
            told.shown.filter { $0.kind == .velocity }.map(\.brief) == [
                "velocity knot@2.1 0", "velocity knot@2.0 12",
            ])
        #expect(told.muted.map(\.event.brief) == ["velocity rope@2.0 12"] && told.leftOut.isEmpty)
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
