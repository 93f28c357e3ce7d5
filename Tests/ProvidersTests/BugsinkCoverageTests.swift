import AppHealth
import Diagnostics
import LoopbackServer
import Testing

@testable import Providers

/// How much of each day Bugsink reported, and which issues are crashes.
struct BugsinkCoverageTests {
    private func fetch(
        _ change: (inout BugsinkConfiguration) -> Void = { _ in },
        stored: KnownIssues = KnownIssues(), lastFetch: LastFetch = .never,
        fault: @escaping StubBugsink.Fault = { _ in nil }
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let server = try await StubBugsink.start(fault: fault)
        var configuration = try StubBugsink.configuration(server)
        change(&configuration)
        var provider = try BugsinkProvider(configuration, sender: client())
        provider.knownIssues = { stored }
        provider.lastFetch = { lastFetch }
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await server.stop()
        return (try #require(outcome.snapshots.first), server.requests)
    }

    /// So many issues of one project, each with the same days.
    private func project(of count: Int) -> StubBugsink.Fault {
        { request in
            switch request.path {
            case "\(StubBugsink.root)/issues/":
                let issues = (1...count).map { StubBugsink.issue("n\($0)", events: 100 - $0) }
                return .json(StubBugsink.page(issues.joined(separator: ",")))
            case "\(StubBugsink.root)/events/": return .json(StubBugsink.page(""))
            case "\(StubBugsink.root)/projects/2/event-counts/":
                return .json(StubBugsink.counts(request, times: count))
            default: return nil
            }
        }
    }

    /// The service's total of a day counts errors too: what the other issues had is taken away.
    @Test func crashesOfADayAreItsTotalWithoutOtherIssues() async throws {
        let snapshot = try await fetch().snapshot
        #expect(snapshot.health.map(\.date) == (0..<28).map { runTime.date.advanced(by: $0 - 27) })
        #expect(snapshot.health.suffix(4).map(\.crashes) == [0, 7, 5, 0])
        #expect(spans(snapshot, .crashes) == ["2026-10-24…2026-11-20 complete"])
        #expect(spans(snapshot, .issueDays) == ["2026-10-24…2026-11-20 complete"])
    }

    /// Events of a day that belong to no issue of the list, as those of a deleted one, are of no known kind.
    @Test func theRestOfADayIsOfNoKnownKind() async throws {
        let snapshot = try await fetch(fault: { request in
            request.path.hasSuffix("/projects/2/event-counts/")
                ? .json(StubBugsink.counts(request, times: 40)) : nil
        }).snapshot
        #expect(snapshot.health.allSatisfy { $0.crashes == 0 })
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-19 partial ?/?",
                "2026-11-20…2026-11-20 complete",
            ])
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-19 partial 3/?",
                "2026-11-20…2026-11-20 complete",
            ])
        // Every listed issue was read, so that nothing else says why they are unknown. It is no problem: nothing brings them back.
        let note = try #require(snapshot.warnings.first)
        #expect(snapshot.warnings.map(\.id) == ["bugsink.open-days"] && note.severity == .note)
        #expect(note.summary == "bugsink: crashes are unknown on 2 days")
        #expect(
            note.details.prefix(2) == [
                "2026-11-19: 185 of 200 events belong to no listed issue",
                "2026-11-18: 259 of 280 events belong to no listed issue",
            ])
    }

    /// Bugsink says zero of days before the project had an event: they are unknown, unless an earlier event or fetch says that
    /// it was there. Where nothing was counted at all, it is believed.
    @Test(
        arguments: [
            ("an app of three days", true, nil, nil, "2026-11-18…2026-11-20 complete", 3),
            ("an earlier event is stored", true, "2026-11-10", nil, "2026-11-10…2026-11-20 complete", 11),
            ("one from before the window", true, "2026-08-10", nil, "2026-10-24…2026-11-20 complete", 28),
            ("read before the first event", true, nil, "2026-11-16", "2026-11-16…2026-11-20 complete", 5),
            ("an issue of the first day", false, nil, nil, "2026-10-24…2026-11-20 complete", 28),
        ] as [(String, Bool, String?, String?, String, Int)])
    func daysBeforeTheFirstEventAreUnknown(
        name: String, isNew: Bool, event: String?, read: String?, crashes: String, days: Int
    ) async throws {
        let rows = event.flatMap { CivilDate($0) }.map {
            [IssueDay(issue: "n1", date: $0, events: 1, users: nil)]
        }
        let last = read.flatMap { Instant("\($0)T06:00:00Z") }.map(LastFetch.at) ?? .never
        let snapshot = try await fetch(stored: KnownIssues(days: rows ?? []), lastFetch: last) { request in
            // Nothing is unhandled, so that the kinds of all issues are known.
            if request.parameter("q") != nil { return .json(StubBugsink.page("")) }
            guard isNew, request.path == "\(StubBugsink.root)/issues/" else {
                return try await project(of: 1)(request)
            }
            let issue = StubBugsink.issue("n1", events: 12).replacing("2026-10-24T05", with: "2026-11-18T22")
            return .json(StubBugsink.page(issue))
        }.snapshot
        #expect(spans(snapshot, .crashes) == [crashes], "\(name)")
        #expect(spans(snapshot, .issueDays) == [crashes], "\(name)")
        #expect(snapshot.issueDays.count == days, "\(name)")
        #expect(snapshot.health.map(\.date).min() == snapshot.issueDays.map(\.date).min(), "\(name)")
    }

    /// Where more issues are than are read, those seen last are read too, until one was last seen before the window.
    @Test(arguments: [true, false]) func aCutListIsReadByTimeToo(reachesBack: Bool) async throws {
        let (snapshot, requests) = try await fetch({ $0.mostPages = 1 }) { request in
            guard request.path == "\(StubBugsink.root)/issues/" else {
                return try await project(of: 2)(request)
            }
            guard request.parameter("sort") == "last_seen" else {
                let isUnhandled = request.parameter("q") != nil
                let issue = StubBugsink.issue(isUnhandled ? "crash of years" : "n1", events: 100)
                return .json(StubBugsink.page(issue, next: #""\#(request.path)?cursor=a&project=2""#))
            }
            let new = StubBugsink.issue("new", events: 1)
            let old = StubBugsink.issue("old", events: 3).replacing("2026-11-20T02", with: "2026-10-01T02")
                .replacing("2026-10-24T05", with: "2026-09-24T05")
            let isUnhandled = request.parameter("q") != nil
            let all =
                [new] + (isUnhandled ? [] : [StubBugsink.issue("n1", events: 100)])
                + (reachesBack ? [old] : [])
            return .json(
                StubBugsink.page(
                    all.joined(separator: ","), next: #""\#(request.path)?cursor=b&project=2""#))
        }
        #expect(snapshot.issues.map(\.id) == ["n1", "new"] + (reachesBack ? ["old"] : []))
        let sorts = requests.compactMap { $0.parameter("sort") }
        #expect(sorts == ["digested_event_count", "last_seen", "digested_event_count", "last_seen"])
        // The days of both make up the total of the project, so that only a list of all that were seen says so.
        #expect(
            snapshot.warnings.map(\.id) == (reachesBack ? [] : ["bugsink.pages-cut"]))
        #expect(snapshot.issues.map(\.kind) == [.error, .crash] + (reachesBack ? [.crash] : []))
        #expect(snapshot.unstatedKinds == (reachesBack ? [] : ["n1"]))
    }

    /// The list by all events has a new issue last, however many events of yesterday are its.
    @Test func newIssuesGetTheirDaysFirst() async throws {
        let (snapshot, requests) = try await fetch({ ($0.mostRequests, $0.mostIssues) = (60, 5) }) {
            request in
            guard request.path == "\(StubBugsink.root)/issues/", request.parameter("q") == nil else {
                return try await project(of: 50)(request)
            }
            let old = (1...50).map { StubBugsink.issue("n\($0)", events: 100 - $0) }
            let new = StubBugsink.issue("new", events: 1).replacing("2026-10-24T05", with: "2026-11-19T05")
            return .json(StubBugsink.page((old + [new]).joined(separator: ",")))
        }
        #expect(snapshot.issueDays.contains { $0.issue == "new" })
        let asked = requests.filter { $0.path.contains("/issues/n") && $0.path.hasSuffix("/event-counts/") }
        #expect(asked.first?.path.contains("/issues/new/") == true)
    }

    @Test func anHourThatIsNotReportedMakesItsDayAPart() async throws {
        let snapshot = try await fetch(fault: { request in
            request.path.hasSuffix("/projects/2/event-counts/")
                ? .json(StubBugsink.counts(request, times: 3, leavingOut: "2026-11-18T05:00:00Z")) : nil
        }).snapshot
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-18 partial ?/?",
                "2026-11-19…2026-11-20 complete",
            ])
    }

    @Test func issuesBeyondTheRequestsMakeTheirDaysAPart() async throws {
        let (snapshot, requests) = try await fetch(
            { ($0.mostRequests, $0.mostIssues) = (60, 5) }, fault: project(of: 50))
        // Project, issues, releases, total, kinds and their confirmation; the details of five issues are kept free.
        let asked = requests.filter { $0.path.contains("/issues/n") && $0.path.hasSuffix("/event-counts/") }
        #expect(asked.count == 60 - 6 - 20)
        #expect(asked.first?.path.hasSuffix("/issues/n1/event-counts/") == true)
        #expect(Set(snapshot.issueDays.map(\.issue)).count == asked.count)
        // On days without any event the issues make up the total: nothing is missing.
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-19 partial 34/50",
                "2026-11-20…2026-11-20 complete",
            ])
        // How many of the events of the two days were errors is not known.
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-19 partial ?/?",
                "2026-11-20…2026-11-20 complete",
            ])
        #expect(snapshot.health.allSatisfy { $0.crashes == 0 })
        #expect(snapshot.warnings.map(\.summary) == ["bugsink: skipped counts by day of 16 issues"])
        #expect(snapshot.warnings.first?.hints == ["raise 'requests' of the source"])
    }

    @Test func withoutTotalsOnlyWhatWasRequestedIsCovered() async throws {
        let snapshot = try await fetch(fault: { request in
            request.path.hasSuffix("/projects/2/event-counts/") ? .text("oops", status: 500) : nil
        }).snapshot
        #expect(spans(snapshot, .crashes).isEmpty)
        #expect(snapshot.health.isEmpty)
        #expect(spans(snapshot, .issueDays) == ["2026-10-24…2026-11-20 complete"])
    }

    /// Where it is not known which issues are crashes, only a day without any event has a known number of them.
    @Test(arguments: [true, false]) func withoutKindsCrashesAreUnknown(isRefused: Bool) async throws {
        let snapshot = try await fetch({ $0.mostIssues = 0 }) { request in
            guard request.parameter("q") == "handled:false" else { return nil }
            guard !isRefused else { return .text("oops", status: 500) }
            // A list that goes on where it may not be followed is cut.
            return .json(
                StubBugsink.page(StubBugsink.issue("i1", events: 50), next: #""https://elsewhere.example/""#))
        }.snapshot
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-24…2026-11-17 complete", "2026-11-18…2026-11-19 partial ?/?",
                "2026-11-20…2026-11-20 complete",
            ])
        #expect(snapshot.health.allSatisfy { $0.crashes == 0 })
        #expect(snapshot.unstatedKinds == Set(snapshot.issues.filter { $0.kind == .error }.map(\.id)))
        #expect(!snapshot.unstatedKinds.isEmpty)
    }

    @Test func aListThatMovesIsNotWhole() async throws {
        let snapshot = try await fetch(fault: { request in
            guard request.path == "\(StubBugsink.root)/issues/", request.parameter("q") == nil else {
                return nil
            }
            let issue = StubBugsink.issue("i1", events: 50)
            return .json(StubBugsink.page("\(issue),\(issue)"))
        }).snapshot
        #expect(snapshot.issues.count == 1)
        #expect(spans(snapshot, .issueDays).contains { $0.contains("partial 1/?") })
    }

    @Test func aListThatIsCutLeavesTheNumberOfIssuesOpen() async throws {
        let snapshot = try await fetch({ $0.mostPages = 1 }).snapshot
        #expect(spans(snapshot, .issueDays).contains { $0.hasPrefix("2026-11-18…2026-11-19 partial 2/?") })
    }

    /// Tags show crashes: by one list, and where the server returns all issues for it, by the tags of one.
    @Test(arguments: [
        (#"{"key":"handled","value":"false","count":3}"#, true),
        (#"{"key":"handled","value":"true","count":3}"#, false),
        ("", false),
    ])
    func aServerThatDoesNotKnowTheQuestionIsNotBelieved(tags: String, isCrash: Bool) async throws {
        let (snapshot, requests) = try await fetch({ $0.mostIssues = 0 }) { request in
            if request.parameter("key") == "handled" { return .json(StubBugsink.page(tags)) }
            return try await project(of: 3)(request)
        }
        #expect(requests.count { $0.parameter("key") == "handled" } == 1)
        #expect(snapshot.issues.allSatisfy { ($0.kind == .crash) == isCrash })
    }

    @Test func hangsAreKnownByTheirClass() async throws {
        let names = [
            "ApplicationNotResponding", "App Hanging", "App Hang Fully Blocked",
            "Fatal App Hang Non Fully Blocked",
            "WatchdogTermination", "RangeError",
        ]
        let snapshot = try await fetch({ $0.mostIssues = 0 }) { request in
            guard request.path.hasSuffix("/0/issues/") else { return nil }
            let issues = names.enumerated().map { index, name in
                StubBugsink.issue("h\(index)", events: 9 - index).replacing("RangeError", with: name)
            }
            return .json(
                StubBugsink.page(request.parameter("q") == nil ? issues.joined(separator: ",") : issues[4]))
        }.snapshot
        #expect(snapshot.issues.map(\.kind) == [.hang, .hang, .hang, .hang, .crash, .error])
    }
}
