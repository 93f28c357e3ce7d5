import AppHealth
import Archive
import Foundation
import GoogleStub
import LoopbackServer
import Synchronization
import Testing

/// Each service from its configuration to a page: fetch, archive, build.
struct ServiceTests {
    /// A service with its keys and what its figures look like on the pages of the app.
    struct Service: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The keys of the source; `ORIGIN` is replaced by the address of the server.
        let keys: String
        /// What the overview, or the page of the usage or of the issues, must show.
        let figure: String
        let page: String
        /// Whether it reports anything of which a crash-free rate can be made.
        var knowsHealth = true
        let handler: @Sendable (StubTokenServer) -> LoopbackServer.Handler

        init(
            _ provider: String, _ keys: String, shows figure: String, on page: String = "index.html",
            knowsHealth: Bool = true,
            _ handler: @escaping @Sendable (StubTokenServer) -> LoopbackServer.Handler
        ) {
            testDescription = provider
            (self.keys, self.figure, self.page) = (keys, figure, page)
            (self.knowsHealth, self.handler) = (knowsHealth, handler)
        }
    }

    static let services = [
        Service(
            "sentry", "organization: lantern-works, project: sketchbook-ios, token: \"${QUAY_TOKEN}\"",
            shows: "4,321"
        ) { _ in ServiceStub.sentry() },
        Service(
            "glitchtip", "organization: harbour-lab, project: sketchbook, token: \"${QUAY_TOKEN}\"",
            shows: "| 400 |", on: "issues/index.md", knowsHealth: false
        ) { _ in ServiceStub.glitchtip },
        Service(
            "bugsink", "project: sketchbook, token: \"${QUAY_TOKEN}\"", shows: "5,577", knowsHealth: false
        ) { _ in ServiceStub.bugsink },
        Service(
            "crashlytics", "app: \"1:123456789012:android:0a1b\", accountFile: key.json", shows: "790"
        ) { ServiceStub.google($0, ServiceStub.crashlytics) },
        Service("play", "package: org.example.sketchbook, accountFile: key.json", shows: "13,000") {
            ServiceStub.google($0, ServiceStub.play)
        },
        Service(
            "ga4", "property: 4242, accountFile: key.json", shows: "1,800", on: "usage/index.html"
        ) { ServiceStub.google($0, ServiceStub.analytics) },
        Service("socorro", "product: Fenix", shows: "2,345", knowsHealth: false) { _ in ServiceStub.socorro },
    ]

    /// A project with one app from one source.
    private func project(_ provider: String, _ keys: String) throws -> Folder {
        let folder = try Folder()
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-11-20T06:00:00Z
            apps:
              - id: sketchbook
                sources: [{provider: \(provider), \(keys)}]
            """)
        return folder
    }

    @Test(arguments: services) func itsFiguresReachThePages(service: Service) async throws {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start(handler: service.handler(tokens))
        let folder = try project(
            service.testDescription, "\(service.keys), url: \"\(server.origin)\"")
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let fetch = try await Program.run("fetch", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(fetch.status == 0, "\(fetch.errors)")
        #expect(
            fetch.output.hasPrefix("✓ sketchbook from \(service.testDescription): 1 snapshot, "),
            "\(fetch.printed)")
        try await check(folder, shows: service.figure, on: service.page)
        try checkHealth(folder, service.testDescription, isKnown: service.knowsHealth)
        #expect(!fetch.printed.contains(token) && !fetch.printed.contains("ya29."))
        #expect(try folder.tree().files(with: token) == [])
        #expect(try folder.tree().files(with: "ya29.") == [])
    }

    /// As apps on Firebase use them: Crashlytics reports issues and no totals, Analytics reports rates.
    @Test func crashlyticsStatesIssuesAndAnalyticsRates() async throws {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start(
            handler: ServiceStub.google(tokens) { request in
                if request.path.hasSuffix("/reports") {
                    return .json(
                        #"{"reports":[{"name":"x/reports/topIssues"},{"name":"x/reports/topVersions"}]}"#)
                }
                return try request.path.hasPrefix("/v1beta/")
                    ? ServiceStub.analytics(request) : ServiceStub.crashlytics(request)
            })
        let folder = try project(
            "crashlytics",
            """
            app: "1:123456789012:android:0a1b", accountFile: key.json, url: "\(server.origin)"},
                      {provider: ga4, property: 4242, accountFile: key.json, url: "\(server.origin)"
            """)
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let fetch = try await Program.run("fetch", in: folder)
        await server.stop()
        #expect(fetch.status == 0, "\(fetch.errors)")
        try await check(folder, shows: "Canvas.kt: Canvas.flush", on: "issues/index.md")
        let overview = folder.text("site/apps/sketchbook/index.md")
        #expect(overview.contains("98.88%"), "\(overview)")
    }

    /// Play names a release as long as it is served, or not at all when that request fails; its figures go on with the
    /// version code.
    @Test(arguments: [#"{"tracks":[]}"#, ""]) func aReleaseOfPlayKeepsItsName(answer: String) async throws {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let fetches = Mutex(0)
        let server = try await LoopbackServer.start(
            handler: ServiceStub.google(tokens) { request in
                guard request.path.hasSuffix(":fetchReleaseFilterOptions"), fetches.withLock({ $0 > 0 })
                else { return try ServiceStub.play(request) }
                return answer.isEmpty ? .json("{}", status: 403) : .json(answer)
            })
        let folder = try project(
            "play", "package: org.example.sketchbook, accountFile: key.json, url: \"\(server.origin)\"")
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        var labels: [[String]] = []
        for hour in ["06", "18"] {
            try folder.write(
                "plimsoll.yml",
                folder.text("plimsoll.yml").replacing("2026-11-20T06", with: "2026-11-20T\(hour)"))
            let fetch = try await Program.run("fetch", in: folder)
            #expect(fetch.status == 0, "\(fetch.errors)")
            fetches.withLock { $0 += 1 }
            let archive = try Archive(at: folder.path + "/archive.sqlite", for: .reading)
            let app = App(id: Slug(anyText: "sketchbook"), name: "Sketchbook")
            let source = Source(
                id: Slug(anyText: "play"), provider: "play", sessionDefinition: "", userDefinition: "",
                zone: "UTC",
                delay: "", capabilities: [])
            let history = try archive.history(
                of: app, sources: [source], asOf: try #require(Instant("2026-11-21T06:00:00Z"))
            ).history
            try archive.close()
            let found = try #require(history.sources.first)
            labels.append(
                Set(found.health.compactMap { $0.version }).sorted()
                    + found.issues.compactMap { $0.lastVersion?.description })
        }
        await server.stop()
        #expect(labels[0].contains("4.2.1+370") && labels[1] == labels[0])
    }

    /// A refusal of one night leaves the numbers of the night before, with the reason; it does not make of them something that
    /// the service does not provide.
    @Test func aRefusalOfOneNightKeepsTheRates() async throws {
        let fetches = Mutex(0)
        let (good, refusing) = (ServiceStub.sentry(), ServiceStub.sentry(refuses: "sessions"))
        let server = try await LoopbackServer.start { request in
            try await (fetches.withLock { $0 } == 0 ? good : refusing)(request)
        }
        let folder = try project(
            "sentry",
            "organization: lantern-works, project: sketchbook-ios, token: \"${QUAY_TOKEN}\", url: \"\(server.origin)\""
        )
        let token = ["QUAY_TOKEN": token]
        let first = try await Program.run("fetch", in: folder, environment: token)
        #expect(first.status == 0, "\(first.errors)")
        fetches.withLock { $0 += 1 }
        try folder.write(
            "plimsoll.yml", folder.text("plimsoll.yml").replacing("2026-11-20T06", with: "2026-11-20T18"))
        let second = try await Program.run("fetch", in: folder, environment: token)
        await server.stop()
        #expect(second.status != 0 && second.printed.contains("403"), "\(second.printed)")
        let build = try await Program.run("build", in: folder)
        #expect(build.printed.contains("source sentry is stale"), "\(build.printed)")
        let page = folder.text("site/apps/sketchbook/index.md")
        #expect(page.contains("4,321") && page.contains("Stale") && page.contains("403"))
        #expect(!page.contains("would add crash-free") && !page.contains("doesn't provide this"))
    }

    @Test func payloadsOfMetricKitReachThePages() async throws {
        let folder = try project("metrickit", "path: payloads")
        try folder.write("payloads/crash.json", try ServiceStub.fixture("metrickit/crash.json"))
        let fetch = try await Program.run("fetch", in: folder)
        #expect(fetch.output.hasPrefix("✓ sketchbook from metrickit: 1 snapshot, "), "\(fetch.printed)")
        try await check(folder, shows: "EXC_BAD_ACCESS SIGSEGV in Sketchbook", on: "index.html")
        try checkHealth(folder, "metrickit", isKnown: false)
    }

    @Test func aTableOfDaysReachesThePages() async throws {
        let folder = try project("files", "path: tables")
        let name = "sketchbook-2026-11-20.csv"
        try folder.write("tables/\(name)", try ServiceStub.fixture("csv/\(name)"))
        let fetch = try await Program.run("fetch", in: folder)
        #expect(fetch.output.hasPrefix("✓ sketchbook from files: 1 snapshot, "), "\(fetch.printed)")
        try await check(folder, shows: "60,800", on: "index.html")
        try checkHealth(folder, "files", isKnown: true)
    }

    private func check(_ folder: Folder, shows figure: String, on page: String) async throws {
        let build = try await Program.run("build", in: folder)
        #expect(build.status == 0, "\(build.errors)")
        let text = folder.text("site/apps/sketchbook/\(page)")
        #expect(text.contains(figure), "\(figure) is not on \(page)")
    }

    /// A source without a denominator is said not to know the rate; no rate is shown in its place.
    private func checkHealth(_ folder: Folder, _ provider: String, isKnown: Bool) throws {
        let (page, text) = (
            folder.text("site/apps/sketchbook/index.html"), folder.text("site/apps/sketchbook/index.md")
        )
        let saysNoRate =
            decoded(page).contains("No rate: '\(provider)' doesn't provide this")
            || page.contains("A source of crashed sessions or affected users would add crash-free")
        #expect(saysNoRate == !isKnown)
        // Either there is no such tile, or it says why it has no number.
        for name in ["Crash-free users", "Crash-free sessions"] where !isKnown {
            let row = "| \(name) | – | – | – | Not available: '\(provider)' doesn't provide this |"
            #expect(
                text.contains(row) || !text.contains("\n| \(name) |"),
                "\(text.split(separator: "\n").filter { $0.contains(name) })")
        }
    }

    @Test func oneAccountMakesOneTokenForAllItsApps() async throws {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start(
            handler: ServiceStub.google(tokens, ServiceStub.analytics))
        let folder = try Folder()
        let source =
            "sources: [{provider: ga4, property: 4242, accountFile: key.json, url: \"\(server.origin)\"}]"
        try folder.write(
            "plimsoll.yml",
            "asOf: 2026-11-20T06:00:00Z\napps:\n  - id: one\n    \(source)\n  - id: two\n    \(source)\n")
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let run = try await Program.run("fetch", in: folder)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(tokens.exchanges == 1)
        #expect(server.requests.count { $0.path != "/token" } >= 2)
    }
}
