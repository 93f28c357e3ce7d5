import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Markup
import Testing

@testable import Pages

struct BadgeTests {
    private func badge(_ source: SourceHistory, after seconds: Int = 0) -> BadgeDocument {
        AppPages(.make(source, asOf: reportTime.advanced(bySeconds: seconds)), site: site).badge
    }

    private static func source(_ users: Int, _ crashed: Int, _ failure: Diagnostic? = nil) -> SourceHistory {
        .make(failure: failure, health: [.make(users: users, crashedUsers: crashed)])
    }

    /// Crashes alone, which stand for a rate.
    private static func crashes(_ failure: Diagnostic?) -> SourceHistory {
        .make(
            knows: [.issues, .issueDays], failure: failure, issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: [.make("a", events: 31)])
    }

    @Test(
        arguments: [
            (source(100_000, 400), 0, "▲ 99.600% ±0.041 · Jan 27", "loaded", "1a6643", false),
            (source(100_000, 400), 6 * 3600, "▲ 99.600% ±0.041 · Jan 27", "loaded", "1a6643", false),
            (source(10_000_000, 1), 0, "▲ >99.999% (at least 99.999%) · Jan 27", "loaded", "1a6643", false),
            (source(10_000, 900), 59, "▼▼ 91.00% ±0.58 · Jan 27", "loaded", "a22f1b", false),
            (
                source(20, 0), 90 * 60, "◌ 100% (at least 83.9%) · too few users · Jan 27", "insufficient",
                "9a9fa3", false
            ),
            (
                source(100_000, 400, timeout), 30 * 3600, "? 99.600% ±0.041 · Jan 27, stale", "stale",
                "9a9fa3", true
            ),
            (.make(knows: [.issues]), 0, "? not available", "unavailable", "9a9fa3", false),
            (crashes(nil), 0, "? not available", "unavailable", "9a9fa3", false),
            (crashes(timeout), 30 * 3600, "? not available · Jan 27, stale", "stale", "9a9fa3", true),
        ] as [(SourceHistory, Int, String, String, String, Bool)])
    func eachStateHasItsWords(
        source: SourceHistory, age: Int, message: String, state: String, color: String, isFailure: Bool
    ) {
        let badge = badge(source, after: age)
        #expect(plain(badge.message) == message)
        #expect(badge.badge.state.rawValue == state)
        #expect(badge.color == color && badge.isFailure == isFailure)
        #expect(badge.label.hasPrefix("crash-free "))
    }

    @Test func neverFetchedIsAFailure() {
        var source = SourceHistory(source: .make())
        source.lastAttempt = FetchAttempt(at: reportTime, outcome: .failed(timeout))
        let badge = badge(source)
        #expect(badge.message == "✕ failed, no data yet" && badge.color == "a22f1b" && badge.isFailure)
    }

    @Test func drawingHasBothPalettesAndATitle() {
        let report = AppAnalysis.make(Self.source(100_000, 400), named: "<b>\u{202E}Quay & \"Sons\"")
        let svg = BadgeDocument(report.lastDay, report.stability, report.facts).svg.text
        #expect(svg.contains("prefers-color-scheme:dark"))
        #expect(svg.contains("<title id=\"badge-title\">&lt;b&gt;Quay &amp; &quot;Sons&quot;: Meets target."))
        #expect(!svg.contains("<script") && !svg.contains("\u{202E}") && !svg.contains("<b>"))
        #expect(svg.contains("role=\"img\" aria-labelledby=\"badge-title\""))
    }

    @Test func eachStateHasItsLook() {
        let sources = [
            Self.source(100_000, 400), Self.source(20, 0), Self.source(100_000, 400, timeout),
            .make(knows: [.issues]),
        ]
        let looks = sources.map { source in
            String(
                badge(source).svg.text.matches(of: /<rect class="value[^>]*>/)[0].0.replacing(
                    /\ (?:x|width)="[^"]*"/, with: ""))
        }
        #expect(Set(looks).count == looks.count, "\(looks)")
    }
}

struct FeedChangeTests {
    private func health(_ crashed: [Int]) -> [HealthDay] {
        crashed.enumerated().map { index, count in
            .make(crashed.count - 1 - index, sessions: 20_000, users: 10_000, crashedUsers: count)
        }
    }

    private let calm = (0..<56).map { 50 + $0 % 3 }

