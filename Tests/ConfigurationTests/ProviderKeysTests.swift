import AppHealth
import Configuration
import Diagnostics
import Settings
import Testing

/// Every provider with the keys that it needs, and each without one of them.
struct ProviderKeysTests {
    private static let token = "token: ${T}"
    private static let account = "accountFile: key.json"
    private static let sources: [(String, [String])] = [
        ("files", ["path: data"]), ("metrickit", ["path: payloads"]), ("bugsnag", ["project: a", token]),
        ("sentry", ["organization: o", "project: a", token]),
        ("glitchtip", ["organization: o", "project: a", token]),
        ("bugsink", ["project: a", "url: https://host", token]),
        ("crashlytics", ["app: 1:2:ios:3", account]),
        ("play", ["package: org.example.app", account]), ("ga4", ["property: 12", account]),
        ("socorro", ["product: Lantern"]),
        ("appstoreconnect", ["app: 42", "issuer: i", "keyId: k", "keyFile: key.p8"]),
        ("clickhouse", ["url: https://host"]), ("bigquery", ["project: deck-1", account]),
    ]

    private func read(_ kind: String, _ lines: [String]) -> (String?, [String]) {
        let keys = (["provider: \(kind)"] + lines).map { "        " + $0 }.joined(separator: "\n")
        let text = "apps:\n  - id: a\n    sources:\n      -\n\(keys)\n"
        let (configuration, problems) = readConfiguration(text, path: "plimsoll.yml", sources: schemas)
        return (configuration?.apps.first?.sources.first?.provider, problems.map(\.id))
    }

    @Test(arguments: sources)
    func itsKeysAreEnough(kind: String, lines: [String]) {
        let (found, problems) = read(kind, lines)
        #expect(found == kind)
        #expect(problems == [])
    }

    @Test(arguments: sources)
    func withoutAnyOneOfThemThereIsNone(kind: String, lines: [String]) {
        for index in lines.indices {
            var fewer = lines
            let left = fewer.remove(at: index)
            let (found, problems) = read(kind, fewer)
            #expect(found == nil, "\(kind) without \(left)")
            #expect(
                ["config.missing-key", "config.no-token", "config.no-account", "config.no-key"].contains(
                    problems.first))
        }
    }

    @Test func everyProviderIsInTheTable() {
        #expect(Self.sources.map(\.0) == schemas.map(\.name))
    }

    /// What names a project or an app of a service may have had another name.
    @Test(arguments: sources)
    func aFormerNameIsTakenWhereSettingsNameTheData(kind: String, lines: [String]) throws {
        let isNamed = !["files", "metrickit", "clickhouse", "bigquery"].contains(kind)
        #expect(read(kind, lines + ["formerly: acme/old"]).1 == (isNamed ? [] : ["yaml.unknown-key"]))
        let keys = (["provider: \(kind)"] + lines + ["formely: acme/old"]).map { "        " + $0 }
        let text = "apps:\n  - id: a\n    sources:\n      -\n\(keys.joined(separator: "\n"))\n"
        let problems = readConfiguration(text, path: "plimsoll.yml", sources: schemas).1
        #expect(problems.map(\.id) == ["yaml.unknown-key"])
        #expect(problems.first?.hints.contains("did you mean 'formerly'?") == isNamed)
    }

    @Test func aFormerNameIsRead() throws {
        let read = try configuration(
            source("provider: bugsnag\nproject: a\ntoken: ${T}\nformerly: 123"))
        #expect(read.apps.first?.sources.first?.formerly == "123")
        #expect(try configuration(oneApp).apps.first?.sources.first?.formerly == nil)
    }

    @Test func aKeyOfAnotherProviderIsUnknown() {
        #expect(
            read("play", ["package: org.example.app", Self.account, "releaseStage: beta"]).1 == [
                "yaml.unknown-key"
            ])
    }
}
