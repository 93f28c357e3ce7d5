import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Alerts of which only the ledger knows: what becomes of them is what became of them while they were found.
struct KeptAlertTests {
    /// An alert that the ledger keeps, withdrawn or no longer judged, a mute and settings, and what becomes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rule = IssueVelocityRule.id
        var subject = "knot@2.0"
        var state = LedgerEntry.State.withdrawn
        var size: Double? = 0.5
        var users: Int? = 120
        var depth: Double?
        var mute: Mute.Subject?
        var until = Mute.End()
        var kinds: [EventKind: AlertSettings.OfKind] = [:]
        let becomes: String

        /// Alerts of before the first weeks of data cannot be judged.
        var day: CivilDate { .back(state == .withdrawn ? 8 : 55) }
    }

    @Test(arguments: [
        Row(testDescription: "withdrawn", becomes: "shown"),
        Row(testDescription: "of a muted issue", mute: .init(issue: "knot"), becomes: "muted"),
        Row(testDescription: "of another issue", mute: .init(issue: "rope"), becomes: "shown"),
        Row(testDescription: "of a muted version", mute: .init(version: "2.0"), becomes: "muted"),
        Row(testDescription: "of another version", mute: .init(version: "2.1"), becomes: "shown"),
        Row(testDescription: "of a muted source", mute: .init(source: "files"), becomes: "muted"),
        Row(testDescription: "of a muted kind", mute: .init(kind: .velocity), becomes: "muted"),
        Row(testDescription: "withdrawn alerts muted", mute: .init(kind: .withdrawn), becomes: "muted"),
        Row(testDescription: "of another kind", mute: .init(kind: .usage), becomes: "shown"),
        Row(
            testDescription: "below the level of its mute", mute: .init(issue: "knot"),
            until: .init(level: AlertLevel(users: 200)), becomes: "muted"),
        Row(
            testDescription: "at the level of its mute", mute: .init(issue: "knot"),
            until: .init(level: AlertLevel(users: 120)), becomes: "shown"),
        Row(
            testDescription: "after its mute", mute: .init(issue: "knot"), until: .init(date: .back(9)),
            becomes: "shown"),
        Row(
            testDescription: "below a least number of users",
            kinds: [.velocity: .init(least: AlertLevel(users: 200))],
            becomes: "1 Withdrawn Alert hidden (below 200 users a day)"),
        Row(
            testDescription: "of unknown users", users: nil,
            kinds: [.velocity: .init(least: AlertLevel(users: 200))], becomes: "shown"),
        Row(
            testDescription: "a usage anomaly below its level", rule: UsageAnomalyRule.id, subject: "",
            kinds: [.usage: .init(least: AlertLevel(share: 60))],
            becomes: "1 Withdrawn Alert hidden (below a difference of 60% from the expected level)"),
        Row(
            testDescription: "a usage anomaly at its level", rule: UsageAnomalyRule.id, subject: "",
            kinds: [.usage: .init(least: AlertLevel(share: 50))], becomes: "shown"),
        Row(
            testDescription: "a muted usage anomaly", rule: UsageAnomalyRule.id, subject: "",
            mute: .init(kind: .usage), becomes: "muted"),
        Row(
            testDescription: "a drop below its level", rule: StabilityRule.id, subject: "", size: 0.02,
            kinds: [.stability: .init(least: AlertLevel(points: 3))],
            becomes: "1 Withdrawn Alert hidden (below a drop of 3\u{a0}pp)"),
        Row(
            testDescription: "a drop that followed another", rule: StabilityRule.id, subject: "", size: 0.02,
            depth: 0.05, kinds: [.stability: .init(least: AlertLevel(points: 3))], becomes: "shown"),
        Row(
            testDescription: "a verdict on a muted version", rule: ReleaseVerdictRule.id,
            subject: "2.0 roll back", mute: .init(version: "2.0"), becomes: "muted"),
        Row(testDescription: "as raised", state: .closed, becomes: "shown"),
        Row(
            testDescription: "as raised, below a least number of users", state: .closed,
            kinds: [.velocity: .init(least: AlertLevel(users: 200))],
            becomes: "1 Issue Velocity Alert hidden (below 200 users a day)"),
        Row(
            testDescription: "as raised, of an issue that no source has any more", subject: "gone@2.0",
            state: .closed, mute: .init(issue: "gone"), becomes: "muted"),
        Row(
            testDescription: "as raised, up to a level", state: .closed, mute: .init(kind: .velocity),
            until: .init(level: AlertLevel(users: 200)), becomes: "muted"),
    ])
    func whatIsKeptOfAnAlertIsMutedAndHiddenAsTheAlertWas(row: Row) throws {
        let index = HistoryIndex(.make(long), asOf: reportTime)
        let entry = LedgerEntry(
            id: "sketchbook/kept", app: index.app.id, rule: row.rule, subject: row.subject,
            firstDay: row.day, lastDay: row.day, raisedAt: reportTime, state: row.state, sentence: "Then.",
            reportedSize: row.size, reportedUsers: row.users, reportedDepth: row.depth)
        let all = events(in: index, ledger: [entry])
        #expect(all.contains { $0.occasion.id == entry.id })
        let mutes = row.mute.map { [Mute.make(0, $0, until: row.until)] } ?? []
        let activity = Activity(
            of: all, in: index,
            under: AlertControl(mutes: mutes, settings: [index.app.id: AlertSettings(kinds: row.kinds)]))
        let became =
            activity.shown.contains { $0.occasion.id == entry.id }
            ? "shown" : activity.muted.contains { $0.event.occasion.id == entry.id } ? "muted" : nil
        let hidden = activity.hidden.filter { $0.day == row.day }.map(\.sentence)
        #expect((became.map { [$0] } ?? hidden) == [row.becomes])
    }
}