    @Test func alertThatIsOverWasUpdatedThen() throws {
        let open = AppAnalysis.make(.make(health: health(calm + [300])))
        let over = AppAnalysis.make(
            .make(health: health(calm + [300, 300] + Array(repeating: 50, count: 9))))
        let first = try #require(open.feed.first { $0.kind == .stability })
        #expect(first.updated == first.at)
        let later = try #require(over.feed.first { $0.kind == .stability })
        #expect(later.at == Instant(startOf: .back(9)))
        // When the three days that ended it were there, as its recovery.
        #expect(later.updated == Instant(startOf: .back(5)))
        let recovery = try #require(over.feed.first { $0.kind == .recovery })
        #expect(recovery.at == Instant(startOf: .back(7)) && recovery.updated == Instant(startOf: .back(5)))
        // The same in any later build.
        let again = AppAnalysis.make(
            .make(health: health(calm + [300, 300] + Array(repeating: 50, count: 9))),
            asOf: reportTime.advanced(bySeconds: 3600))
        #expect(again.feed.map(\.updated) == over.feed.map(\.updated))
    }

    @Test func withdrawnAlertWasUpdatedWhenItWasWrittenDown() throws {
        let entry = LedgerEntry(
            id: "sketchbook/stability/x", app: Slug(anyText: "sketchbook"), rule: "stability", subject: "",
            firstDay: .back(3), lastDay: .back(2), raisedAt: .noon(back: 2), state: .withdrawn,
            sentence: "It fell.",
            reportedSize: nil)
        var history = AppHistory.make(.make(capturedAt: .noon(back: 0), health: health(calm)))
        history.ledger = [entry]
        func withdrawn() throws -> FeedItem {
            try #require(
                AppAnalysis(history, targets: .standard, asOf: reportTime).feed.first {
                    $0.kind == .withdrawn
                })
        }
        #expect(try withdrawn().updated == .noon(back: 0))
        history.ledgerRecordedAt = [entry.id: .noon(back: 1)]
        #expect(try withdrawn().updated == .noon(back: 1))
        #expect(try withdrawn().id == entry.id)
        #expect(try withdrawn().at == Instant(startOf: .back(2)))
    }

    /// A reader keeps what changed last: no state of an alert is older than one before it.
    @Test func alertThatCameBackIsNewerThanItsWithdrawal() throws {
        let entry = LedgerEntry(
            id: "sketchbook/stability/x", app: Slug(anyText: "sketchbook"), rule: "stability", subject: "",
            firstDay: .back(5), lastDay: .back(0), raisedAt: .noon(back: 4), state: .open,
            sentence: "It fell.", reportedSize: nil)
        var history = AppHistory.make(
            .make(health: health(calm + Array(repeating: 300, count: 6))))
        history.ledger = [entry]
        func updated() throws -> Instant {
            let report = AppAnalysis(history, targets: .standard, asOf: reportTime)
            return try #require(report.feed.first { $0.id == entry.id }).updated
        }
        #expect(try updated() == Instant(startOf: .back(4)))
        let change = LedgerChange(at: .noon(back: 2), returned: .noon(back: 2))
        history.ledgerChanges = [entry.id: change]
        #expect(try updated() == .noon(back: 2))
        // Once it is over, that is what changed last.
        history.sources = [
            .make(health: health(calm + Array(repeating: 300, count: 6) + Array(repeating: 50, count: 9)))
        ]
        history.ledger[0].firstDay = .back(14)
        history.ledgerChanges = [entry.id: LedgerChange(at: .noon(back: 10), returned: .noon(back: 10))]
        #expect(try updated() == Instant(startOf: .back(5)))
    }

    /// A recovery that revised data moved to an earlier day was changed by the run that moved it.
    @Test func recoveryThatMovedIsNewerThanBefore() throws {
        var history = AppHistory.make(
            .make(health: health(calm + [300, 300] + Array(repeating: 50, count: 9))))
        func recovery() throws -> FeedItem {
            let report = AppAnalysis(history, targets: .standard, asOf: reportTime)
            return try #require(report.feed.first { $0.kind == .recovery })
        }
        let found = try recovery()
        // It was one of the day after.
        let id = "sketchbook/recovery/\(CivilDate.back(7))"
        #expect(found.at == Instant(startOf: .back(7)))
        history.ledger = [
            LedgerEntry(
                id: id, app: Slug(anyText: "sketchbook"), rule: "recovery", subject: "", firstDay: .back(10),
                lastDay: .back(8), raisedAt: .noon(back: 3), state: .closed, sentence: "Back.",
                reportedSize: nil)
        ]
        history.ledgerChanges = [id: LedgerChange(at: nil, moved: .noon(back: 1))]
        let moved = try recovery()
        #expect(moved.id == id && moved.title == found.title)
        #expect(moved.at == Instant(startOf: .back(6)) && moved.updated == .noon(back: 1))
    }

