import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Attaching

struct ReleaseTargetTests {
    private func target(
        _ host: HostStub, _ values: [String: String] = [:], create: Bool = false, attempts: Int = 1,
        waits: Waits = Waits(), token: String = HostStub.token,
        losing: @escaping @Sendable (Int, Request) -> LosingSender.Loss? = { _, _ in nil }
    ) throws -> any AttachTarget {
        let descriptor: AttachDescriptor =
            switch host.kind {
            case .github: .githubRelease
            case .forgejo: .forgejoRelease
            case .gitlab: .gitlabRelease
            }
        var texts = ["repository": "team/lamp", "project": "team/lamp", "api": host.api]
        texts.merge(values) { $1 }
        return try descriptor.make(
            testSetup(
                texts, secrets: ["token": token], flags: ["create": create], attempts: attempts,
                waits: waits, losing: losing))
    }

    @Test(arguments: HostStub.Kind.allCases, [false, true])
    func writesARegionAndLeavesTheRest(kind: HostStub.Kind, isSparse: Bool) async throws {
        let host = try await HostStub.start(kind, isSparse: isSparse)
        host.change {
            $0.releases = [
                .init(tag: "v4.2.0", body: "x"), .init(tag: "v4.3.0", body: "By Josh\r\n\r\n* a\r\n"),
            ]
        }
        let (ledger, waits) = (TestLedger(), Waits())
        let target = try target(host, waits: waits)
        #expect(await attaching(.sample(), to: target, ledger, isDryRun: true) == "planned")
        #expect(host.now.writes == 0 && ledger.entries.isEmpty)
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        let body = host.now.releases[1].body
        #expect(body.hasPrefix("By Josh\r\n\r\n* a\r\n\r\n<!-- plimsoll:begin app=lamp release=4.3.0 sha="))
        #expect(body.hasSuffix("\r\n<!-- plimsoll:end -->") && body.contains("Hold. 96.1%"))
        #expect(ledger.states == [.sent] && waits.milliseconds == [1000])
        #expect(await attaching(.sample(), to: target, ledger) == "unchanged")
        #expect(host.now.writes == 1 && ledger.states == [.sent])
        #expect(await attaching(.sample(text: "Go. 99.9%"), to: target, ledger) == "updated")
        let updated = host.now.releases[1].body
        #expect(updated.hasPrefix("By Josh\r\n\r\n* a\r\n\r\n<!--") && !updated.contains("Hold."))
        #expect(ledger.states == [.sent, .superseded, .sent])
        #expect(host.now.releases[0].body == "x" && host.now.complaints == [])
        await host.server.stop()
    }

    /// A release is made only when the configuration says so, and never with a new tag.
    @Test(arguments: HostStub.Kind.allCases)
    func makesTheReleaseOfATagWhenAsked(kind: HostStub.Kind) async throws {
        let host = try await HostStub.start(kind)
        let ledger = TestLedger()
        let missing = "no release for the tag 'v4.3.0'; 'create: true' makes it"
        #expect(await attaching(.sample(), to: try target(host), ledger) == missing)
        let creating = try target(host, create: true)
        #expect(await attaching(.sample(), to: creating, ledger) == "no tag 'v4.3.0'")
        host.change { $0.tags = ["v4.3.0"] }
        #expect(await attaching(.sample(), to: creating, ledger, isDryRun: true) == "planned")
        #expect(host.now.writes == 0)
        #expect(await attaching(.sample(), to: creating, ledger) == "attached")
        #expect(host.now.releases.map(\.tag) == ["v4.3.0"] && host.now.releases[0].body.contains("Hold."))
        #expect(await attaching(.sample(), to: creating, ledger) == "unchanged")
        #expect(host.now.complaints == [] && ledger.states == [.sent])
        await host.server.stop()
    }

