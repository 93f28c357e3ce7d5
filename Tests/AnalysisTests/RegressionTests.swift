import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct RegressionTests {
    private func seen(
        _ label: String, fixedIn: Version?, builds: [Version], events: Int? = 3, from back: Int = 0
    ) -> SourceHistory {
        let place = CodePlace(file: "Sources/Atomic.swift", line: 54)
        return .make(
            releases: builds.map { Release(version: $0, releasedAt: nil) },
            issues: [Issue(id: "a", title: "A", state: .closed, place: place, fixedIn: fixedIn)],
            issueDays: (0...back).reversed().map { .make("a", $0, of: label, events: events) })
    }

    @Test(
        arguments: [
            ("4.3.0", Version("4.2.2"), [], true), ("4.2.2", Version("4.2.2"), [], true),
            ("4.2.1", Version("4.2.2"), [], false), ("4.2.2-beta.1", Version("4.2.2"), [], false),
            ("4.10.0", Version("4.9.0"), [], true), ("4.3.0", nil, [], false),
            // The same version in other words.
            ("4.2", Version("4.2.0"), [], true), ("4.2.0", Version("4.2"), [], true),
            ("4.2.0", Version("v4.2.0"), [], true), ("v4.2.0", Version("4.2.0"), [], true),
            // The build breaks a tie.
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "376")], true),
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "377")], true),
            ("4.2.2", Version("4.2.2", build: "376"), [Version("4.2.2", build: "370")], false),
            ("4.2.2", Version("4.2.2", build: "376"), [], false),
            ("4.2.2", Version("4.2.2"), [Version("4.2.2", build: "370")], true),
            // Of two builds of one label the newer counts, in either order.
            (
                "4.2.2", Version("4.2.2", build: "376"), ["370", "380"].map { Version("4.2.2", build: $0) },
                true
            ),
            (
                "4.2.2", Version("4.2.2", build: "376"), ["380", "370"].map { Version("4.2.2", build: $0) },
                true
            ),
        ] as [(String, Version?, [Version], Bool)])
    func versionAtOrAboveTheFixBringsItBack(label: String, fixedIn: Version?, builds: [Version], fires: Bool)
    {
        let events = found(by: RegressedIssueRule(), in: seen(label, fixedIn: fixedIn, builds: builds))
        #expect(events.isEmpty != fires)
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
        #expect("\(regressed.fixedIn)" == "4.2.2 (376)" && "\(regressed.seenIn)" == "4.3.0 (391)")
        var turned = source
        turned.issueDays.reverse()
        #expect(found(by: RegressedIssueRule(), in: turned) == events)
    }
}
