import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Every field of a section is in the list of what redaction has decided on: a new one fails until it is. What becomes of
/// counts `RedactedCountsTests` finds out.
struct RedactedFieldsTests {
    /// What becomes of the fields of each section: those that redaction changes, and those that hold no text, name or
    /// link that any audience may not see.
    private static let decided: [String: (redacted: Set<String>, kept: Set<String>)] = [
        "AppAnalysis": (
            [
                "facts", "sources", "stability", "usage", "issues", "releases", "activity", "days",
                "weeks", "aliases",
            ], ["changesAt", "reportedEvents"]
        ),
        "AppFacts": (
            ["audience"],
            [
                "app", "targets", "levels", "basis", "asOf", "lastCompleteDay", "lastDay", "days",
                "listedDays",
                "listedReleases", "freshness", "capturedAt", "issueTotals",
            ]
        ),
        "SourcesSection": (["all", "users", "sessions", "releaseHealth", "issues"], []),
        "RateSource": (["facts"], ["firstDay", "lastDay"]),
        "SourceFacts": (
            ["lastAttempt", "unused", "unmatched"],
            [
                "source", "capturedAt", "isOverdue", "isEnded", "lastDay", "idleSince", "idleFigure",
                "usualDelay",
            ]
        ),
        "StabilitySection": (
            ["devices", "rates", "users", "sessions", "crashSource", "nothing", "causes"],
            [
                "basis", "health", "coverage", "crashes", "countsSessions", "lastDayOfSessions",
                "hasRates", "crashDays",
                "hasTwoSources", "finality", "lateCounts", "verdicts", "silences", "wholeReleaseDays",
                "changes", "expectedCrashes", "openCrashDays",
            ]
        ),
        "UsageSection": (
            ["source", "newUsersSource", "sessionsSource", "nothing", "stickinessByDay"],
            [
                "days", "byDate", "coverage", "newUsersCoverage", "sessionsCoverage", "firstDay",
                "provisional",
                "lastDay", "namedShares", "isOfRates",
            ]
        ),
        "IssuesSection": (
            ["all", "source", "lack", "lackOfDays", "covering", "summaries", "places"],
            [
                "countsDays", "countsReleases", "wholeDays", "partialDays", "windowDays", "window",
                "finality", "isOfShare",
            ]
        ),
        "IssueFacts": (
            ["window", "pageWindow", "issue", "signals", "days", "releaseDays", "events", "muted", "notes"],
            ["rank", "listedEvents", "capturedAt", "states", "marks", "span"]
        ),
        "IssueWindow": (["share", "releases"], ["lastDay", "events", "knownDays", "counts", "trend"]),
        "ReleasesSection": (
            ["all", "pairs", "source", "lack"], ["held", "latestLabel", "sessions", "totals"]
        ),
        "ReleaseFacts": (
            [
                "days", "stage",
                "source", "crashed", "crashedUserDays", "adoption", "evaluation", "topIssues", "newIssues",
                "regressedIssues",
                "issues", "notes",
            ],
            [
                "release", "sessions", "crashedSessions", "targets", "verdict", "life", "issueDays",
                "capturedAt", "issuesCapturedAt", "lastDay", "adoptionDay", "cameOut",
            ]
        ),
        "ReleaseIssue": (["id", "share"], ["events", "isNew"]),
        "PairFacts": (
            ["rates", "onlyLater", "both", "onlyEarlier"],
            ["later", "earlier", "lives", "knowsIssues", "capturedAt"]
        ),
        "PairRate": (["later", "earlier", "source"], ["span", "window", "sampling"]),
        "PairIssue": (["id", "later", "earlier"], ["roles", "isNew", "expected"]),
        "ActivitySection": (
            [
                "activity", "silenced", "ownIDs", "freedVerdicts", "byDay", "mutedByDay", "hiddenByDay",
                "days", "notes",
                "changed",
                "known",
                "byIssue",
                "mutedByIssue", "signals",
            ], ["openAlerts", "openSpan", "mutedAlerts", "muteUses"]
        ),
        "DaySection": (
            [
                "budget",
                "shares", "change", "reported", "health",
                "users", "sessions", "breakdown", "summary", "covering", "groups", "events", "muted", "cut",
                "notes",
            ],
            [
                "date", "zone", "coverage", "crashes", "isCounted", "finality", "lateCounts", "verdict",
                "silence", "hasDayBefore", "quiet", "capturedAt", "lasting", "earlierCapturedAt",
                "isUnknown", "hasUnlistedEvents",
            ]
        ),
        "IssueGroup": (["issues"], ["kind", "count"]), "Entry": (["id"], ["users", "events"]),
    ]

    /// An issue that its source has muted, so that a day has a group.
    private static let issue: AppHealth.Issue = {
        var issue = AppHealth.Issue(id: "a", title: "A", firstSeen: .noon(back: 0))
        issue.state = .muted
        return issue
    }()

    /// Two releases with an issue in both, so that each kind of section is there.
    private static let analysis = AppAnalysis(
        .make(
            .make(
                health: (0..<40).flatMap { back in
                    [
                        HealthDay.make(back, sessions: 9000, crashed: 20, users: 900, crashedUsers: 9),
                        .make(back, of: back < 9 ? "1.1" : "1.0", sessions: 9000, crashed: 20),
                    ]
                },
                releases: ["1.1", "1.0"].map {
                    Release(version: Version($0), releasedAt: .noon(back: $0 == "1.1" ? 9 : 30))
                },
                issues: [issue],
                issueDays: [.make("a"), .make("a", of: "1.1", events: 9), .make("a", 20, of: "1.0")])),
        targets: .standard, asOf: reportTime)

    @Test func everyFieldOfASectionIsDecidedOn() {
        var seen: Set<String> = []
        visit(Self.analysis, &seen)
        #expect(seen == Set(Self.decided.keys))
    }

    private func visit(_ value: Any, _ seen: inout Set<String>) {
        let mirror = Mirror(reflecting: value)
        let name = "\(type(of: value))"
        if let fields = Self.decided[name] {
            let labels = Set(mirror.children.compactMap(\.label))
            #expect(labels == fields.redacted.union(fields.kept), "\(name)")
            #expect(fields.redacted.isDisjoint(with: fields.kept), "\(name)")
            seen.insert(name)
            for child in mirror.children { visit(child.value, &seen) }
        } else if [.collection, .dictionary, .optional, .set, .tuple].contains(
            mirror.displayStyle)
        {
            for child in mirror.children { visit(child.value, &seen) }
        }
    }
}
