import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// What is peculiar to the Data Access API, one case each.
struct BugsnagContractTests {
    private static let project = "/projects/65c000000000000000000001"

    private func fetch(
        _ change: @escaping StubBugsnag.Fault
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let stub = try await StubBugsnag.start(fault: change)
        let outcome = try await stub.fetch(stub.configuration())
        return (try #require(outcome.snapshots.first), stub.server.requests)
    }

    private func errorTargets(_ requests: [RecordedRequest]) -> [String] {
        requests.map(\.target).filter { $0.hasPrefix("\(Self.project)/errors?") }
    }

    // MARK: Fields and filters

    @Test(arguments: [
        (
            #"[{"display_id":"error.status"},{"display_id":"app.stage"}]"#,
            "its fields: error.status, app.stage"
        ),
        ("[]", "the project has no event fields"),
    ])
    func aProjectWithoutTheFieldIsRequestedWithoutTheFilterAndReported(fields: String, detail: String)
        async throws
    {
        let (snapshot, requests) = try await fetch { request in
            switch request.path {
            case "\(Self.project)/event_fields": .json(fields)
            case "\(Self.project)/errors": .json(#"[{"id":"a","events":3,"release_stages":["production"]}]"#)
            default: nil
            }
        }
        #expect(
            errorTargets(requests) == [
                "\(Self.project)/errors?sort=events&direction=desc&per_page=30&histogram=two_week"
            ])
        #expect(snapshot.issues.map(\.id) == ["a"])
        let warning = try #require(snapshot.warnings.first)
        #expect(warning.id == "bugsnag.field-missing")
        #expect(warning.summary == "bugsnag: the project has no event field 'app.release_stage'")
        #expect(
            warning.details == ["the counts of an issue are of all release stages together", detail])
        #expect(warning.everything.contains("\(Self.project)/event_fields"))
    }

    @Test func whenTheFieldsDoNotComeTheFilterStays() async throws {
        let (snapshot, requests) = try await fetch { request in
            request.path == "\(Self.project)/event_fields" ? .json(#"{"errors":["no"]}"#, status: 403) : nil
        }
        #expect(errorTargets(requests).allSatisfy { $0.contains("%5Bvalue%5D=production") })
        #expect(snapshot.issues.count == 5)
        #expect(snapshot.warnings.map(\.summary) == ["bugsnag: couldn't fetch event fields"])
    }

    @Test(arguments: [
        (400, #"{"errors":["app.release_stage is not a valid filter"]}"#, "is not a valid filter", nil),
        (
            422, #"{"errors":["The search took too long"],"code":60000}"#, "took too long",
            "fetch again later; the response would be incomplete"
        ),
    ])
    func aRefusedListIsMissingAndSaysWhy(status: Int, body: String, words: String, hint: String?) async throws
    {
        let (snapshot, _) = try await fetch { request in
            request.path == "\(Self.project)/errors" ? .json(body, status: status) : nil
        }
        #expect(snapshot.issues.isEmpty && snapshot.issueDays.isEmpty)
        #expect(snapshot.source.capabilities.contains(.issues))
        let warning = try #require(snapshot.warnings.first)
        #expect(warning.summary == "bugsnag: couldn't fetch issues")
        #expect(warning.everything.contains(words))
        if let hint { #expect(warning.hints == [hint]) }
    }

    // MARK: Pages

    /// An address that has grown too long ends its list; what came before stays.
    @Test(arguments: [400, 414])
    func aNextPageThatIsRefusedEndsTheList(status: Int) async throws {
        let (snapshot, _) = try await fetch { request in
            request.target.contains("offset%5Bcount%5D")
                ? .json(#"{"errors":["too long"]}"#, status: status) : nil
        }
        #expect(snapshot.issues.map(\.id) == ["e1", "e2", "e3"])
        #expect(snapshot.warnings.map(\.id) == ["bugsnag.pages-cut"])
        #expect(snapshot.warnings.map(\.severity) == [.warning])
    }

    /// Neither the total nor the size of a page says whether there is another: only the link does.
    @Test func aPageWithoutALinkIsTheLast() async throws {
        let (snapshot, requests) = try await fetch { request in
            request.path == "\(Self.project)/errors"
                ? .json(#"[{"id":"a","events":3}]"#, headers: [("X-Total-Count", "90")]) : nil
        }
        #expect(errorTargets(requests).map { $0.contains("event.unhandled") } == [false, true])
        #expect(snapshot.issues.map(\.id) == ["a"])
    }

    // MARK: Words

    @Test(arguments: [
        ("open", AppHealth.Issue.State.open), ("in progress", .open), ("for_review", .open),
        ("fixed", .closed),
        ("snoozed", .muted), ("ignored", .muted), ("in_progress", .open), ("a new word", .open),
    ])
    func statusWordsBecomeStates(word: String, state: AppHealth.Issue.State) async throws {
        let (snapshot, _) = try await fetch { request in
            request.path == "\(Self.project)/errors" ? .json(#"[{"id":"a","status":"\#(word)"}]"#) : nil
        }
        #expect(snapshot.issues.map(\.state) == [state])
    }

    /// `first_seen` and `last_seen` are bounded by the filter.
    @Test func timesAreTheUnfilteredOnes() async throws {
        let (snapshot, _) = try await fetch { request in
            request.path == "\(Self.project)/errors"
                ? .json(
                    #"""
                    [{"id":"a","first_seen":"2026-11-10T00:00:00Z","first_seen_unfiltered":"2025-01-02T00:00:00Z",
                      "last_seen":"2026-11-11T00:00:00Z","last_seen_unfiltered":"2026-11-12T00:00:00Z",
                      "created_issue":{},"reopen_rules":null,"overridden_severity":null,"linked_issues":[]}]
                    """#) : nil
        }
        #expect(snapshot.issues.first?.firstSeen?.date.description == "2025-01-02")
        #expect(snapshot.issues.first?.lastSeen?.date.description == "2026-11-12")
    }

    /// A plan without stability leaves the counts out; sums of daily users are no users.
    @Test func versionsWithoutStabilityHaveNoCounts() async throws {
        let (snapshot, _) = try await fetch { request in
            switch request.path {
            case "\(Self.project)/release_groups":
                .json(
                    #"[{"id":"g","app_version":"1.0","releases_count":1,"accumulative_daily_users_seen":700}]"#
                )
            case "\(Self.project)/releases":
                .json(
                    #"[{"id":"r","app_version":"1.0","app_version_code":"","app_bundle_version":"","release_time":"","release_stage":{"name":"production"}}]"#
                )
            default: nil
            }
        }
        #expect(snapshot.releases.map(\.version.description) == ["1.0"])
        #expect(snapshot.releases.first?.lifetime == nil)
        #expect(snapshot.releases.first?.releasedAt == nil)
    }

    /// Another host of the service, or one's own with a path, is requested in the same way.
    @Test(arguments: [
        "https://api.bugsnag.com", "https://api.bugsnag.smartbear.com", "https://bugs.example.org/api",
    ])
    func everyHostIsPlannedAlike(base: String) throws {
        let secret = try #require(Secret(StubBugsnag.token))
        let configuration = try BugsnagConfiguration(project: "a", token: secret, base: base)
        let plan = try BugsnagProvider(configuration, sender: client()).plan(for: app("a"))
        #expect(plan.first?.address == "\(base)/user/organizations")
    }
}
