import Foundation
import LoopbackServer
import Testing

/// The second night after a good one, with a service that fails.
struct FaultTests {
    /// What the service does, and what must be reported.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let does: Doing
        /// What standard error must hold; `ORIGIN` is replaced by the address of the service.
        let reported: [String]
        /// The configured seconds of a request.
        let timeout: Int

        enum Doing: Sendable {
            case answer(@Sendable (RecordedRequest) -> StubResponse?)
            case raw([FaultServer.Step])
            case nothingListens
        }

        init(_ name: String, _ does: Doing, timeout: Int = 60, _ reported: String...) {
            (self.testDescription, self.does, self.timeout, self.reported) = (name, does, timeout, reported)
        }
    }

    @Test(arguments: faults)
    func lastGoodDataStaysAndTheFaultIsReported(fault: Fault) async throws {
        let (origin, keep) = try await start(fault.does)
        let (folder, run) = try await FirstNight.second(asking: origin, timeout: fault.timeout)
        await (keep as? LoopbackServer)?.stop()
        withExtendedLifetime(keep) {}
        #expect(run.status == 1, "\(run.printed)")
        for words in fault.reported {
            #expect(
                run.errors.contains(words.replacing("ORIGIN", with: origin)),
                "\(words) is missing in:\n\(run.errors)")
        }
        #expect(run.errors.contains("error: ferry/bugsnag: "), "\(run.errors)")
        #expect(!run.errors.contains("error: ferry/bugsnag: bugsnag: "))
        #expect(run.output.contains("✗ ferry from bugsnag: 0 snapshots, 0 new or changed values"))
        try await checkSite(in: folder, run)
    }

    private func start(_ doing: Fault.Doing) async throws -> (origin: String, keep: any Sendable) {
        switch doing {
        case .answer(let change):
            let server = try await BugsnagStub.start(lastDay: 19, change: change)
            return (server.origin, server)
        case .raw(let steps):
            let server =
                try steps.count == 1 ? FaultServer.start(steps[0]) : FaultServer.start(steps[0], steps[1])
            return (server.origin, server)
        case .nothingListens: return ("http://127.0.0.1:\(try FaultServer.refusedPort())", 0)
        }
    }

    static let faults: [Fault] = [
        Fault(
            "401 that repeats the token",
            .answer { .json(#"{"errors":["Bad \#($0.header("Authorization") ?? "")"]}"#, status: 401) },
            "[transport.status-401]", "at ORIGIN/user/organizations",
            "hint: make a new personal auth token in BugSnag"),
        Fault(
            "403", .answer { _ in .json(#"{"errors":["plan"]}"#, status: 403) }, "[transport.status-403]",
            "hint: check that the plan"),
        Fault(
            "404", .answer { _ in .json(#"{"errors":["User not found"]}"#, status: 404) },
            "[transport.status-404]",
            "hint: use a personal auth token"),
        Fault(
            "429",
            .answer { _ in
                .json(#"{"errors":["slow down"]}"#, status: 429, headers: [("Retry-After", "86400")])
            },
            "[transport.status-429]", "Retry-After: 86400", "hint: wait as long as the server requests"),
        Fault(
            "500", .answer { _ in .text("Oops \u{1B}[31m", status: 500) }, "[transport.status-500]",
            "after 4 attempts",
            "hint: try again later"),
        Fault(
            "HTML",
            .answer { _ in
                StubResponse(
                    headers: [("Content-Type", "text/html")],
                    body: Array("<!DOCTYPE html><title>Log in</title>".utf8))
            },
            "[decoding.not-json]", "invalid JSON: an HTML page", "at ORIGIN/user/organizations",
            "hint: check whether a proxy or login page responded"),
        Fault(
            "JSON that stops", .answer { _ in .json(#"[{"id":"org1","na"#) }, "[decoding.not-json]",
            "invalid JSON: unexpected end at ", "at ORIGIN/user/organizations:1:"),
        Fault("nothing", .answer { _ in .json("") }, "[decoding.not-json]", "invalid JSON: empty response"),
        Fault(
            "not UTF-8", .answer { _ in StubResponse(body: [0x5B, 0xFF, 0xFE, 0x5D]) }, "[decoding.not-json]",
            "not UTF-8 at 1:2"),
        Fault(
            "NaN", .answer { _ in .json(#"[{"id":NaN}]"#) }, "[decoding.not-json]",
            "at ORIGIN/user/organizations:1:8"),
        Fault(
            "100,000 levels", .answer { _ in .json(String(repeating: "[", count: 100_000)) },
            "[decoding.not-json]", "invalid JSON: more than 512 nested levels"),
        Fault(
            "circle of redirects", .answer { .redirect(to: $0.path == "/a" ? "/b" : "/a") },
            "[transport.redirect]", "redirect loop", "after 1 attempt and"),
        Fault(
            "redirect to a file", .answer { _ in .redirect(to: "file:///etc/hostname") },
            "[transport.redirect]"),
        Fault(
            "coding that was not requested",
            .answer { _ in
                StubResponse(headers: [("Content-Encoding", "deflate")], body: [0x78, 0x9C, 3, 0])
            }, "[transport.encoding]", "compressed as 'deflate'; accepted: gzip, br, zstd"),
        Fault(
            "wrong type at depth",
            .answer {
                guard $0.path.hasSuffix("stability_trend") else { return nil }
                return .json(#"{"timeline_points":{"a":1}}"#)
            },
            "[decoding.mismatch]", "timeline_points: expected a list", "at ORIGIN/projects/p1/stability_trend"
        ),
        Fault(
            "misspelled key",
            .answer {
                $0.path.hasSuffix("stability_trend")
                    ? .json(BugsnagStub.trend(to: 19, key: "timeline_pionts")) : nil
            },
            "[decoding.missing-key]", "timeline_points", "hint: rename 'timeline_pionts' if it was meant"),
        Fault(
            "project of another name",
            .answer {
                $0.path.hasSuffix("/projects") ? .json(#"[{"id":"p2","slug":"fery","name":"F"}]"#) : nil
            },
            "[bugsnag.not-found]", "unknown project 'ferry'",
            "at ORIGIN/organizations/{organization}/projects", "hint: did you mean 'fery'?"),
        Fault(
            "body of 1 GB",
            .raw([
                .text("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n["),
                .sendForever(Array(repeating: 0x31, count: 1 << 16)),
            ]),
            "[transport.too-large]", "hint: request a shorter window"),
        Fault(
            "body without end",
            .raw([.text("HTTP/1.1 200 OK\r\n\r\n["), .sendForever(Array(repeating: 0x31, count: 1 << 20))]),
            "[transport.too-large]"),
        Fault(
            "body cut off", .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n[{")]),
            "[transport.truncated]", "after 4 attempts"),
        Fault("no answer ever", .raw([.stall]), timeout: 1, "[transport.timeout]", "hint: try again later"),
        Fault("broken connection", .raw([.reset]), "[transport.reset]"),
        Fault("not HTTP", .raw([.text("SSH-2.0-OpenSSH\r\n")]), "[transport."),
        Fault("nothing listens", .nothingListens, "[transport.refused]", "hint: check host, port and proxy"),
    ]

    @Test func unsetVariableIsReported() async throws {
        let (folder, run) = try await FirstNight.second(asking: "http://127.0.0.1:1", environment: [:])
        #expect(run.status == 1)
        #expect(run.errors.contains("Environment variable QUAY_TOKEN is not set"))
        #expect(run.errors.contains("  at plimsoll.yml:9:9"))
        #expect(run.errors.contains("  hint: set it for the job that runs plimsoll: export QUAY_TOKEN="))
        try await checkSite(in: folder, run)
    }

    @Test func missingTokenFileIsReported() async throws {
        let (folder, run) = try await FirstNight.second(
            asking: "http://127.0.0.1:1", secret: "tokenFile: gone")
        #expect(run.status == 1)
        #expect(run.errors.contains("[file.missing]"))
        try await checkSite(in: folder, run)
    }

    /// The first 401 ends the provider, wherever in the run it comes: one request, one error.
    @Test(arguments: [
        ("/user/organizations", 1), ("/organizations/org1/projects", 2), ("/projects/p1/stability_trend", 3),
    ])
    func aRefusedTokenIsNotUsedAgain(path: String, requests: Int) async throws {
        let server = try await BugsnagStub.start(lastDay: 19) { request in
            request.path == path ? .json(#"{"errors":["Unauthorized"]}"#, status: 401) : nil
        }
        let (folder, run) = try await FirstNight.second(asking: server.origin)
        await server.stop()
        #expect(server.requests.count == requests)
        #expect(
            run.status == 1
                && run.errors.split(separator: "error: ", omittingEmptySubsequences: false).count == 2,
            "\(run.errors)")
        #expect(run.errors.contains("after 1 attempt and "))
        try await checkSite(in: folder, run)
    }

    @Test func theFirstOfTwoKeysCounts() async throws {
        let server = try await BugsnagStub.start(lastDay: 19) { request in
            guard request.path.hasSuffix("stability_trend") else { return nil }
            return .json(
                BugsnagStub.trend(to: 19).replacing(
                    #""users_seen":3019"#, with: #""users_seen":3019,"users_seen":9999"#))
        }
        let (folder, run) = try await FirstNight.second(asking: server.origin)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.text("site/apps/ferry/index.html").contains("3,019"))
        #expect(!folder.text("site/apps/ferry/index.html").contains("9,999"))
    }

    @Test func skipsOnlyTheBadDay() async throws {
        let server = try await BugsnagStub.start(lastDay: 19) { request in
            guard request.path.hasSuffix("stability_trend") else { return nil }
            return .json(BugsnagStub.trend(to: 19).replacing("8012", with: "\"8012\""))
        }
        let (folder, run) = try await FirstNight.second(asking: server.origin)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("timeline_points[2].total_sessions_count: expected"))
        #expect(folder.text("site/apps/ferry/index.html").contains("3,019"))
        #expect(folder.text("site/sources/index.html").contains("timeline_points[2]"))
    }

    /// What several values have in common is said once, with app and source.
    @Test func alikeWarningsAreOneOnTheConsole() async throws {
        let server = try await BugsnagStub.start(lastDay: 19) { request in
            guard request.path.hasSuffix("stability_trend") else { return nil }
            return .json(
                BugsnagStub.trend(to: 19).replacing(/801[2-5]/) { "\"\($0.output)\"" })
        }
        let (folder, run) = try await FirstNight.second(asking: server.origin)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("warning: ferry/bugsnag: timeline_points[2].total_sessions_count: expected"))
        #expect(
            run.errors.contains(
                "  3 more like it, last at \(server.origin)/projects/p1/stability_trend: timeline_points[5]."),
            "\(run.errors)")
        #expect(!run.errors.contains("bugsnag: timeline_points[3]"), "\(run.errors)")
        #expect(folder.text("site/sources/index.html").contains("timeline_points[3]"))
    }

    /// Another stage is configured, and a night later it is the project's primary one: the archive keeps its days.
    @Test func anotherReleaseStageNeverTakesThePlaceOfStoredDays() async throws {
        let server = try await BugsnagStub.start(lastDay: 20) { request in
            guard request.path.hasSuffix("stability_trend") else { return nil }
            return .json(
                BugsnagStub.trend(to: 20).replacing("\"production\"", with: "\"beta\"").replacing(
                    "\"users_seen\":30", with: "\"users_seen\":70"))
        }
        let before = try await BugsnagStub.start(lastDay: 19)
        let (folder, first) = try await FirstNight.second(asking: before.origin)
        #expect(first.status == 0, "\(first.errors)")
        func night(_ day: Int, _ origin: String) async throws -> Run {
            try folder.write(
                "plimsoll.yml",
                Quay.configuration(bugsnag: origin, day: day).replacing(
                    "        project: ferry\n", with: "        project: ferry\n        releaseStage: beta\n"))
            return try await Program.run(
                "run", "--threads", "1", in: folder, environment: ["QUAY_TOKEN": token])
        }
        let second = try await night(21, before.origin)
        #expect(second.status == 0, "\(second.errors)")
        #expect(
            second.errors.contains(
                "warning: ferry/bugsnag: sessions and users are of release stage 'production', not 'beta'"),
            "\(second.errors)")
        let third = try await night(22, server.origin)
        await before.stop()
        await server.stop()
        #expect(third.status == 1, "\(third.printed)")
        #expect(
            third.errors.contains(
                "error: ferry/bugsnag: this source reported release stage 'production', not 'beta'"),
            "\(third.errors)")
        let page = folder.text("site/apps/ferry/index.html")
        #expect(page.contains("3,019") && !page.contains("7,019") && !page.contains("7,020"))
    }

    /// Ferry's last good figures are marked as stale, Buoy is as good as ever, and the token is nowhere.
    private func checkSite(in folder: Folder, _ run: Run) async throws {
        let page = folder.text("site/apps/ferry/index.html")
        #expect(page.contains("3,018"))
        #expect(page.contains("Stale: data from Thu, Nov 19, 2026, 06:00 UTC"))
        #expect(
            folder.text("site/apps/ferry/index.md").contains("Stale: data from Thu, Nov 19, 2026, 06:00 UTC"))
        #expect(folder.text("site/index.html").contains("stale"))
        #expect(folder.text("site/apps/buoy/index.html").contains("5,019"))
        #expect(!folder.text("site/apps/buoy/index.html").contains("is-stale"))
        #expect(run.output.contains("✓ buoy from files: "))
        #expect(run.output.contains("  ferry: source bugsnag is stale"))
        #expect(!run.printed.contains(token))
        #expect(!run.printed.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(try folder.tree().files(with: token) == [])
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }
}
