import AppHealth
import Attaching
import Configuration
import Diagnostics
import Foundation
import Providers
import Publishing
import SchemaCheck
import Settings
import Testing
import Transport
import Yams

@testable import PlimsollCommand

/// The schema of the configuration admits what the reader admits and refuses what it refuses.
struct ConfigurationSchemaTests {
    private static let text = configurationSchema(
        sources: standardProviders.map(\.schema), targets: standardTargets.map(\.schema),
        attachments: standardAttachTargets.map(\.schema))

    /// What the schema says against a configuration; empty when nothing.
    private func faults(in yaml: String) throws -> [String] {
        let check = try #require(SchemaCheck(Data(Self.text.utf8)))
        let value = try #require(try Yams.load(yaml: yaml, Resolver.default.removing(.timestamp)))
        return check.faults(in: try JSONSerialization.data(withJSONObject: value))
    }

    @Test(arguments: standardProviders.map(\.schema.name))
    func initOutputIsValid(provider: String) throws {
        let schema = try #require(standardProviders.first { $0.name == provider }?.schema)
        let text = configurationText([schema])
        #expect(try faults(in: text) == [])
        let whole = text.replacing(/(?m)^( +)# (\w+: )/) { "\($0.1)\($0.2)" }
        #expect(try faults(in: whole) == [], "with its examples")
        let sources = standardProviders.map(\.schema)
        #expect(readConfiguration(whole, path: "plimsoll.yml", sources: sources).1.map(\.summary) == [])
    }

    @Test(arguments: standardTargets.map(\.name))
    func initOutputOfATargetIsValid(target: String) throws {
        let schema = try #require(standardTargets.first { $0.name == target }?.schema)
        let files = try #require(standardProviders.first?.schema)
        let text = configurationText([files], targets: [schema])
        #expect(try faults(in: text) == [])
        let whole = text.replacing(/(?m)^( +)# (\w+: )/) { "\($0.1)\($0.2)" }
        #expect(try faults(in: whole) == [], "with its examples")
        let (read, problems) = readConfiguration(
            whole, path: "plimsoll.yml", sources: [files], targets: standardTargets.map(\.schema))
        #expect(problems.map(\.summary) == [] && read?.publish.map(\.id.text) == [target])
    }

    @Test(arguments: standardAttachTargets.map(\.name))
    func initOutputOfAnAttachTargetIsValid(target: String) throws {
        let schema = try #require(standardAttachTargets.first { $0.name == target }?.schema)
        let files = try #require(standardProviders.first?.schema)
        let text = configurationText([files], attachments: [schema])
        #expect(try faults(in: text) == [])
        let whole = text.replacing(/(?m)^( +)# (\w+: )/) { "\($0.1)\($0.2)" }
        #expect(try faults(in: whole) == [], "with its examples")
        let (read, problems) = readConfiguration(
            whole, path: "plimsoll.yml", sources: [files], attachments: standardAttachTargets.map(\.schema))
        #expect(problems.map(\.summary) == [] && read?.attach.map(\.block.id.text) == [target])
    }

    @Test func demoConfigurationIsValid() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Content/demo/plimsoll.yml").standardizedFileURL
        #expect(try faults(in: String(contentsOf: file, encoding: .utf8)) == [])
    }

    @Test func everyKeyIsValid() throws {
        let yaml = """
            title: 2026
            id: harbor-report
            url: https://a.example/b/
            audience: {for: public, counts: hidden}
            markdown: slack
            keep: [CNAME, docs/old]
            asOf: 2026-11-20T06:00:00Z
            timeBudget: 30
            retries: {attempts: 3, seconds: 60, longestWait: 0}
            targets: {target: 99.5, critical: 98}
            alerts: {show: alerts, newNote: false, newIssue: {limit: 5}, velocity: {leastShare: 2}}
            clientCertificate: {certificate: a.pem, passwordFile: b}
            apps:
              - {id: a-b.c_1, name: A, platform: ios, alerts: {stability: {leastPoints: 1}}, sources: [{provider: files, path: d}]}
            """
        #expect(try faults(in: yaml) == [])
        let sources = standardProviders.map(\.schema)
        #expect(readConfiguration(yaml, path: "plimsoll.yml", sources: sources).1.map(\.summary) == [])
    }

    @Test(arguments: [
        "titel: x\napps: []", "title: x", "apps: harbour",
        "apps: [{id: A B, sources: [{provider: files, path: d}]}]", "apps: []\nid: A B", "apps: []\nid: con",
        "apps: [{id: a}]", "apps: [{id: a, sources: []}]",
        "apps: []\ntimeout: 3.7", "apps: []\ntimeBudget: 60.5", "apps: []\nretries: {attempts: 2.9}",
        "apps: []\nretries: {seconds: 9.5}", "apps: []\nretries: {longestWait: 0.5}",
        "apps: []\ntimeout: '3.7'",
        "apps: []\ntimeout: 0", "apps: []\nindexing: 1", "apps: []\nmarkdown: html",
        "apps: []\nalerts: {newIssue: {limit: 0}}", "apps: []\nalerts: {newNote: {leastShare: 2}}",
        "apps: []\nalerts: {velocity: {leastShare: 101}}", "apps: []\nalerts: {usage: {leastShare: 10001}}",
        "apps: []\nurl: ftp://a/", "apps: []\nclientCertificate: {key: a.pem}",
        "apps: [{id: a, sources: [{path: data}]}]", "apps: []\ntitle: ''",
        "apps: []\ntargets: {target: 0}", "apps: []\ntargets: {critical: 0}",
        "apps: [{id: a, sources: [{provider: files, path: data, id: x y}]}]",
        "apps: [{id: a, sources: [{provider: files, path: ''}]}]",
        "apps: [{id: a, group: \(String(repeating: "ü", count: 81)), sources: [{provider: files, path: d}]}]",
        "apps: [{id: a, sources: [{provider: fles, path: data}]}]",
        "apps: [{id: a, sources: [{provider: files}]}]",
        "apps: [{id: a, sources: [{provider: files, path: data, project: x}]}]",
        "apps: [{id: a, sources: [{provider: bugsnag, project: x}]}]",
        "apps: [{id: a, sources: [{provider: bugsnag, project: x, token: abc}]}]",
        "apps: [{id: a, sources: [{provider: metrickit, path: x, certificateAuthority: y}]}]",
        "apps: [{id: a, sources: [{provider: play, package: a.b, accountFile: k, measure: x}]}]",
        "apps: []\nasOf: x", "apps: []\nasOf: 2026-11-20", "apps: []\nasOf: 2026-11-20T24:00:00Z",
        "apps: []\nasOf: 2026-02-30T06:00:00Z", "apps: []\nasOf: 2026-11-20T06:00:00",
        "apps: [{id: a, sources: [{provider: files, path: d, until: 2026-02-30}]}]",
        "apps: [{id: a, sources: [{provider: files, path: d, formerly: old}]}]",
        "apps: [{id: a, sources: [{provider: files, path: d, until: 2026-13-01}]}]",
        "apps: [{id: a, sources: [{provider: files, path: d, until: 2026-04-31}]}]",
        "apps: [{id: a., sources: [{provider: files, path: d}]}]",
        "apps: [{id: .a, sources: [{provider: files, path: d}]}]",
        "apps: [{id: con, sources: [{provider: files, path: d}]}]",
        "apps: [{id: com1.x, sources: [{provider: files, path: d}]}]",
        "apps: [{id: -1, sources: [{provider: files, path: d}]}]",
        "apps: [{id: '', sources: [{provider: files, path: d}]}]",
        "apps: [{id: \(String(repeating: "a", count: 81)), sources: [{provider: files, path: d}]}]",
        "apps: [{id: a, sources: [{provider: files, path: d, id: nul}]}]",
        "apps: []\ntimeout: 'soon'", "apps: []\nkeepBackups: '1.5'", "apps: []\nindexing: 'yes'",
        "apps: []\nkeep: [/docs]", "apps: []\nkeep: [../x]", "apps: []\nkeep: [a//b]",
        "apps: []\nkeep: [a/../b]",
        "apps: []\nkeep: ['']", "apps: []\nkeep: ['.']", "apps: []\ntargets: {target: 0.5, critical: 0.1}",
        "apps: []\ntargets: {target: 0.995}", "apps: []\ntargets: {critical: 1}",
        "apps: []\ntargets: {target: '0.995'}", "apps: []\ntargets: {target: '1.0'}",
        "apps: []\ntitle:", "apps: []\nalerts:", "apps: []\naudience:", "apps: []\nkeep:",
    ])
    func brokenConfigurationIsRefusedByBoth(yaml: String) throws {
        #expect(try faults(in: yaml) != [])
        let sources = standardProviders.map(\.schema)
        #expect(readConfiguration(yaml, path: "plimsoll.yml", sources: sources).0 == nil)
    }

    /// Quotes make no difference, and an instant has any of the forms that RFC 3339 has.
    @Test(arguments: [
        "apps: []\ntimeout: 60.0", "apps: []\nretries: {attempts: 10.0}",
        "apps: []\ntimeout: '60'", "apps: []\nkeepBackups: \"7\"", "apps: []\nindexing: 'true'",
        "apps: []\ntargets: {target: '99.5', critical: '98'}",
        "apps: []\nalerts: {newNote: 'false', newIssue: {limit: '5'}}",
        "apps: []\nalerts: {stability: {leastShare: 150}, usage: {leastShare: 10000}}",
        "apps: []\nasOf: '2026-11-20t06:00:00.25+01:00'", "apps: []\nasOf: 2024-02-29 06:00:00Z",
        "apps: []\nkeep: [docs/, .git, a/..b, 2026, 'a b/...']",
        "apps: []\ntargets: {target: 1.5, critical: '1.1'}",
        "apps: []\ntargets: {target: '10', critical: 0.4}",
        "apps: [{id: 2026, sources: [{provider: files, path: d}]}]",
        "apps: [{id: a_, sources: [{provider: files, path: d}]}]",
        "apps: [{id: console, sources: [{provider: files, path: d}]}]",
        "apps: [{id: \(String(repeating: "a", count: 80)), sources: [{provider: files, path: d}]}]",
        "apps: [{id: a, sources: [{provider: files, path: d, until: '2024-02-29'}]}]",
        "apps: [{id: a, sources: [{provider: bugsnag, project: b, token: '${T}', formerly: 123}]}]",
    ])
    func oddFormsAreTakenByBoth(yaml: String) throws {
        #expect(try faults(in: yaml) == [])
        let sources = standardProviders.map(\.schema)
        #expect(readConfiguration(yaml, path: "plimsoll.yml", sources: sources).1.map(\.summary) == [])
    }

    /// A default that the schema and the manual name is the one that holds.
    @Test func defaultsAreThoseOfTheReader() throws {
        let rows = keyTables.filter { $0.title != "A publish target" }.flatMap { table in
            table.rows.compactMap { row in row.standard.map { (row.key, $0) } }
        }
        let named = rows.filter { $0.1 != "required" }
        #expect(named.count > 10)
        let sources = standardProviders.map(\.schema)
        let bare = try #require(readConfiguration("apps: []", path: "p", sources: sources).0)
        // Keys of mappings are given as such; their defaults hold only together.
        let lines = named.filter { !$0.0.contains(".") }.map { "\($0.0): \($0.1)" }
        let text = (lines + ["targets: {target: 99.5, critical: 98}", "apps: []"]).joined(separator: "\n")
        var given = try #require(readConfiguration(text, path: "p", sources: sources).0)
        #expect(given.places.keys.sorted() == ["archive", "content", "output"])
        given.places = [:]
        #expect("\(given)" == "\(bare)")
        let retries = RetryPolicy()
        let expected = [
            "targets.target": "99.5", "targets.critical": "98", "audience.for": "team",
            "retries.attempts": "\(retries.attempts)",
            "retries.seconds": "\(retries.budgetMilliseconds / 1000)",
            "retries.longestWait": "\(retries.capMilliseconds / 1000)",
        ]
        for (key, value) in named where key.contains(".") { #expect(expected[key] == value, "\(key)") }
    }

    @Test func defaultsOfATargetAreThoseOfTheReader() throws {
        let text = "apps: []\npublish: [{to: folder, path: web}]\n"
        let targets = standardTargets.map(\.schema)
        let read = readConfiguration(text, path: "p", sources: [], targets: targets).0
        let target = try #require(read?.publish.first)
        #expect(target.mostRemoved == 30 && !target.isPublic && target.id.text == "folder")
    }

    @Test func commandPrintsSchemaAndReference() async throws {
        let folder = try Folder()
        let schema = try await Program.run("schema", in: folder)
        #expect(schema.status == 0 && schema.output == Self.text)
        let reference = try await Program.run("schema", "--markdown", in: folder)
        let tables = keyTables.map { "## \($0.title)\n\n\($0.markdown)" }
        #expect(reference.status == 0)
        #expect(
            reference.output
                == (tables + [
                    providerReference(), placeReference("Publish to", standardTargets),
                    placeReference("Attach to", standardAttachTargets),
                ]).joined(
                    separator: "\n"))
        for provider in standardProviders {
            #expect(reference.output.contains("## \(provider.schema.title)\n"))
            #expect(reference.output.contains("| `\(provider.name)` | "))
        }
    }
}
