import LoopbackServer
import Testing

/// What is said of the services' limits before the first byte is sent.
struct PlanTests {
    private func configuration(_ origin: String, apps: Int, more: String = "") -> String {
        let list = (1...apps).map { number in
            """
              - id: ferry\(number)
                sources: [{provider: bugsnag, project: ferry, url: "\(origin)", token: "${QUAY_TOKEN}"}]
            """
        }
        return "asOf: 2026-11-19T06:00:00Z\n\(more)\napps:\n\(list.joined(separator: "\n"))\n"
    }

    @Test(arguments: [(1, "no wait"), (2, "at least 60 s"), (5, "at least 240 s")])
    func aPlanStatesTheLimitOfEachHost(apps: Int, wait: String) async throws {
        let server = try await BugsnagStub.start(lastDay: 18)
        let folder = try Folder()
        try folder.write("plimsoll.yml", configuration(server.origin, apps: apps))
        let run = try await Program.run("fetch", "--plan", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("ferry1 from bugsnag: at most 25 requests\n"))
        #expect(
            run.output.contains(
                "  \(server.origin): at most \(apps * 25) requests; limit 30 requests in 60 s (BugSnag, "))
        #expect(run.output.contains("; \(wait)\n"))
        #expect(server.requests.isEmpty)
    }

    /// BugSnag counts by token: two tokens do not wait for each other.
    @Test func aPlanStatesEachCredentialOfAHost() async throws {
        let folder = try Folder()
        let origin = "http://127.0.0.1:9"
        let list = [("one", "A"), ("two", "B"), ("three", "B")].map { name, variable in
            """
              - id: \(name)
                sources: [{provider: bugsnag, project: ferry, url: "\(origin)", token: "${\(variable)}"}]
            """
        }
        try folder.write("plimsoll.yml", "apps:\n\(list.joined(separator: "\n"))\n")
        let run = try await Program.run(
            "fetch", "--plan", in: folder, environment: ["A": token, "B": "other-" + token])
        #expect(run.status == 0, "\(run.errors)")
        let limit = "requests; limit 30 requests in 60 s (BugSnag, "
        #expect(
            run.output.contains("  \(origin) with the credential of one from bugsnag: at most 25 \(limit)"))
        #expect(
            run.output.contains("  \(origin) with the credential of two from bugsnag: at most 50 \(limit)"))
        #expect(run.output.contains("; no wait\n") && run.output.contains("; at least 60 s\n"))
        #expect(!run.printed.contains(token))
    }

    @Test func aPlanThatDoesNotFitIsReportedBeforeAnythingIsSent() async throws {
        let server = try await BugsnagStub.start(lastDay: 18)
        let folder = try Folder()
        try folder.write("plimsoll.yml", configuration(server.origin, apps: 3, more: "timeBudget: 30"))
        let reported = "75 requests to \(server.origin) need at least 120 s; this run has 30 s"
        let plan = try await Program.run("fetch", "--plan", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(plan.status == 1)
        #expect(
            plan.errors.contains(reported)
                && plan.errors.contains("hint: request less, or raise 'timeBudget'"))
        #expect(server.requests.isEmpty)
        let run = try await Program.run("fetch", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.hasPrefix("warning: \(reported)"), "\(run.errors)")
    }

    /// A service that names no number is said to name none.
    @Test func aHostWithoutANumberIsSaidToHaveNone() async throws {
        let folder = try Folder()
        try folder.write(
            "plimsoll.yml",
            """
            apps:
              - id: a
                sources:
                  - {provider: sentry, organization: o, project: p, token: "${QUAY_TOKEN}"}
                  - {provider: socorro, product: Fenix}
                  - {provider: files, path: data}
            """)
        let run = try await Program.run("fetch", "--plan", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                "  https://sentry.io: at most 150 requests; no documented limit (docs.sentry.io/api/ratelimits"
            ))
        #expect(
            run.output.contains(
                "  https://crash-stats.mozilla.org: at most 2 requests; limit 100 requests in 60 s (Socorro's settings"
            ))
        #expect(run.output.contains("a from files: at most "))
    }
}
