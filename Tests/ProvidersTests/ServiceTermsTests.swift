import AppHealth
import GoogleStub
import Testing
import Tokens
import Transport

@testable import Providers

/// What each provider says of its service's limits and of what it needs.
struct ServiceTermsTests {
    private struct Silent: Sender {
        func send(_ request: Request) async throws(TransportError) -> Response {
            throw TransportError(.closed, request.address, doing: "sending")
        }
    }

    private func providers() throws -> [any Provider] {
        let secret = try #require(Secret("t0ken"))
        let key = try ServiceAccountKey(
            json: StubAccount.shared.file(tokenAddress: "https://oauth2.googleapis.com/token"))
        let sender = Silent()
        return [
            try BugsnagProvider(BugsnagConfiguration(project: "a", token: secret), sender: sender),
            try SentryProvider(
                SentryConfiguration(organization: "o", project: "a", token: secret), sender: sender),
            try GlitchtipProvider(
                GlitchtipConfiguration(organization: "o", project: "a", token: secret), sender: sender),
            try BugsinkProvider(
                BugsinkConfiguration(project: "a", token: secret, base: "https://bugs.example"),
                sender: sender),
            CrashlyticsProvider(
                try CrashlyticsConfiguration(appID: "1:2:ios:3", account: key), sender: sender),
            PlayProvider(try PlayConfiguration(package: "org.example.a", account: key), sender: sender),
            Ga4Provider(try Ga4Configuration(property: "12", account: key), sender: sender),
            try SocorroProvider(SocorroConfiguration(product: "Fenix"), sender: sender),
            try SocorroProvider(SocorroConfiguration(product: "Fenix", token: secret), sender: sender),
            try ClickHouseProvider(
                ClickHouseConfiguration(base: "https://warehouse.example"), sender: sender),
            BigQueryProvider(try BigQueryConfiguration(project: "deck-1", account: key), sender: sender),
        ]
    }

    @Test func limitsAreThoseThatAreDocumented() throws {
        let limits = try providers().map { provider in
            "\(provider.source.provider): \(provider.terms?.limit?.description ?? "none")"
        }
        #expect(
            limits == [
                "bugsnag: 30 requests in 60 s", "sentry: none", "glitchtip: none", "bugsink: none",
                "crashlytics: none", "play: 10 requests in 1 s", "ga4: none", "socorro: 100 requests in 60 s",
                "socorro: 1000 requests in 60 s", "clickhouse: none", "bigquery: none",
            ])
    }

    @Test func everyServiceNamesItsLimitsSourceAndPlansItsRequests() throws {
        for provider in try providers() {
            let terms = try #require(provider.terms)
            #expect(!terms.limitSource.isEmpty && terms.mostRequests > 0)
            #expect(terms.permissions.isEmpty == (provider.source.provider == "socorro"))
            let origins = Set(provider.plan(for: app("a")).compactMap(\.origin))
            #expect(origins.contains(terms.origin), "\(provider.source.provider)")
            #expect(
                origins.count
                    == (["crashlytics", "play", "ga4", "bigquery"].contains(provider.source.provider) ? 2 : 1)
            )
        }
    }

    @Test(arguments: [
        ("https://host/{a}?b={c}", "https://host"), ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
        ("https://host?x={y}", "https://host"), ("/data/**.{json,csv}", nil), ("file:///data/a.json", nil),
        ("{base}/x", nil), ("https://{host}/x", nil),
    ]) func aPlannedRequestKnowsItsHost(address: String, origin: String?) {
        #expect(PlannedRequest("GET", address, purpose: "x").origin?.description == origin)
    }

    @Test(arguments: [
        (["org:read"], ["org:read"], []), (["org:read"], ["org:write"], []),
        (["org:read"], ["org:admin"], []),
        (["org:read", "event:read"], ["org:read"], ["event:read"]), (["org:read"], [], ["org:read"]),
        (["org:read"], ["organization:read", "project:admin"], ["org:read"]), (["Viewer"], ["Viewer"], []),
        (["org:write"], ["org:admin"], ["org:write"]),
    ]) func aWiderRightHoldsTheNarrower(needed: [String], granted: [String], missing: [String]) {
        #expect(missingPermissions(needed: needed, granted: granted) == missing)
    }
}
