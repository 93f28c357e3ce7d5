import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Attaching

struct CommentTargetTests {
    private func target(
        _ host: HostStub, _ values: [String: String] = ["issue": "12"], environment: [String: String] = [:],
        losing: @escaping @Sendable (Int, Request) -> LosingSender.Loss? = { _, _ in nil }
    ) throws -> any AttachTarget {
        let descriptor: AttachDescriptor =
            switch host.kind {
            case .github: .githubComment
            case .forgejo: .forgejoComment
            case .gitlab: .gitlabComment
            }
        var texts = ["repository": "team/lamp", "project": "team/lamp", "api": host.api]
        texts.merge(values) { $1 }
        return try descriptor.make(
            testSetup(texts, secrets: ["token": HostStub.token], environment: environment, losing: losing))
    }

    /// One comment of our own on whatever page, also when others copy its mark; the newest subject takes its place.
    @Test(arguments: HostStub.Kind.allCases, [false, true])
    func keepsOneComment(kind: HostStub.Kind, isSparse: Bool) async throws {
        let host = try await HostStub.start(kind, isSparse: isSparse)
        let mark = "<!-- plimsoll:comment target=place app=lamp -->"
        host.change { state in
            state.comments = (1...4).map { .init(author: $0 == 2 ? "" : "plimsoll-bot", body: "word \($0)") }
            state.comments.append(.init(author: "josh", body: mark + "\nmine"))
        }
        let (ledger, target) = (TestLedger(), try target(host))
        #expect(await attaching(.sample(), to: target, ledger, isDryRun: true) == "planned")
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(
            host.now.comments.count == 6 && host.now.comments[5].body.hasPrefix(mark + "\n### Lamp 4.3.0"))
        #expect(await attaching(.sample(), to: target, ledger) == "unchanged")
        #expect(await attaching(.sample(.release, "4.3.1"), to: target, ledger) == "updated")
        #expect(host.now.comments.count == 6 && host.now.comments[4].body.hasSuffix("mine"))
        #expect(host.now.comments[5].body.contains("Lamp 4.3.1") && host.now.complaints == [])
        await host.server.stop()
    }

    @Test(arguments: HostStub.Kind.allCases, 1...4)
    func nothingIsDoubleWhenAnAnswerIsLost(kind: HostStub.Kind, number: Int) async throws {
        let host = try await HostStub.start(kind)
        let ledger = TestLedger()
        let values = kind == .gitlab ? ["mergeRequest": "34"] : ["issue": "12"]
        _ = await attaching(
            .sample(), to: try target(host, values) { count, _ in count == number ? .answer : nil }, ledger)
        let word = await attaching(.sample(), to: try target(host, values), ledger)
        #expect(["attached", "unchanged"].contains(word), "\(word)")
        #expect(host.now.comments.count == 1 && host.now.complaints == [] && ledger.states.last == .sent)
        await host.server.stop()
    }