    /// What people removed after it had the summary is made again on request alone.
    @Test(arguments: HostStub.Kind.allCases)
    func aReleaseThatWasRemovedIsNotMadeAgain(kind: HostStub.Kind) async throws {
        let host = try await HostStub.start(kind)
        host.change { $0.tags = ["v4.3.0"] }
        let (ledger, target) = (TestLedger(), try target(host, create: true))
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        host.change { $0.releases = [] }
        let removed =
            "the release of 'v4.3.0' was removed; 'plimsoll attach --to place --app lamp --release 4.3.0 --again' makes it again"
        for isDryRun in [true, false] {
            #expect(await attaching(.sample(), to: target, ledger, isDryRun: isDryRun) == removed)
        }
        #expect(host.now.releases.isEmpty)
        #expect(await attaching(.sample(), to: target, ledger, again: true) == "attached")
        #expect(host.now.releases.map(\.tag) == ["v4.3.0"] && host.now.complaints == [])
        await host.server.stop()
    }

    /// What a release is made with, but for its notes: the newest version alone becomes the latest, and one before a
    /// release is called so.
    @Test(
        arguments: HostStub.Kind.allCases,
        [
            ReleaseTraits(isLatest: true, cameOut: CivilDate("2026-11-16")),
            ReleaseTraits(cameOut: CivilDate("2026-10-13")), ReleaseTraits(),
            ReleaseTraits(isPrerelease: true, cameOut: CivilDate("2026-11-18")),
        ])
    func makesAReleaseInItsPlace(kind: HostStub.Kind, traits: ReleaseTraits) async throws {
        let host = try await HostStub.start(kind)
        host.change { $0.tags = ["v4.3.0"] }
        var summary = AttachedSummary.sample()
        summary.release = traits
        #expect(await attaching(summary, to: try target(host, create: true), TestLedger()) == "attached")
        let made = json(try #require(host.server.requests.first { $0.method == "POST" }).body)
        #expect(made["prerelease"] as? Bool == (kind == .gitlab ? nil : traits.isPrerelease))
        let latest = kind == .github ? "\(traits.isLatest)" : nil
        #expect(made["make_latest"] as? String == latest)
        let day = kind == .gitlab && !traits.isLatest ? traits.cameOut : nil
        #expect(made["released_at"] as? String == day.map { "\($0)T00:00:00Z" })
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    /// A release that the team made of a later version, such as one that waits for its review, stays the latest; GitHub
    /// decides between versions that cannot be compared.
    @Test(
        arguments: [HostStub.Kind.github, .gitlab],
        [
            ("v4.2.9", "true", false), ("v4.10.0", "false", true), ("5.0", "false", true),
            ("ios-9.0", "legacy", true),
        ])
    func leavesTheLatestToALaterVersion(
        kind: HostStub.Kind, row: (latest: String, word: String, isDated: Bool)
    ) async throws {
        let host = try await HostStub.start(kind)
        host.change { state in
            state.tags = ["v4.3.0"]
            state.releases = ["v9.0-old", row.latest].map { .init(tag: $0, body: "By Josh") }
        }
        var summary = AttachedSummary.sample()
        summary.release = ReleaseTraits(isLatest: true, cameOut: CivilDate("2026-11-16"))
        #expect(await attaching(summary, to: try target(host, create: true), TestLedger()) == "attached")
        let made = json(try #require(host.server.requests.first { $0.method == "POST" }).body)
        if kind == .github {
            #expect(made["make_latest"] as? String == row.word)
        } else {
            #expect(made["released_at"] as? String == (row.isDated ? "2026-11-16T00:00:00Z" : nil))
        }
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    /// GitLab's latest is the release with the last time: a later version that is there stays it, whenever the fix of an older
    /// one came out, and whether or not that is known.
    @Test(
        arguments: [
            ("v4.10.0", "2026-09-17T05:30:00.000Z", "2026-09-21", "2026-09-17T05:29:59Z", "v4.10.0"),
            ("v4.10.0", "2026-09-17T05:30:00.000+02:00", nil, "2026-09-17T03:29:59Z", "v4.10.0"),
            ("v4.10.0", "2026-09-17T05:30:00.000Z", "2026-09-02", "2026-09-02T00:00:00Z", "v4.10.0"),
            // An older version there gives way to one that came out later.
            ("v4.2.0", "2026-09-17T05:30:00.000Z", "2026-09-21", "2026-09-21T00:00:00Z", "v4.3.0"),
        ] as [(String, String, String?, String, String)], [true, false])
    func aFixOfAnOlderVersionIsNotTheLatest(
        row: (latest: String, at: String, cameOut: String?, made: String, newest: String), isNewest: Bool
    ) async throws {
        let host = try await HostStub.start(.gitlab)
        host.change { state in
            state.tags = ["v4.3.0"]
            state.releases = [
                .init(tag: "v4.0.0", body: "By Josh", releasedAt: "2026-08-01T00:00:00Z"),
                .init(tag: row.latest, body: "By Josh", releasedAt: row.at),
            ]
        }
        var summary = AttachedSummary.sample()
        summary.release = ReleaseTraits(isLatest: isNewest, cameOut: row.cameOut.flatMap { CivilDate($0) })
        #expect(await attaching(summary, to: try target(host, create: true), TestLedger()) == "attached")
        let made = json(try #require(host.server.requests.first { $0.method == "POST" }).body)
        // Of the newest version of all GitLab takes the time at which it is made.
        let isLatest = isNewest && row.latest == "v4.2.0"
        #expect(made["released_at"] as? String == (isLatest ? nil : row.made))
        func time(_ release: HostStub.Release) -> Instant {
            release.releasedAt.flatMap { Instant($0) } ?? runAt
        }
        let newest = host.now.releases.max { time($0) < time($1) }
        #expect(newest?.tag == row.newest && host.now.complaints == [])
        await host.server.stop()
    }

    /// A tag has no build in brackets, and nothing that Git does not allow in one.
    @Test(
        arguments: [
            (nil, "4.3.0", "v4.3.0"), (nil, "2024.11 (2411001)", "v2024.11"),
            (nil, "5.0 (beta)", "v5.0-beta"),
            (nil, "4.3.0+371", "v4.3.0+371"), (nil, "App: 4.3", "vApp-4.3"),
            ("{app}/{number}", "2024.11(7)", "lamp/2024.11"),
            ("v{version}", "2024.11 (2411001)", "v2024.11-2411001"),
            ("{app}-{version}", "4.3.0", "lamp-4.3.0"),
        ] as [(String?, String, String)])
    func aTagIsOneThatGitAllows(form: String?, release: String, tag: String) async throws {
        let host = try await HostStub.start(.github)
        host.change { $0.releases = [.init(tag: tag, body: "Notes")] }
        let target = try target(host, form.map { ["tag": $0] } ?? [:])
        #expect(await attaching(.sample(.release, release), to: target, TestLedger()) == "attached")
        #expect(host.now.releases[0].body.contains("Lamp \(release)") && host.now.complaints == [])
        #expect(target.slot(of: .sample(.release, release)) == tag)
        await host.server.stop()
    }

    /// Where several apps have their releases in one repository, each is compared with its own.
    @Test(arguments: [("app2-5.0", "false"), ("app2-4.0", "true"), ("other-5.0", "legacy")])
    func comparesTheVersionInATag(row: (latest: String, word: String)) async throws {
        let host = try await HostStub.start(.github)
        host.change { state in
            state.tags = ["app2-4.3.0"]
            state.releases = [.init(tag: row.latest, body: "By Josh")]
        }
        var summary = AttachedSummary.sample()
        (summary.app, summary.release) = ("app2", ReleaseTraits(isLatest: true))
        let target = try target(host, ["tag": "{app}-{version}"], create: true)
        #expect(await attaching(summary, to: target, TestLedger()) == "attached")
        let made = json(try #require(host.server.requests.first { $0.method == "POST" }).body)
        #expect(made["make_latest"] as? String == row.word && host.now.complaints == [])
        await host.server.stop()
    }

    /// A repository that was renamed answers with the way to its number or its new name.
    @Test(
        arguments: HostStub.Kind.allCases,
        [
            ("/repositories/42", true), ("https://elsewhere.example/repositories/42", false),
        ])
    func aRepositoryThatWasRenamedIsNamed(
        kind: HostStub.Kind, row: (place: String, isRenamed: Bool)
    ) async throws {
        let moved = StubResponse.json(
            #"{"message":"Moved Permanently"}"#, status: 301, headers: [("Location", row.place)])
        let host = try await HostStub.start(kind) { _, _ in moved }
        let outcome = await attach(
            .sample(), to: try target(host), named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { _ in }
        let key = kind == .gitlab ? "project" : "repository"
        let hint =
            row.isRenamed
            ? "the \(key) was renamed or moved: write its new name in '\(key)'"
            : "use the final URL in the configuration; redirects are not followed with credentials"
        #expect(outcome.failure?.hints == [hint])
        await host.server.stop()
    }

    /// GitHub answers 404 to a token that may read a release and not change it, as to that of a workflow where the commit
    /// changes workflow files.
    @Test(arguments: HostStub.Kind.allCases, [false, true])
    func aWriteThatFindsNothingLacksRights(kind: HostStub.Kind, creates: Bool) async throws {
        let host = try await HostStub.start(kind) { _, request in
            request.method == "GET" ? nil : .json(#"{"message":"Not Found"}"#, status: 404)
        }
        host.change { state in
            state.tags = ["v4.3.0"]
            if !creates { state.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        }
        let outcome = await attach(
            .sample(), to: try target(host, create: creates), named: "place", knowing: AttachLedger(),
            AttachOptions(at: runAt)
        ) { _ in }
        let hint = try #require(outcome.failure?.hints.first)
        #expect(hint.hasPrefix("allow the token: ") && hint.contains("may read and not write"), "\(hint)")
        #expect(hint.contains("workflow files") == (kind == .github))
        await host.server.stop()
    }

    /// The token of a job writes releases; it does not learn whether a private project or its tag is there.
    @Test(arguments: [(true, "attach.refused"), (false, "no tag 'v4.3.0'")])
    func aJobWritesItsRelease(isPrivate: Bool, withoutTag: String) async throws {
        let host = try await HostStub.start(.gitlab, isPrivate: isPrivate, isJob: true)
        let target = try target(host, ["tokenKind": "job"], create: true)
        let report = AttachedSummary.sample(isForTeam: false)
        #expect(await attaching(report, to: target, TestLedger()) == withoutTag)
        host.change { $0.tags = ["v4.3.0"] }
        let ledger = TestLedger()
        #expect(await attaching(report, to: target, ledger, isDryRun: true) == "planned")
        #expect(await attaching(report, to: target, ledger) == "attached")
        #expect(await attaching(report, to: target, ledger) == "unchanged")
        #expect(host.now.releases.map(\.tag) == ["v4.3.0"] && host.now.complaints == [])
        await host.server.stop()
    }

    @Test func findsADraftAndLeavesItOne() async throws {
        let host = try await HostStub.start(.github)
        host.change { $0.releases = [.init(tag: "lamp/4.3.0", body: "", isDraft: true)] }
        let target = try target(host, ["tag": "{app}/{version}"])
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attached")
        #expect(host.now.releases[0].body.contains("plimsoll:begin") && host.now.releases[0].isDraft)
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    /// Somebody else writes between our write and our look: it is written again; three times is enough.
    @Test(arguments: [(1, "attached"), (9, "attach.overwritten")])
    func noticesALostUpdate(times: Int, word: String) async throws {
        let host = try await HostStub.start(.github)
        host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        let target = try target(host) { _, request in
            if request.method == .get, host.now.writes > 0, host.now.writes <= times {
                host.change { $0.releases[0].body = "Notes of others \($0.writes)" }
            }
            return nil
        }
        #expect(await attaching(.sample(), to: target, TestLedger()) == word)
        #expect(host.now.writes == min(times + 1, 3) && host.now.complaints == [])
        await host.server.stop()
    }

    @Test func saysThatAReleaseIsGone() async throws {
        let host = try await HostStub.start(.github)
        host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        let target = try target(host) { _, request in
            if request.method == .get, host.now.writes > 0 { host.change { $0.releases = [] } }
            return nil
        }
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attach.release-gone")
        #expect(host.now.writes == 1)
        await host.server.stop()
    }

    /// Whatever an answer is, nothing is lost, the next step is named, no secret is shown, and the next run completes.
    @Test(
        arguments: HostStub.Kind.allCases,
        [
            (403, "allow the token"), (404, "check the names"), (409, "attach again"), (412, "attach again"),
            (422, "read what the service said"), (429, "wait as long"), (500, "the next run sends it"),
            (302, "use the final URL"), (401, "check that the token"),
        ])
    func nothingIsLostWhenAnAnswerIsBad(kind: HostStub.Kind, fault: (status: Int, hint: String)) async throws
    {
        let bad = StubResponse.json(
            #"{"message":"no \#(HostStub.token)"}"#, status: fault.status,
            headers: [("Retry-After", "1"), ("Location", "http://127.0.0.1:1/elsewhere")])
        for number in 1...4 {
            let host = try await HostStub.start(kind) { count, _ in count == number ? bad : nil }
            host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
            let (ledger, target) = (TestLedger(), try target(host))
            let outcome = await attach(
                .sample(), to: target, named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
            ) { ledger.keep($0) }
            // The fourth request of a public check, a read, a write and a read back is the last.
            if let failure = outcome.failure, host.now.count >= number {
                let text = "\(failure)"
                #expect(!text.contains(HostStub.token) && failure.hints.count == 1, "\(text)")
                // A release that is gone when it is read back was removed meanwhile.
                // What was read and cannot be found to be written needs a token that may.
                let hint = fault.status == 404 && number == 3 ? "allow the token" : fault.hint
                #expect(
                    failure.hints[0].contains(hint) || failure.id == "attach.release-gone",
                    "\(number): \(failure.hints)")
            }
            #expect(host.now.releases[0].body.hasPrefix("Notes"))
            let again = await attaching(.sample(), to: target, ledger)
            #expect(["attached", "unchanged"].contains(again), "\(number) \(fault.status): \(again)")
            #expect(host.now.releases[0].body.contains("Hold. 96.1%"))
            #expect(host.now.releases[0].body.ranges(of: "plimsoll:begin").count == 1)
            #expect(ledger.states.last == .sent && host.now.complaints == [])
            await host.server.stop()
        }
    }

    /// An answer that is lost, or a connection that is not made, at each request.
    @Test(arguments: HostStub.Kind.allCases, [LosingSender.Loss.answer, .request])
    func nothingIsLostWhenAnAnswerIsLost(kind: HostStub.Kind, loss: LosingSender.Loss) async throws {
        for creates in [false, true] {
            for number in 1...8 {
                let host = try await HostStub.start(kind)
                host.change {
                    $0.tags = ["v4.3.0"]
                    if !creates { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
                }
                let ledger = TestLedger()
                let faulty = try target(host, create: true) { count, _ in count == number ? loss : nil }
                _ = await attaching(.sample(), to: faulty, ledger)
                _ = await attaching(.sample(), to: try target(host, create: true), ledger)
                #expect(host.now.releases.count == 1, "\(number)")
                #expect(host.now.releases[0].body.ranges(of: "plimsoll:begin").count == 1, "\(number)")
                #expect(ledger.states.last == .sent && host.now.complaints == [], "\(number)")
                await host.server.stop()
            }
        }
    }

    @Test func waitsAsLongAsTheServiceAsks() async throws {
        let limits: [(StubResponse, Int)] = [
            (.json("{}", status: 403, headers: [("Retry-After", "7")]), 7000),
            (
                .json(
                    "{}", status: 403,
                    headers: [
                        ("X-RateLimit-Remaining", "0"),
                        ("X-RateLimit-Reset", "\(runAt.secondsSinceEpoch + 30)"),
                    ]), 30_000
            ),
            (.json("{}", status: 403, headers: [("X-RateLimit-Remaining", "0")]), 60_000),
            // GitHub's second limit comes without a header at times; its documentation says a minute.
            (
                .json(#"{"message":"You have exceeded a secondary rate limit."}"#, status: 403), 60_000
            ),
        ]
        for (response, wait) in limits {
            let waits = Waits()
            let host = try await HostStub.start(.github) { count, _ in count == 1 ? response : nil }
            host.change { $0.releases = [.init(tag: "v4.3.0", body: "")] }
            #expect(
                await attaching(.sample(), to: try target(host, waits: waits), TestLedger()) == "attached")
            #expect(waits.milliseconds == [wait, 1000] && host.now.complaints == [])
            await host.server.stop()
        }
    }

    /// GitHub gives the reason of a refusal in its errors alone.
    @Test(arguments: [
        (#"[{"resource":"Release","code":"already_exists","field":"tag_name"}]"#, "tag_name already_exists"),
        (
            #"[{"code":"custom","message":"body is too long (maximum is 125000 characters)"}]"#,
            "body is too long"
        ),
        (#"["body is too long"]"#, "Validation Failed: body is too long"), (#"{"a":1}"#, "Validation Failed"),
    ])
    func theReasonOfARefusalIsShown(errors: String, words: String) async throws {
        let host = try await HostStub.start(.github) { count, _ in
            count == 1 ? .json(#"{"message":"Validation Failed","errors":\#(errors)}"#, status: 422) : nil
        }
        let outcome = await attach(
            .sample(), to: try target(host), named: "place", knowing: AttachLedger(), AttachOptions(at: runAt)
        ) { _ in }
        #expect(outcome.failure.map { "\($0)" }?.contains(words) == true)
        await host.server.stop()
    }

    /// What is too long is cut at the borders of blocks, with a line that says so; notes without room are refused.
    @Test func keepsToTheLimit() async throws {
        let host = try await HostStub.start(.github)
        let notes = String(repeating: "é", count: 100_000)
        host.change { $0.releases = [.init(tag: "v4.3.0", body: notes)] }
        let target = try target(host)
        #expect(await attaching(.sample(rows: 2000), to: target, TestLedger()) == "attached")
        let body = host.now.releases[0].body
        #expect(body.hasPrefix(notes) && body.utf16.count <= 125_000 && body.utf16.count > 124_000)
        #expect(body.contains("skipped: 125000 characters is the most that release notes hold at GitHub."))
        host.change { $0.releases[0].body = String(repeating: "x", count: 124_990) }
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attach.no-room")
        host.change { $0.releases[0].body = "<!-- plimsoll:end -->" }
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attach.marks")
        #expect(host.now.releases[0].body == "<!-- plimsoll:end -->" && host.now.complaints == [])
        await host.server.stop()
    }

    /// A summary for the team in a public repository is refused, unless the configuration names the reader.
    @Test(arguments: HostStub.Kind.allCases)
    func refusesASummaryForTheTeamInPublic(kind: HostStub.Kind) async throws {
        let host = try await HostStub.start(kind, isPrivate: false)
        host.change { $0.releases = [.init(tag: "v4.3.0", body: "Notes")] }
        let target = try target(host)
        for isDryRun in [true, false] {
            #expect(
                await attaching(.sample(), to: target, TestLedger(), isDryRun: isDryRun, namesReader: false)
                    == "attach.audience")
        }
        #expect(host.now.writes == 0)
        let open = AttachedSummary.sample(isForTeam: false)
        #expect(await attaching(open, to: target, TestLedger(), namesReader: false) == "attached")
        #expect(
            await attaching(.sample(text: "All"), to: target, TestLedger(), namesReader: true) == "updated")
        #expect(host.now.complaints == [])
        await host.server.stop()
    }

    @Test(arguments: ["lamp", "team/", "/lamp", "team/lamp/x", "../lamp"])
    func refusesWhatIsNoRepository(name: String) async throws {
        let host = try await HostStub.start(.github)
        #expect(throws: (any Error).self) { try target(host, ["repository": name]) }
        #expect(throws: (any Error).self) { try target(host, ["tag": "latest"]) }
        await host.server.stop()
    }
}
