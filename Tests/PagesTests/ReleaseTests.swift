import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct ReleaseTests {
    private static let releases = [
        Release(version: Version("1.1", build: "20"), releasedAt: .noon(back: 2)),
        Release(version: Version("1.1", build: "19"), releasedAt: .noon(back: 3)),
        Release(version: Version("1.0"), releasedAt: nil), Release(version: Version("0.9"), releasedAt: nil),
    ]

    private static let daily = SourceHistory.make(
        health: [
            .make(1, sessions: 5000), .make(1, of: "1.0", sessions: 4000, crashed: 4),
            .make(1, of: "1.1", sessions: 1000, crashed: 1), .make(0, sessions: 5000),
            .make(0, of: "0.9", sessions: 0, crashed: 0), .make(0, of: "1.1", sessions: 4000, crashed: 1),
        ], releases: releases)

    @Test func sessionsOfAReleaseAreAddedUpOverItsLife() {
        let page = AppPages(.make(Self.daily), site: site).releases
        #expect(page.releases.map(\.version) == ["1.1 (20)", "1.0", "0.9"])
        #expect(page.releases.map(\.sessions) == ["5,000", "4,000", "0"])
        #expect(page.releases.map(\.released) == ["2016-01-24", "–", "–"])
        #expect(page.releases.map { plain($0.crashFree.value) } == ["99.96%", "99.90%", "no sessions"])
        #expect(page.releases.map { plain($0.adoption) } == ["80.0%", "0%", "0%"])
        #expect(page.releases.map(\.verdict.name) == ["meets", "meets", "unknown"])
        #expect(page.sentence == "3 releases, latest 1.1 (20).")
    }

    /// A release: when it was released, from which day on it is used, and with how many sessions a day.
    struct Shipped: CustomTestStringConvertible {
        let label: String
        var released: Int?
        var used: Int?
        var sessions = 9000

        var testDescription: String { label }
    }

    /// The newest release is the one that came out last, whatever its number; where that is not known, the number counts.
    @Test(
        arguments: [
            // The hotfix of an old line came out last.
            (
                [
                    Shipped(label: "4.1.0", released: 20), Shipped(label: "4.0.1", released: 5),
                    Shipped(label: "4.0", released: 40),
                ], ["4.0.1", "4.1.0", "4.0"]
            ),
            // Two lines on one day.
            (
                [
                    Shipped(label: "4.1.0", released: 5), Shipped(label: "4.0.1", released: 5),
                    Shipped(label: "4.0", released: 40),
                ], ["4.1.0", "4.0.1", "4.0"]
            ),
            // By their first days in use; two of them were in use before.
            (
                [
                    Shipped(label: "4.1.0", used: 60), Shipped(label: "4.0.1", used: 5),
                    Shipped(label: "4.0", used: 60),
                ], ["4.0.1", "4.1.0", "4.0"]
            ),
            // The one way and the other.
            (
                [
                    Shipped(label: "4.1.0", released: 20), Shipped(label: "4.0.1", used: 5),
                    Shipped(label: "4.0", used: 60),
                ], ["4.0.1", "4.1.0", "4.0"]
            ),
            (
                [Shipped(label: "4.1.0"), Shipped(label: "4.0.1"), Shipped(label: "4.0")],
                ["4.1.0", "4.0.1", "4.0"]
            ),
            // An old release that somebody opens again is not new, and one that comes out slowly is.
            (
                [
                    Shipped(label: "4.2", used: 2, sessions: 30), Shipped(label: "4.1.0", used: 20),
                    Shipped(label: "4.0", used: 60), Shipped(label: "2.1", used: 3, sessions: 30),
                ], ["4.2", "4.1.0", "4.0", "2.1"]
            ),
            // Of 4.1.0 nothing is known: it is between its neighbors.
            (
                [
                    Shipped(label: "4.2", released: 20), Shipped(label: "4.1.0"),
                    Shipped(label: "4.0.1", released: 5), Shipped(label: "4.0", released: 40),
                ], ["4.0.1", "4.2", "4.1.0", "4.0"]
            ),
        ])
    func theNewestReleaseIsTheOneThatCameLast(releases: [Shipped], order: [String]) throws {
        var health = (0...60).map { HealthDay.make($0, sessions: 90_000, crashed: 90) }
        for release in releases {
            guard let used = release.used ?? release.released else { continue }
            health += (0...used).map { .make($0, of: release.label, sessions: release.sessions, crashed: 0) }
        }
        let source = SourceHistory.make(
            health: health,
            releases: releases.map {
                Release(version: Version($0.label), releasedAt: $0.released.map { .noon(back: $0) })
            })
        let report = AppAnalysis.make(source)
        let page = AppPages(report, site: site).releases
        #expect(page.releases.map(\.version) == order)
        #expect(page.sentence == "\(order.count) releases, latest \(order[0]).")
        let home = PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site)
        #expect(home.apps.map(\.release) == [order[0]])
        #expect(
            VerdictDocument(report.releases.all.first, of: report.releases, report.activity, report.facts)
                .release == order[0])
        // Each is compared with the one that is before it in the list.
        let pairs = report.releases.pairs.map { "\($0.earlier.version)...\($0.later.version)" }
        let counted = order.filter { label in
            releases.contains { $0.label == label && ($0.used ?? $0.released) != nil }
        }
        #expect(zip(counted.dropFirst(), counted).allSatisfy { pairs.contains("\($0)...\($1)") }, "\(pairs)")
    }

    @Test func releaseWithoutSessionsHasNoRate() throws {
        let report = AppAnalysis.make(Self.daily)
        let page = AppPages(report, site: site).release(try #require(report.releases["0.9"]))
        #expect(page.verdict.why == "No rate: no sessions of 0.9.")
        #expect(page.tiles.map(\.value) == ["no sessions", "0%", "–"])
        #expect(page.tiles.map(\.state) == [.unavailable, .loaded, .unavailable])
    }

    @Test func totalsOfTheSourceServeWhereThereAreNoDays() throws {
        let lives = [(800, 4, 300), (0, 0, 0)].map {
            ReleaseTotals(sessions: $0, crashedSessions: $1, sessionsLastDay: $2)
        }
        let releases = zip(["1.1", "1.0"], lives).map {
            Release(version: Version($0), releasedAt: nil, lifetime: $1)
        }
        let source = SourceHistory.make(
            "bugsnag", knows: [.sessions, .releases, .issues], health: [.make(sessions: 999, crashed: 5)],
            releases: releases + [Release(version: Version("0.9"), releasedAt: nil)])
        let page = AppPages(.make(source), site: site).releases
        #expect(page.releases.map(\.sessions) == ["800", "0", "–"])
        #expect(page.releases.map { plain($0.crashFree.value) } == ["99.50%", "no sessions", "–"])
        #expect(page.releases.map { plain($0.adoption) } == ["100%", "0%", "–"])
        #expect(
            page.releases.map { plain($0.crashFree.stateNote) } == [
                "Low precision: about 120 more sessions needed for ±0.5 pp",
                "Not available: no sessions of 1.0",
                "Not available: 'bugsnag' doesn't provide this by release",
            ])
        let report = AppAnalysis.make(source)
        let first = AppPages(report, site: site).release(try #require(report.releases["1.1"]))
        #expect(first.stability == nil)
        #expect(first.issuesUnavailable == "The source doesn't report issues by release.")
    }

    @Test func adoptionThatIsMissingIsNotZero() {
        // The last day has no figures of any release yet.
        var late = Self.daily
        late.health.removeAll { $0.version != nil && $0.date == lastDay }
        #expect(AppPages(.make(late), site: site).releases.releases.map(\.adoption) == ["–", "–", "–"])
        // The source of the sessions is not the one that knows releases by day.
        let sessions = SourceHistory.make("a", knows: [.users, .sessions], health: [.make(sessions: 10)])
        let releases = SourceHistory.make("b", knows: [.releaseHealth, .releases], releases: Self.releases)
        #expect(
            AppPages(.make(sessions, releases), site: site).releases.releases.map(\.adoption) == [
                "–", "–", "–",
            ])
    }

    @Test func impossibleCountsGiveNoRate() {
        let source = SourceHistory.make(
            health: [
                .make(of: "1.0", sessions: 5, crashed: 6), .make(of: "1.1", sessions: .max, crashed: 1),
                .make(1, of: "1.1", sessions: .max, crashed: 1),
            ],
            releases: Self.releases)
        #expect(
            AppPages(.make(source), site: site).releases.releases.map(\.crashFree.value) == ["–", "–", "–"])
    }

    @Test func issuesOfAReleaseAreThoseSeenInIt() throws {
        var source = Self.daily
        source.issues = ["a", "b", "c"].map {
            Issue(id: $0, title: $0, firstVersion: Version($0 == "a" ? "1.0" : "1.1"), users: 12)
        }
        source.issueDays = [
            .make("a", 1, of: "1.0", events: 900, users: nil),
            .make("a", 1, of: "1.1", events: 10, users: nil),
            .make("a", 0, of: "1.1", events: 15, users: nil),
            .make("b", 0, of: "1.1", events: 40, users: nil),
            .make("b", 0, events: 99),
        ]
        let report = AppAnalysis.make(source)
        let page = AppPages(report, site: site).release(try #require(report.releases["1.1"]))
        #expect(page.topIssues.map(\.title) == ["b", "a"])
        #expect(page.topIssues.map(\.events) == ["40", "25"])
        #expect(
            page.topIssues.map { plain($0.share) } == [
                "0.80% of sessions of 1.1", "0.50% of sessions of 1.1",
            ])
        #expect(page.newIssues.map(\.title) == ["b", "c"])
        #expect(page.newIssues.map(\.events) == ["40", "–"])
        // What is not known of an issue in the release is no share of it, and its users may be those of others.
        #expect(page.newIssues.map { plain($0.share) } == ["0.80% of sessions of 1.1", nil])
        #expect(page.newIssues.map(\.users) == ["12", "–"], "\(page.newIssues.map(\.users))")
        #expect(page.issuesUnavailable == nil && page.stability != nil)
    }

    /// The release that an issue was first seen in, of a source that counts no events by release: what is new in 1.1 is
    /// known of it all the same.
    @Test(arguments: ["1.1", "1.0", nil])
    func newIssuesAreKnownWithoutEventsByRelease(first: String?) throws {
        let isNew = first == "1.1"
        let source = SourceHistory.make(
            knows: [.issues, .issueDays, .releases],
            releases: [("1.1", 3), ("1.0", 30)].map {
                Release(version: Version($0.0), releasedAt: .noon(back: $0.1))
            },
            issues: [Issue(id: "a", title: "A", firstVersion: first.map { Version($0) }, users: 35)],
            issueDays: [.make("a", events: 5)])
        let report = AppAnalysis.make(source)
        let pages = AppPages(report, site: site)
        let release = try #require(report.releases["1.1"])
        let (page, summary) = (pages.release(release), pages.summary(of: release))
        let issues = first == nil ? "The source doesn't report issues by release." : nil
        let events = first == nil ? nil : "The source doesn't report events by release."
        #expect(page.newIssues.map(\.title) == (isNew ? ["A"] : []))
        #expect(page.issuesUnavailable == issues && page.topIssuesUnavailable == events)
        #expect(page.copyBlock.last == issues ?? "Issues: \(isNew ? 1 : 0) new, 0 regressed.")
        #expect(summary.sentences.contains { $0 == issues ?? events }, "\(summary.sentences)")
        #expect(summary.folded.map(\.title) == (isNew ? ["New in 1.1"] : []))
        // That there are no rates is why it is not compared, too.
        #expect(
            page.agesSpan == nil
                && page.agesAbsence == "Crash-free rates not available: 'files' doesn't provide them.")
    }

    /// Issues of 1.0, whose first day is not known, of a source that does not say when they were first seen, or in which
    /// version: how many of them, and what page, notes, summary and data say.
    @Test(
        arguments: [
            ([], 0, "Issues: 0 new, 0 regressed.", nil),
            (
                ["a", "b"], 0, "Issues: 0 regressed. It is unknown whether 2 of 2 issues are new.",
                "It is unknown whether 2 of 2 issues are new."
            ),
            (
                ["a"], 1, "Issues: at least 1 new, 0 regressed. It is unknown whether 1 of 2 issues are new.",
                "It is unknown whether 1 of 2 issues are new."
            ),
        ] as [([String], Int, String, String?)])
    func issuesOfUnknownAgeAreNotZero(ids: [String], new: Int, notes: String, doubt: String?) throws {
        let known = new > 0 ? [Issue(id: "known", title: "Known", firstVersion: Version("1.0"))] : []
        let issues = ids.map { Issue(id: $0, title: $0) } + known
        let source = SourceHistory.make(
            health: (0..<3).flatMap { back in
                [.make(back, sessions: 5000), .make(back, of: "1.0", sessions: 5000)]
            },
            releases: [Release(version: Version("1.0"), releasedAt: nil)], issues: issues,
            issueDays: [.make("none", 1, of: "1.0", events: 1)]
                + issues.map { .make($0.id, 2, of: "1.0", events: 3) })
        let report = AppAnalysis.make(source)
        let pages = AppPages(report, site: site)
        let release = try #require(report.releases["1.0"])
        let page = pages.release(release)
        #expect(page.copyBlock.last == notes && page.issuesPartial == doubt && page.newIssues.count == new)
        let rows = release.issues.map(\.isNew)
        #expect(rows.count { $0 == nil } == ids.count && rows.count { $0 == true } == new)
    }

    /// What the source knows, the days back of which issues of 1.1 are known, and what its page, its notes and its summary
    /// say instead of zeros.
    @Test(
        arguments: [
            (
                Set<Capability>.all.subtracting([.issues, .issueDays]), [],
                "Issues not available: 'files' doesn't provide them.", nil
            ),
            (.all, [], "Issues of 1.1 are known for 0 of 3 days.", nil),
            (.all, [1], nil, "Issues of 1.1 are known for 1 of 3 days."),
            (.all, [0, 1, 2], nil, nil),
        ] as [(Set<Capability>, [Int], String?, String?)])
    func unknownIssuesOfAReleaseAreNotZero(
        knows: Set<Capability>, known: [Int], unavailable: String?, partial: String?
    ) throws {
        var source = SourceHistory.make(
            knows: knows,
            health: (0..<9).flatMap { back in
                [.make(back, sessions: 5000), .make(back, of: back < 3 ? "1.1" : "1.0", sessions: 5000)]
            },
            releases: [Release(version: Version("1.1", build: "20"), releasedAt: .noon(back: 2))])
        if !knows.isDisjoint(with: [.issues]) {
            source.issues = [Issue(id: "a", title: "A")]
            source.issueDays = [.make("a", 8, of: "1.0", events: 9)]
        }
        source.coverage = CoverageHistory(
            ((3..<9) + known).flatMap { back in
                CoveredFact.allCases.map { CoverageSpan($0, .back(back)...(.back(back))) }
            })
        let report = AppAnalysis.make(source)
        let pages = AppPages(report, site: site)
        let release = try #require(report.releases["1.1"])
        let page = pages.release(release)
        #expect(page.issuesUnavailable == unavailable && page.issuesPartial == partial)
        let counts = "Issues: 0 new, 0 regressed."
        let shown = unavailable ?? [counts, partial].compactMap(\.self).joined(separator: " ")
        #expect(page.copyBlock.last == shown)
        let summary = pages.summary(of: release)
        #expect(summary.sentences.contains { $0 == unavailable ?? partial } == (known.count < 3))
    }
}