    /// A merge request is named as GitLab names it, and two places are none.
    @Test func aCommentHasOnePlace() async throws {
        let host = try await HostStub.start(.gitlab)
        #expect(try target(host, ["mergeRequest": "34"]).place.hasPrefix("!34 of "))
        #expect(try target(host, ["issue": "12"]).place.hasPrefix("#12 of "))
        #expect {
            _ = try target(host, ["mergeRequest": "34", "issue": "12"])
        } throws: {
            ($0 as? Diagnostic)?.summary == "Target 'place' names an issue and a merge request"
        }
        await host.server.stop()
    }

    /// The token of a workflow is no one's: its comments are those of a known account.
    @Test func knowsWhoseTheCommentIs() async throws {
        let host = try await HostStub.start(.github, account: nil)
        #expect(await attaching(.sample(), to: try target(host), TestLedger()) == "attach.author")
        host.change {
            $0.comments = [
                .init(author: "github-actions[bot]", body: "<!-- plimsoll:comment target=place app=lamp -->")
            ]
        }
        let job = try target(host, environment: ["GITHUB_ACTIONS": "true"])
        #expect(await attaching(.sample(), to: job, TestLedger()) == "updated")
        let named = try target(host, ["issue": "12", "author": "plimsoll-bot"])
        #expect(await attaching(.sample(), to: named, TestLedger()) == "attached")
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    /// The comment of an earlier run is found by its number in the ledger, and without one by its account, however that is
    /// written in the configuration.
    @Test(
        arguments: [
            ("Report-Bot", "report-bot[bot]", true), ("report-bot[bot]", "Report-Bot[bot]", true),
            ("REPORT-BOT[bot]", "report-bot", true), ("report-bot", "report-bot2", false),
            ("report-bot", "xreport-bot[bot]", false),
        ])
    func findsItsCommentAgain(row: (author: String, login: String, isSame: Bool)) async throws {
        let host = try await HostStub.start(.github, account: nil)
        let target = try target(host, ["issue": "12", "author": row.author])
        host.change {
            $0.comments = [
                .init(author: row.login, body: "<!-- plimsoll:comment target=place app=lamp -->\nold")
            ]
        }
        let ledger = TestLedger()
        #expect(await attaching(.sample(), to: target, ledger) == (row.isSame ? "updated" : "attached"))
        host.change { state in
            for place in state.comments.indices { state.comments[place].author = "someone" }
        }
        #expect(await attaching(.sample(text: "Go."), to: target, ledger) == "updated")
        #expect(host.now.comments.count == (row.isSame ? 1 : 2) && host.now.complaints == [])
        await host.server.stop()
    }

    /// A token of another account finds the comment of the one before by its number, whatever it was about; where it may not
    /// change that, it writes one of its own, once.
    @Test(arguments: HostStub.Kind.allCases, [true, false])
    func anotherAccountKeepsTheComment(kind: HostStub.Kind, mayChange: Bool) async throws {
        let host = try await HostStub.start(kind) { _, request in
            let isChange = request.method == "PATCH" || request.method == "PUT"
            return isChange && !mayChange ? .json(#"{"message":"no"}"#, status: 403) : nil
        }
        let (ledger, target) = (TestLedger(), try target(host))
        #expect(await attaching(.sample(.day, "2026-11-19"), to: target, ledger) == "attached")
        host.change { $0.comments[0].author = "alice" }
        let word = await attaching(.sample(.day, "2026-11-20"), to: target, ledger)
        #expect(word == (mayChange ? "updated" : "attached"))
        #expect(await attaching(.sample(.day, "2026-11-20"), to: target, ledger) == "unchanged")
        #expect(host.now.comments.count == (mayChange ? 1 : 2))
        #expect(host.now.comments.last?.body.contains("2026-11-20") == true)
        await host.server.stop()
    }

    @Test(arguments: ["", "x", "0", "-1"])
    func refusesWhatIsNoNumber(number: String) async throws {
        let host = try await HostStub.start(.github)
        #expect(throws: (any Error).self) { try target(host, ["issue": number]) }
        await host.server.stop()
    }

    @Test func keepsToTheLimit() async throws {
        let host = try await HostStub.start(.forgejo)
        #expect(await attaching(.sample(rows: 3000), to: try target(host), TestLedger()) == "attached")
        let body = host.now.comments[0].body
        #expect(body.utf16.count <= 65_536 && body.contains("characters is the most that a comment holds"))
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    /// What people write above, below and into the comment stays, and there is one comment.
    @Test(arguments: HostStub.Kind.allCases)
    func keepsWhatPeopleWroteInTheComment(kind: HostStub.Kind) async throws {
        let host = try await HostStub.start(kind)
        let (ledger, target) = (TestLedger(), try target(host))
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        host.change { state in
            let body = state.comments[0].body.replacing("Second line.", with: "Second line.\n@ann INC-4711")
            state.comments[0].body = ("> See minutes.\n\n" + body + "\nBelow").replacing("\n", with: "\r\n")
        }
        #expect(await attaching(.sample(text: "Go."), to: target, ledger) == "updated")
        #expect(await attaching(.sample(text: "Go."), to: target, ledger) == "unchanged")
        let lines = host.now.comments[0].body.split(separator: "\r\n").map(String.init)
        #expect(host.now.comments.count == 1 && lines.first == "> See minutes.")
        #expect(lines[1] == "<!-- plimsoll:comment target=place app=lamp -->")
        #expect(lines.suffix(2) == ["@ann INC-4711", "Below"] && lines.contains { $0.hasPrefix("Go.") })
        #expect(!lines.contains { $0.contains("Hold.") } && host.now.complaints == [])
        await host.server.stop()
    }

    /// A mark in a quotation is none, and a comment that begins with it goes before one that does not.
    @Test func aQuotedMarkIsNone() async throws {
        let host = try await HostStub.start(.github)
        let mark = "<!-- plimsoll:comment target=place app=lamp -->"
        host.change { state in
            state.comments = ["> \(mark)\n> old", "Words\n\(mark)\nold", "\(mark)\nold"].map {
                .init(author: "plimsoll-bot", body: $0)
            }
        }
        #expect(await attaching(.sample(), to: try target(host), TestLedger()) == "updated")
        #expect(host.now.comments.map { $0.body.hasSuffix("\nold") } == [false, true, false])
        #expect(host.now.comments[0].body.hasSuffix("> old") && host.now.complaints == [])
        await host.server.stop()
    }

    /// An issue that was moved has another number there, and a locked one needs no other rights of the token.
    @Test(
        arguments: HostStub.Kind.allCases,
        [
            (301, "/x/issues/7/comments?page=1", "{}", "is #7 of another"),
            (301, "/x/issues/12/notes", "{}", "check the number in 'issue'"),
            (403, "", #"{"message":"Unable to create comment because issue is locked."}"#, "unlock"),
            (403, "", #"{"message":"Repository access blocked"}"#, "allow the token"),
        ])
    func namesTheWayToTheIssue(
        kind: HostStub.Kind, row: (status: Int, place: String, body: String, hint: String)
    ) async throws {
        let answer = StubResponse.json(
            row.body, status: row.status, headers: row.place.isEmpty ? [] : [("Location", row.place)])
        let host = try await HostStub.start(kind) { _, request in
            request.target.contains("/issues/") && (row.status == 301 || request.method == "POST")
                ? answer : nil
        }
        let outcome = await attach(
            .sample(), to: try target(host), named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt, namesReader: true)
        ) { _ in }
        #expect(outcome.failure?.hints.first?.contains(row.hint) == true, "\(outcome)")
        await host.server.stop()
    }
}
