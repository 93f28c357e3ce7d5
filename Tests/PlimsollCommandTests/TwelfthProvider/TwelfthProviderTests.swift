import AppHealth
import Archive
import Configuration
import Diagnostics
import Foundation
import LoopbackServer
import Providers
import SchemaCheck
import Settings
import Testing
import Yams

@testable import PlimsollCommand

/// A provider that no other file knows than the list is configured, planned, fetched, tried and documented.
struct TwelfthProviderTests {
    private func inList<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await ProviderList.$all.withValue(testProviders, operation: body)
    }

    /// A light with two pages of days, or one that refuses the token.
    private func server(refuses: Bool = false) async throws -> LoopbackServer {
        try await LoopbackServer.start { request in
            guard request.header("Authorization") == "Bearer t0ken", !refuses else {
                return .text("no", status: 403)
            }
            return request.query.contains { $0.value == "2" }
                ? .json(#"{"days":[{"date":"2026-11-19","flashes":900,"failures":4}]}"#)
                : .json(
                    #"{"days":[{"date":"2026-11-18","flashes":1000,"failures":5}],"next":"log?page=2"}"#)
        }
    }

    private func folder(_ origin: String) throws -> Folder {
        let folder = try Folder()
        try folder.write("beacon.token", "t0ken")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/beacon.token")
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-11-20T06:00:00Z
            apps:
              - id: pier
                sources:
                  - {provider: beacon, station: north, url: "\(origin)", tokenFile: beacon.token}
            """)
        return folder
    }

    @Test func isFetchedAndTried() async throws {
        let server = try await server()
        let folder = try folder(server.origin)
        let file = folder.path + "/plimsoll.yml"
        let statuses = await inList {
            [
                await runPlimsoll(["fetch", "--plan", "--config", file]),
                await runPlimsoll(["fetch", "--config", file]),
                await runPlimsoll(["doctor", "--config", file, "--format", "json"]),
            ]
        }
        await server.stop()
        #expect(statuses == [0, 0, 0])
        let archive = try Archive(at: folder.path + "/archive.sqlite", for: .reading)
        let app = App(id: Slug(anyText: "pier"), name: "pier", platform: "")
        let instant = try #require(Instant("2026-11-20T06:00:00Z"))
        let source = Source(
            id: Slug(anyText: "beacon"), provider: "beacon", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [])
        let history = try archive.history(of: app, sources: [source], asOf: instant).history
        #expect(history.sources.first?.health.map(\.sessions) == [1000, 900])
    }

    @Test func planNamesRequestAndLimit() async throws {
        let folder = try folder("https://beacon.example")
        let text = try await inList {
            let project = try loadProject(folder.path + "/plimsoll.yml", Console())
            return planText(project.sourceJobs(.unsent), timeBudget: project.timeBudget).text
        }
        #expect(text.contains("GET https://beacon.example/stations/north/log ×3  flashes"))
        #expect(text.contains("60 requests in 60 s (Beacon, limits)"))
    }

    @Test func missingPermissionIsReportedByDoctor() async throws {
        let server = try await server(refuses: true)
        let folder = try folder(server.origin)
        let status = await inList {
            await runPlimsoll(["doctor", "--config", folder.path + "/plimsoll.yml"])
        }
        await server.stop()
        #expect(status == 1)
    }

    @Test func isInInitSchemaAndReference() async throws {
        let folder = try Folder()
        let status = await inList { await runPlimsoll(["init", folder.path, "--provider", "beacon"]) }
        #expect(status == 0)
        let written = folder.text("plimsoll.yml")
        #expect(written.contains("- provider: beacon\n") && written.contains("tokenFile: beacon.token"))
        let schemas = testProviders.map(\.schema)
        #expect(readConfiguration(written, path: "plimsoll.yml", sources: schemas).1.isEmpty)
        let check = try #require(SchemaCheck(Data(configurationSchema(sources: schemas).utf8)))
        let value = try #require(try Yams.load(yaml: written))
        #expect(check.faults(in: try JSONSerialization.data(withJSONObject: value)) == [])
        #expect(providerTable(testProviders).contains("| `beacon` | The log of a made-up light | sessions |"))
        #expect(providerReference(testProviders).contains("| `token` or `tokenFile` | a token | required |"))
    }

    @Test func unknownKeyIsReportedWithTheNearest() {
        let text = "apps: [{id: a, sources: [{provider: beacon, staton: x, url: y, tokenFile: z}]}]"
        let problems = readConfiguration(text, path: "plimsoll.yml", sources: testProviders.map(\.schema)).1
        #expect(problems.first?.hints == ["did you mean 'station'?"])
    }
}