    /// What can no longer be judged keeps the time at which it was known, and a verdict its release.
    @Test(
        arguments: [
            ("recovery", "", .closed, .noon(back: 46), "Recovery · "),
            ("stability", "", .closed, .noon(back: 46), "Alert · "),
            // Its last three days are settled by then.
            ("usage", "", .closed, Instant(startOf: .back(44)), nil),
            ("release-verdict", "1.2.0 roll back", .closed, nil, "Release Verdict · 1.2.0"),
            ("release-verdict", "1.2.0 roll back", .withdrawn, nil, "Withdrawn Verdict · 1.2.0"),
            ("recovery", "", .withdrawn, nil, "Withdrawn Recovery · "),
            ("crash-count", "", .closed, nil, "Stability Alert on crash counts · "),
            ("velocity", "a", .closed, nil, "Issue Velocity Alert on event counts · "),
        ] as [(String, String, LedgerEntry.State, Instant?, String?)])
    func alertAsItWasRaisedIsNotOlderThanThat(
        rule: String, subject: String, state: LedgerEntry.State, updated: Instant?, title: String?
    ) throws {
        var history = AppHistory.make(.make(health: health(calm)))
        let id = "sketchbook/\(rule)/\(CivilDate.back(50))"
        history.ledger = [
            LedgerEntry(
                id: id, app: Slug(anyText: "sketchbook"), rule: rule, subject: subject, firstDay: .back(52),
                lastDay: .back(50), raisedAt: .noon(back: 46), state: state, sentence: "It was so.",
                reportedSize: nil)
        ]
        let item = try #require(
            AppAnalysis(history, targets: .standard, asOf: reportTime).feed.first { $0.id == id })
        if let updated { #expect(item.updated == updated) }
        if let title { #expect(item.title.contains(title)) }
    }

    /// A quiet day that came after the last one made the recovery known earlier, and changed it when it came.
    @Test func recoveryIsNotOlderThanADayThatCameLate() throws {
        var source = SourceHistory.make(
            health: health(calm + [300, 300] + Array(repeating: 50, count: 9)))
        source.captures.add(.noon(back: 4), days: .back(9) ... .back(5))
        let recovery = try #require(AppAnalysis.make(source).feed.first { $0.kind == .recovery })
        #expect(recovery.updated == Instant(startOf: .back(5)))
        source.captures = FactCaptures()
        source.captures.add(.noon(back: 2), days: .back(7) ... .back(7))
        source.captures.add(.noon(back: 4), days: .back(6) ... .back(5))
        let late = try #require(AppAnalysis.make(source).feed.first { $0.kind == .recovery })
        #expect(late.updated == .noon(back: 2))
    }

    /// Days that are revised later bring an alert together with its recovery.
    @Test(arguments: [(9, 4, Instant(startOf: .back(5))), (2, 2, .noon(back: 2))] as [(Int, Int, Instant)])
    func aRecoveryIsNotKnownBeforeItsAlert(raised: Int, known: Int, changed: Instant) throws {
        var source = SourceHistory.make(
            health: health(calm + [300, 300] + Array(repeating: 50, count: 9)))
        source.captures.add(.noon(back: 4), days: .back(9) ... .back(5))
        var history = AppHistory.make(source)
        func analysis() -> AppAnalysis { AppAnalysis(history, targets: .standard, asOf: reportTime) }
        let event = try #require(analysis().activity.events.first { $0.kind == .recovery })
        guard case .recovery(let recovery) = event else { return }
        func entry(_ rule: String, _ day: CivilDate, raised: Int) -> LedgerEntry {
            LedgerEntry(
                id: "sketchbook/\(rule)/\(day)", app: Slug(anyText: "sketchbook"), rule: rule, subject: "",
                firstDay: day, lastDay: day, raisedAt: .noon(back: raised), state: .closed,
                sentence: "It was so.", reportedSize: nil)
        }
        // What the first run raised says nothing of when it could be known.
        history.ledger = [
            entry("usage", .back(50), raised: 46), entry("stability", recovery.alertDay, raised: raised),
        ]
        let later = analysis()
        let id = recovery.occasion.id
        #expect(later.activity.known[id] == .noon(back: known))
        #expect(later.activity.changed[id] == changed)
    }

    @Test func whatChangedLastComesFirst() {
        let report = AppAnalysis.make(
            .make(health: health(calm + [300, 300] + Array(repeating: 50, count: 9))))
        let updated = report.feed.map(\.updated)
        #expect(updated == updated.sorted(by: >))
    }
}
