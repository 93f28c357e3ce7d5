import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct RegressionTests {
    /// An issue that is known to be fixed for 20 days.
    private func seen(
        _ label: String, fixedIn: Version?, builds: [Version], events: Int? = 3, from back: Int = 0
    ) -> SourceHistory {
        let place = CodePlace(file: "Sources/Atomic.swift", line: 54)
        var source = SourceHistory.make(
            releases: builds.map { Release(version: $0, releasedAt: nil) },
            issues: [Issue(id: "a", title: "A", state: .closed, place: place, fixedIn: fixedIn)],
            issueDays: (0...back).reversed().map { .make("a", $0, of: label, events: events) })
        source.issueStates["a"] = [
            IssueStateChange(capturedAt: .noon(back: 20), state: .closed, fixedIn: fixedIn)
        ]
        return source
    }

    @Test(
        arguments: [
            ("4.3.0", Version("4.2.2"), [], true), ("4.2.2", Version("4.2.2"), [], true),
            ("4.2.1", Version("4.2.2"), [], false), ("4.2.2-beta.1", Version("4.2.2"), [], false),
            ("4.10.0", Version("4.9.0"), [], true), ("4.3.0", nil, [], false),
            // The same version in other words.
            ("4.2", Version("4.2.0"), [], true), ("4.2.0", Version("4.2"), [], true),
            ("4.2.0", Version("v4.2.0"), [], true), ("v4.2.0", Version("4.2.0"), [], true),
            // With the build behind it, a pre-release, and labels that are no number or of another line.
            ("4.2.9 (390)", Version("4.2.10 (400)"), [], false),
            ("4.2.11 (410)", Version("4.2.10 (400)"), [], true),
            ("4.2.10rc1", Version("4.2.10"), [], false), ("unknown", Version("4.3.0"), [], false),
            ("nightly-20261001", Version("4.3.0"), [], false), ("ios-4.1.0", Version("4.2.10"), [], false),
            ("ios-4.3.0", Version("ios-4.2.10"), [], true), ("4.3.0", Version("9f3c2a1"), [], false),
            // The build breaks a tie.
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "376")], true),
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "377")], true),
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "370")], false),
            ("4.2.2", Version("4.2.2", build: "376"), [], false),
            ("4.2.2", Version("4.2.2"), [Version("4.2.2", build: "370")], true),
            // Of builds of one label any may have had the events, in either order.
            (
                "4.2.2", Version("4.2.2", build: "376"), ["370", "380"].map { Version("4.2.2", build: $0) },
                false
            ),
            (
                "4.2.2", Version("4.2.2", build: "376"), ["380", "370"].map { Version("4.2.2", build: $0) },
                false
            ),
            (
                "4.2.2", Version("4.2.2", build: "376"), ["376", "380"].map { Version("4.2.2", build: $0) },
                true
            ),
            (
                "4.3.0", Version("4.2.2", build: "376"), ["2", "380"].map { Version("4.3.0", build: $0) },
                true
            ),
            ("4.2.2", Version("4.2.2"), ["370", "380"].map { Version("4.2.2", build: $0) }, true),
        ] as [(String, Version?, [Version], Bool)])
    func versionAtOrAboveTheFixBringsItBack(label: String, fixedIn: Version?, builds: [Version], fires: Bool)
    {
        let events = found(by: RegressedIssueRule(), in: seen(label, fixedIn: fixedIn, builds: builds))
        #expect(events.isEmpty != fires)
    }

    /// A source without events by version, as Bugsink: which version was the last one in each snapshot, and the day on which
    /// the issue was back.
    @Test(
        arguments: [
            ([(20, "1.0.0"), (4, "1.1.0")], [5]), ([(20, "1.0.0"), (4, "1.2.0"), (2, "1.3.0")], [5, 3]),
            // Before the fix was known, in the version before it, and in what the first snapshot says.
            ([(20, "1.0.0"), (12, "1.1.0")], []), ([(20, "0.9.0"), (4, "1.0.0")], []), ([(4, "1.1.0")], []),
        ] as [([(Int, String)], [Int])])
    func aLaterLastVersionBringsItBack(last: [(Int, String)], expected: [Int]) {
        var source = SourceHistory.make(issues: [Issue(id: "a", title: "A", state: .open)])
        source.issueStates["a"] = [
            IssueStateChange(capturedAt: .noon(back: 20), state: .open, fixedIn: nil),
            IssueStateChange(capturedAt: .noon(back: 10), state: .closed, fixedIn: Version("1.1.0")),
        ]
        source.issueVersions["a"] = last.map {
            IssueVersionChange(capturedAt: .noon(back: $0.0), version: Version($0.1))
        }
        let days = found(by: RegressedIssueRule(), in: source).map { $0.occasion.day.days(to: lastDay) }
        #expect(days.sorted(by: >) == expected)
    }

    /// Builds of 1.1.0 that became the last version of an issue that is fixed in its build 312, so many days back, the days
    /// of the version that have events, and where the issue is back: with a build where that is known.
    @Test(
        arguments: [
            ([(20, "310"), (4, "311")], [], []), ([(20, "310"), (4, "312")], [], ["1.1.0 (312)"]),
            ([(20, "310"), (4, "313")], [3, 2], ["1.1.0 (313)"]), ([(20, "310")], [3, 2], []),
            ([(20, ""), (4, "")], [], []), ([(4, "312")], [3, 2], []),
        ] as [([(Int, String)], [Int], [String])])
    func theBuildThatIsKnownDecides(last: [(Int, String)], days: [Int], expected: [String]) {
        let fix = Version("1.1.0", build: "312")
        var source = SourceHistory.make(
            releases: ["310", "311", "312", "313"].map {
                Release(version: Version("1.1.0", build: $0), releasedAt: nil)
            },
            issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: days.map { .make("a", $0, of: "1.1.0", events: 3) })
        source.issueStates["a"] = [
            IssueStateChange(capturedAt: .noon(back: 20), state: .open, fixedIn: nil),
            IssueStateChange(capturedAt: .noon(back: 10), state: .closed, fixedIn: fix),
        ]
        source.issueVersions["a"] = last.enumerated().map { place, one in
            IssueVersionChange(
                capturedAt: .noon(back: one.0),
                version: Version(place == 0 && last.count > 1 ? "1.0.0" : "1.1.0", build: one.1))
        }
        let seen = found(by: RegressedIssueRule(), in: source).compactMap { event in
            if case .regressed(let regressed) = event { "\(regressed.seenIn)" } else { nil }
        }
        #expect(seen == expected)
    }

    /// What snapshots said at noon so many days back, and in which version.
    typealias Said = (back: Int, state: Issue.State, fixedIn: String?)

    /// Events in a version on some days, and the days on which they are a regression.
    @Test(
        arguments: [
            // Before it was closed, on that day, and after it; the same version, and a later one.
            ([(10, .open, nil), (5, .closed, "5.0")], "5.0", [8, 7, 6], []),
            ([(10, .open, nil), (5, .closed, "5.0")], "5.0", [5], []),
            ([(10, .open, nil), (5, .closed, "5.0")], "5.0", [8, 7, 6, 2, 1], [2]),
            ([(10, .open, nil), (5, .closed, "5.0")], "5.1", [8, 7, 6], []),
            ([(10, .open, nil), (5, .closed, "5.0")], "5.1", [8, 4, 3], [4]),
            // The first snapshot says that it is fixed: since when is not known.
            ([(5, .closed, "5.0")], "5.0", [8, 7], []), ([(5, .closed, "5.0")], "5.0", [8, 4], [4]),
            ([(5, .closed, "5.0")], "5.1", [8, 4], [8]), ([(5, .closed, "5.0")], "4.9", [8, 4], []),
            // Still closed, or opened again, with the fix that it had.
            ([(10, .open, nil), (5, .closed, "5.0"), (2, .open, "5.0")], "5.0", [7, 3, 2, 1], [3]),
            // The source takes the fix back once it sees the issue, or a person does before that.
            ([(10, .open, nil), (8, .closed, "5.0"), (5, .open, nil)], "5.0", [6, 5, 4, 3], [6]),
            ([(10, .open, nil), (8, .closed, "5.0"), (5, .open, nil)], "5.0", [4, 3], []),
            // Fixed twice in words, and in two versions.
            (
                [(10, .open, nil), (8, .closed, "5.0"), (6, .open, "5.0"), (4, .closed, "5.0")], "5.0",
                [7, 6, 5, 3, 2], [7, 3]
            ),
            ([(10, .open, nil), (8, .closed, "5.0"), (5, .closed, "5.2")], "5.1", [9, 7, 4, 3], [7]),
            ([(10, .open, nil)], "5.0", [4, 3], []), ([], "5.0", [4, 3], []),
        ] as [([Said], String, [Int], [Int])])
    func onlyEventsAfterTheFixBringItBack(said: [Said], label: String, days: [Int], regressed: [Int]) {
        var source = SourceHistory.make(
            issues: [Issue(id: "a", title: "A")],
            issueDays: days.map { .make("a", $0, of: label, events: 3) })
        source.issueStates["a"] = said.map {
            IssueStateChange(
                capturedAt: .noon(back: $0.back), state: $0.state, fixedIn: $0.fixedIn.map { Version($0) })
        }
        #expect(found(by: RegressedIssueRule(), in: source).map(\.back).sorted(by: >) == regressed)
    }

    /// A fix that was known at 20:30 UTC, when the next day had begun in the east.
    @Test(arguments: [("UTC", 4), ("America/New_York", 4), ("Asia/Tokyo", 3)])
    func dayBeginsInTheZoneOfTheSource(zone: String, regressed: Int) {
        var source = SourceHistory.make(
            issues: [Issue(id: "a", title: "A")],
            issueDays: (0...8).map { .make("a", $0, of: "5.0", events: 3) })
        source.source.zone = zone
        source.issueStates["a"] = [
            IssueStateChange(
                capturedAt: Instant(startOf: .back(5)).advanced(bySeconds: 73_800), state: .closed,
                fixedIn: Version("5.0"))
        ]
        #expect(found(by: RegressedIssueRule(), in: source).map(\.back) == [regressed])
    }

    /// How far the zone is from UTC, at which hour the fix was known five days back, and the first day after that.
    @Test(arguments: [(1, 12, 4), (9, 12, 4), (9, 20, 3), (-8, 12, 4), (-8, 2, 5), (0, 23, 4)])
    func dayBeginsAfterTheFixInAZoneThatIsKnown(offset: Int, hour: Int, regressed: Int) {
        var source = SourceHistory.make(
            issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: (0...8).map { .make("a", $0, of: "5.0", events: 3) })
        source.source.zone = "Europe/Berlin"
        source.zoneOffsets = ZoneOffsets(seconds: offset * 3600)
        source.issueStates["a"] = [
            IssueStateChange(
                capturedAt: Instant(startOf: .back(5)).advanced(bySeconds: hour * 3600), state: .closed,
                fixedIn: Version("5.0"))
        ]
        #expect(found(by: RegressedIssueRule(), in: source).map(\.back) == [regressed])
    }

    @Test(arguments: [nil, 0, -1])
    func dayWithoutEventsBringsNothingBack(events: Int?) {
        let source = seen("4.3.0", fixedIn: Version("4.2.2"), builds: [], events: events)
        #expect(found(by: RegressedIssueRule(), in: source).isEmpty)
    }

    @Test func itIsReportedOnceOnTheFirstDay() {
        let source = seen(
            "4.3.0", fixedIn: Version("4.2.2", build: "376"), builds: [Version("4.3.0", build: "391")],
            from: 5)
        let events = found(by: RegressedIssueRule(), in: source)
        #expect(events.map(\.back) == [5])
        guard case .regressed(let regressed)? = events.first else {
            Testing.Issue.record("\(events)")
            return
        }
        #expect("\(regressed.fixedIn)" == "4.2.2 (376)" && "\(regressed.seenIn)" == "4.3.0")
        // A build that is listed later changes nothing: of the day no build is known.
        var listed = source
        listed.releases += ["380", "400"].map {
            Release(version: Version("4.3.0", build: $0), releasedAt: nil)
        }
        #expect(found(by: RegressedIssueRule(), in: listed) == events)
        var turned = source
        turned.issueDays.reverse()
        #expect(found(by: RegressedIssueRule(), in: turned) == events)
    }
}
