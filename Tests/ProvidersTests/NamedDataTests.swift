import Providers
import Settings
import Testing

/// Which data a source reads, by the settings of each provider.
struct NamedDataTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let provider: String
        let values: [String: String]
        let text: String?

        init(_ provider: String, _ values: [String: String], _ text: String?) {
            (self.provider, self.values, self.text) = (provider, values, text)
        }

        var testDescription: String { "\(provider): \(text ?? "none")" }
    }

    private static let cases = [
        Case("files", ["path": "data", "app": "shop"], nil), Case("metrickit", ["path": "data"], nil),
        Case("bugsnag", ["project": "shop", "organization": "acme", "releaseStage": "beta"], "shop"),
        Case("bugsnag", ["releaseStage": "production"], nil),
        Case(
            "sentry",
            [
                "organization": "acme", "project": "shop", "environment": "beta",
                "url": "https://de.sentry.io",
            ],
            "acme/shop"),
        Case("sentry", ["project": "shop"], nil),
        Case(
            "glitchtip", ["organization": "acme", "project": "My shop", "url": "https://a"], "acme/My shop"),
        Case("bugsink", ["project": "shop", "url": "https://Bugs.example:8443/in/"], "bugs.example/shop"),
        Case("bugsink", ["project": "shop", "url": "http://bugs.example"], "bugs.example/shop"),
        Case("bugsink", ["project": "shop", "url": "no address"], nil),
        Case("crashlytics", ["app": "1:2:ios:3", "project": "my-project"], "1:2:ios:3"),
        Case("play", ["package": "org.example.shop", "measure": "crashes"], "org.example.shop"),
        Case("play", ["package": "org.example.shop", "measure": "hangs"], "org.example.shop/hangs"),
        Case("ga4", ["property": "12"], "12"), Case("ga4", ["property": "12", "stream": "all"], "12"),
        Case("ga4", ["property": "12", "stream": "34"], "12/34"),
        Case("socorro", ["product": "Fenix", "signatures": "20"], "Fenix"),
        Case("appstoreconnect", ["app": "42", "issuer": "i", "keyId": "k"], "42"),
        Case("clickhouse", ["url": "https://host", "table": "crashes"], nil),
        Case("bigquery", ["project": "deck-1"], nil),
    ]

    private func data(_ provider: String, _ values: [String: String]) throws -> NamedData? {
        let schema = try #require(standardProviders.first { $0.name == provider }?.schema)
        return NamedData(SettingValues(values.mapValues { .text($0) }), of: schema)
    }

    @Test(arguments: cases)
    func isNamedBySettings(one: Case) throws {
        #expect(try data(one.provider, one.values)?.text == one.text)
    }

    @Test func everyProviderHasACase() {
        #expect(Set(Self.cases.map(\.provider)) == Set(standardProviders.map(\.name)))
    }

    @Test(arguments: [
        ("sentry", ["organization": "acme", "project": "shop"], "acme/staging", ["project"]),
        ("sentry", ["organization": "acme", "project": "shop"], "beta/shop", ["organization"]),
        ("sentry", ["organization": "acme", "project": "shop"], "beta/tea", ["organization", "project"]),
        ("sentry", ["organization": "acme", "project": "shop"], "acme", ["project"]),
        ("bugsnag", ["project": "shop"], "the/old shop", ["project"]),
        ("bugsink", ["project": "shop", "url": "https://bugs.example"], "old.example/shop", ["url"]),
        ("play", ["package": "org.shop"], "org.shop/hangs", ["measure"]),
        ("ga4", ["property": "12", "stream": "34"], "12", ["stream"]),
        ("ga4", ["property": "12", "stream": "34"], "11/34", ["property"]),
    ])
    func namesTheKeysThatMakeTheDifference(
        provider: String, values: [String: String], other: String, keys: [String]
    ) throws {
        #expect(try data(provider, values)?.keys(differingFrom: other) == keys)
    }
}
