import AppHealth
import Diagnostics
import LoopbackServer
import Testing

@testable import Providers

/// How much of each day BugSnag reported, and the users of issues day by day.
struct BugsnagCoverageTests {
    private func fetch(
        stored: KnownIssues = KnownIssues(),
        _ change: (inout BugsnagConfiguration) -> Void = { _ in }, fault: @escaping StubBugsnag.Fault
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let stub = try await StubBugsnag.start(fault: fault)
        var configuration = try stub.configuration()
        change(&configuration)
        let outcome = try await stub.fetch(configuration, stored: stored)
        return (try #require(outcome.snapshots.first), stub.server.requests)
    }

    /// The list of all errors, then the lists of single days by the day in the filter.
    private func answering(_ all: String, days: [String: String] = [:]) -> StubBugsnag.Fault {
        { request in
            guard request.path.hasSuffix("/errors") else { return nil }
            guard let since = request.parameter("filters[event.since][][value]") else { return .json(all) }
            return .json(days[String(since.prefix(10))] ?? "[]")
        }
    }

    private static let trend = """
        [["2026-11-17T00:00:00.000Z",4],["2026-11-18T00:00:00.000Z",0],["2026-11-19T00:00:00.000Z",7],\
        ["2026-11-20T00:00:00.000Z",1]]
        """

    @Test func daysOfSessionsAndUsersAreThoseOfTheTrend() async throws {
        let snapshot = try await fetch { _ in nil }.snapshot
        #expect(
            spans(snapshot, .sessions) == ["2026-11-06…2026-11-19 complete"])
        // On one day with sessions no users were reported.
        #expect(
            spans(snapshot, .users) == ["2026-11-06…2026-11-11 complete", "2026-11-13…2026-11-19 complete"])
    }

    @Test func aDayOfWhichEachIssueIsKnownIsComplete() async throws {
        let snapshot = try await fetch(
            fault: answering(
                """
                [{"id":"a","events":12,"trend":\(Self.trend)},
                 {"id":"b","events":9,"trend":[["2026-11-16T12:00:00.000Z",2],["2026-11-17T12:00:00.000Z",3],
                  ["2026-11-18T12:00:00.000Z",4],["2026-11-19T00:00:00.000Z",0],["2026-11-20T00:00:00.000Z",0]]}]
                """)
        ).snapshot
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-17…2026-11-18 partial 1/2", "2026-11-19…2026-11-19 complete",
            ])
    }

    /// A list without errors is no answer where errors with events on its days are stored.
    @Test(arguments: [("2026-11-10", true), ("2026-11-01", false)])
    func anEmptyListNextToStoredEventsSaysNothing(day: String, isDoubted: Bool) async throws {
        let date = try #require(CivilDate(day))
        let stored = KnownIssues(days: [IssueDay(issue: "a", date: date, events: 3, users: nil)])
        let snapshot = try await fetch(stored: stored, fault: answering("[]")).snapshot
        #expect(
            spans(snapshot, .issueDays) == (isDoubted ? [] : ["2026-11-06…2026-11-19 complete"]))
        #expect(snapshot.warnings.contains { $0.id == "bugsnag.empty-list" } == isDoubted)
    }

    @Test func aListThatIsCutCoversAPart() async throws {
        let snapshot = try await fetch({ $0.mostErrorPages = 1 }) { _ in nil }.snapshot
        #expect(snapshot.issues.count == 3)
        #expect(spans(snapshot, .issueDays) == ["2026-11-07…2026-11-19 partial 3/?"])
    }

    @Test func aListThatMovesCoversAPart() async throws {
        let error = #"{"id":"a","events":12,"trend":\#(Self.trend)}"#
        let snapshot = try await fetch(fault: answering("[\(error),\(error)]")).snapshot
        #expect(snapshot.issues.count == 1)
        #expect(spans(snapshot, .issueDays) == ["2026-11-17…2026-11-19 partial 1/?"])
    }

    /// Notes have some requests of their own; of more issues than that, each day begins with others. Days that are not
    /// asked for are counted.
    @Test func notesAreAskedForWhereUsersWouldTakeAllRequests() async throws {
        let list =
            "["
            + (0..<9).map { #"{"id":"e\#($0)","events":12,"users":3,"comment_count":1}"# }.joined(
                separator: ",")
            + "]"
        let (snapshot, requests) = try await fetch(
            { ($0.userDays, $0.mostRequests) = (14, 20) }, fault: answering(list))
        #expect(requests.count == 20)
        let notes = requests.filter { $0.path.hasSuffix("/comments") }.map {
            $0.path.split(separator: "/")[3]
        }
        let first = runTime.date.daysSinceEpoch * 3 % 9
        #expect(notes == (0..<3).map { "e\((first + $0) % 9)" })
        let days = requests.count {
            $0.parameter("filters[event.since][][value]")?.hasPrefix("2026-") == true
        }
        #expect(
            snapshot.warnings.map(\.summary).filter { $0.contains("skipped") } == [
                "bugsnag: skipped users of issues on \(14 - days) days", "bugsnag: skipped notes of 6 issues",
            ])
        #expect(
            snapshot.warnings.last?.hints == ["raise 'requests' of the source; BugSnag admits 30 a minute"])
    }

    /// On which of pages of projects the configured one is, how many are read, and what is said of one that is on none.
    @Test(arguments: [
        (1, 1, ""), (4, 4, ""), (10, 10, ""), (11, 10, "bugsnag: project 'sketchbook-ios' is not among"),
    ])
    func aProjectIsLookedForOverManyPages(page: Int, read: Int, said: String) async throws {
        let stub = try await StubBugsnag.start { request in
            guard request.path.hasSuffix("a1/projects") else { return nil }
            let number = request.parameter("offset").flatMap { Int($0) } ?? 1
            let host = request.header("Host") ?? ""
            let next = "<http://\(host)\(request.path)?offset=\(number + 1)>; rel=\"next\""
            let project =
                number == page
                ? #"[{"id":"64f000000000000000000001","slug":"sketchbook-ios","name":"Sketchbook"}]"#
                : #"[{"id":"p\#(number)","slug":"other-\#(number)","name":"Other"}]"#
            return .json(project, headers: [("Link", next)])
        }
        var configuration = try stub.configuration()
        configuration.organization = "65b0000000000000000000a1"
        configuration.mostRequests = 40
        let outcome = try await stub.fetch(configuration)
        #expect(stub.server.requests.count { $0.path.hasSuffix("/projects") } == read)
        let why = outcome.failures.first?.why
        #expect(
            said.isEmpty
                ? outcome.failures.first?.why.summary.contains("not among") != true
                : why?.summary.hasPrefix(said) == true)
        #expect(said.isEmpty || why?.hints.first?.contains("did you mean") == false)
    }

    @Test func aProjectWithoutErrorsHadNone() async throws {
        let snapshot = try await fetch(fault: answering("[]")).snapshot
        #expect(spans(snapshot, .issueDays) == ["2026-11-06…2026-11-19 complete"])
        #expect(snapshot.issueDays.isEmpty)
    }

    @Test func usersComeDayByDayWithinTheirRequests() async throws {
        let (snapshot, requests) = try await fetch(
            { $0.userDays = 3 },
            fault: answering(
                """
                [{"id":"a","events":12,"users":8,"trend":\(Self.trend)},{"id":"b","events":2,"users":1}]
                """,
                days: [
                    "2026-11-19": #"[{"id":"a","events":7,"users":5},{"id":"x","events":1,"users":1}]"#,
                    "2026-11-18": #"[{"id":"b","events":2,"users":0}]"#,
                    "2026-11-17":
                        "[\((0..<30).map { #"{"id":"\#($0 == 0 ? "a" : "y\($0)")","events":4,"users":3}"# }.joined(separator: ","))]",
                ]))
        let asked = requests.filter { $0.target.contains("event.since") }
        #expect(asked.count == 3)
        #expect(
            asked.first?.target
                == "/projects/65c000000000000000000001/errors?sort=users&direction=desc&per_page=30"
                + "&filters%5Bevent.since%5D%5B%5D%5Btype%5D=eq"
                + "&filters%5Bevent.since%5D%5B%5D%5Bvalue%5D=2026-11-19T00%3A00%3A00Z"
                + "&filters%5Bevent.before%5D%5B%5D%5Btype%5D=eq"
                + "&filters%5Bevent.before%5D%5B%5D%5Bvalue%5D=2026-11-20T00%3A00%3A00Z"
                + "&filters%5Bapp.release_stage%5D%5B%5D%5Btype%5D=eq"
                + "&filters%5Bapp.release_stage%5D%5B%5D%5Bvalue%5D=production")
        let reported = snapshot.issueDays.sorted { ($0.date, $0.issue) < ($1.date, $1.issue) }
            .map { "\($0.issue) \($0.date.components.day) \($0.events ?? -1) \($0.users ?? -1)" }
        #expect(reported == ["a 17 4 3", "a 18 0 -1", "b 18 2 -1", "a 19 7 5"])
        // A full page is a part; where an issue names no users nothing is stated.
        #expect(
            spans(snapshot, .issueUsers) == [
                "2026-11-17…2026-11-17 partial 1/?", "2026-11-19…2026-11-19 complete",
            ])
    }

    /// The list of all errors is cut, and ranks by the events of all time: a new one is in the lists of its days alone.
    @Test func anErrorThatOnlyADayNamesIsAnIssue() async throws {
        let element =
            #"{"id":"hot","error_class":"HotNewCrash","severity":"error","events":300,"users":250,"#
            + #""first_seen":"2026-11-19T00:00:00Z","first_seen_unfiltered":"2026-11-19T07:00:00Z","release_stages":["production"]}"#
        let other = element.replacing("hot", with: "beta").replacing("[\"production\"]", with: "[\"beta\"]")
        let (snapshot, _) = try await fetch({ ($0.userDays, $0.mostErrorPages) = (3, 1) }) { request in
            guard request.path.hasSuffix("/errors") else { return nil }
            guard let since = request.parameter("filters[event.since][][value]") else { return nil }
            return .json(
                since.hasPrefix("2026-11-19") || since.hasPrefix("2026-11-18")
                    ? "[\(element),\(other)]" : "[]")
        }
        let added = snapshot.issues.filter { $0.id == "hot" }
        #expect(added.map(\.title) == ["HotNewCrash"] && added.map(\.kind) == [.crash])
        // Counts of a day are none of its own, and its kind is that of its severity.
        #expect(added.first?.events == nil && added.first?.users == nil)
        #expect(added.first?.firstSeen?.description == "2026-11-19T07:00:00Z")
        #expect(snapshot.unstatedKinds.contains("hot"))
        #expect(!snapshot.issues.contains { $0.id == "beta" })
        let days = snapshot.issueDays.filter { $0.issue == "hot" }.sorted { $0.date < $1.date }
        #expect(
            days.map { "\($0.date) \($0.events ?? -1) \($0.users ?? -1)" } == [
                "2026-11-18 300 250", "2026-11-19 300 250",
            ])
    }

    @Test func usersOfAnAppWithoutThemAreNotRequested() async throws {
        let (snapshot, requests) = try await fetch(
            { $0.userDays = 3 }, fault: answering(#"[{"id":"a","events":12,"users":0}]"#))
        #expect(!requests.contains { $0.target.contains("event.since") })
        #expect(spans(snapshot, .issueUsers).isEmpty)
    }

    @Test func aDayThatIsRefusedEndsTheDays() async throws {
        let (snapshot, requests) = try await fetch(
            { $0.userDays = 3 },
            fault: { request in
                guard request.path.hasSuffix("/errors") else { return nil }
                return request.target.contains("event.since")
                    ? .json("{}", status: 422) : .json(#"[{"id":"a","events":12,"users":2}]"#)
            })
        #expect(requests.count { $0.target.contains("event.since") } == 1)
        #expect(snapshot.warnings.map(\.summary).contains("bugsnag: couldn't fetch users of issues by day"))
    }
}
