import AppHealth
import Foundation
import Testing

@testable import Providers

/// Stored issues that a list of a warehouse lacks: a whole list says that they had no event in its time.
struct WarehouseEndedIssuesTests {
    /// The issues of a snapshot as `id events users`, where these are listed with 5 events of 3 users each.
    private func issues(_ listed: [String], atMost most: Int = 200, stored: KnownIssues) -> [String] {
        let table = answer(
            .issues, [("issue", .text), ("title", .text), ("events", .count), ("users", .count)],
            listed.map { [.text($0), .text("It broke"), .integer(5), .integer(3)] })
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.issues])
        let snapshot = WarehouseMapping(
            [.issues: table], of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(
                at: runTime, zone: .gmt, revised: 14, history: 90, last: CivilDate("2026-11-18")),
            begin: nil, mostIssues: most,
            texts: [.issues: QueryFile(text: "", shown: "", deviation: 0, readsCrashTable: false)],
            areReleasesOfMonth: false
        ) { stored }.snapshot
        return snapshot.issues.map { "\($0.id) \($0.events ?? -1) \($0.users ?? -1)" }
    }

    private func stored(_ id: String, events: Int?, users: Int?, on day: String = "2026-11-10") -> KnownIssues
    {
        KnownIssues(
            issues: [Issue(id: id, title: "Old", events: events, users: users)],
            days: CivilDate(day).map { [IssueDay(issue: id, date: $0, events: 4, users: 4)] } ?? [])
    }

    @Test func aWholeListLeavesNoOldCount() {
        let old = stored("old", events: 112, users: 99)
        #expect(issues(["new"], stored: old) == ["new 5 3", "old 0 0"])
        #expect(issues(["new", "old"], stored: old) == ["new 5 3", "old 5 3"])
        // Users that are unknown stay so.
        #expect(issues(["new"], stored: stored("old", events: 112, users: nil)) == ["new 5 3", "old 0 -1"])
    }

    @Test func whatIsKnownToHaveEndedIsNotStatedAgain() {
        #expect(issues(["new"], stored: stored("old", events: 0, users: 0)) == ["new 5 3"])
    }

    @Test func aListThatIsCutOffSaysNothingOfOthers() {
        #expect(issues(["new"], atMost: 1, stored: stored("old", events: 112, users: 99)) == ["new 5 3"])
    }

    /// A list that lost every issue is no answer, unless none had an event in its time.
    @Test func anEmptyListIsNoAnswerWhereIssuesHadEvents() {
        #expect(issues([], stored: stored("old", events: 112, users: 99)).isEmpty)
        let early = stored("old", events: 112, users: 99, on: "2026-09-01")
        #expect(issues([], stored: early) == ["old 0 0"])
    }
}
