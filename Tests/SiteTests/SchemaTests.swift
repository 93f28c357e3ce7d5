import Analysis
import AppHealth
import Diagnostics
import Foundation
import Pages
import SchemaCheck
import Testing

@testable import Site

struct SchemaTests {
    private func check(_ name: String) throws -> SchemaCheck {
        try #require(SchemaCheck(installedThemes + "/../Content/schema/\(name)-1.schema.json"))
    }

    @Test func filesAreAsTheirSchemasSay() async throws {
        let folder = try TemporaryFolder()
        _ = try await build(sampleInput(folder.path + "/site"))
        let tree = try folder.tree("site")
        let (data, status) = (try check("data"), try check("status"))
        let files = tree.filter { $0.key.hasSuffix("data.json") }
        #expect(files.count > 20)
        for (file, text) in files { #expect(data.faults(in: Data(text.utf8)) == [], "\(file)") }
        #expect(status.faults(in: Data(tree["status.json", default: ""].utf8)) == [])
    }

    @Test func emptyAppIsAsItsSchemaSays() async throws {
        let folder = try TemporaryFolder()
        _ = try await buildSite(try sampleInput(folder.path + "/site")) { app throws(Diagnostics) in
            AppHistory(app: app, sources: [])
        }
        let data = try check("data")
        for (file, text) in try folder.tree("site") where file.hasSuffix("data.json") {
            #expect(data.faults(in: Data(text.utf8)) == [], "\(file)")
        }
    }

    @Test(arguments: [Audience.team, Audience(.public)])
    func devicesAreAsTheirSchemaSays(audience: Audience) async throws {
        let folder = try TemporaryFolder()
        let input = try sampleInput(folder.path + "/site", facts: .sample { $0.audience = audience })
        _ = try await buildSite(input) { app throws(Diagnostics) in
            var history = AppHistory.sample(app)
            history.sources[0].deviceDays = [
                DeviceDay(date: .last, device: "Phone", crashes: 9),
                DeviceDay(date: .last, device: "Tablet", crashes: 0),
            ]
            return history
        }
        let text = try #require(try folder.tree("site")["apps/harbour/issues/data.json"])
        #expect(text.contains("\"devices\""))
        #expect(try check("data").faults(in: Data(text.utf8)) == [])
    }

    @Test func siteWithoutCountsIsAsItsSchemaSays() async throws {
        let folder = try TemporaryFolder()
        _ = try await build(
            sampleInput(folder.path + "/site", facts: .sample { $0.audience = Audience(.public) }))
        let data = try check("data")
        let files = try folder.tree("site").filter { $0.key.hasSuffix("data.json") }
        #expect(files.count > 20)
        for (file, text) in files { #expect(data.faults(in: Data(text.utf8)) == [], "\(file)") }
    }

    /// The schema names the columns that the code writes, no more and no less, and describes each; only those
    /// that hold counts, the dialect of Markdown, the publish targets and the group and the muted alerts of an app, and the last day and the
    /// problem of a source, may be missing.
    @Test(arguments: ["data", "status"])
    func everyColumnIsDescribed(name: String) throws {
        let root = try check(name).root
        let definitions = try #require(root["$defs"] as? [String: [String: Any]])
        for (object, own) in [(root, ["capturedAt"])] + definitions.values.map({ ($0, []) }) {
            let properties = try #require(object["properties"] as? [String: [String: Any]])
            let ofSource: Set<String> = properties["problem"] == nil ? [] : ["dataThrough", "problem"]
            let optional =
                name == "data"
                ? countColumns.union(["group"])
                : ofSource.union(["markdown", "publications", "group", "mutedAlerts"])
            #expect(
                Set(object["required"] as? [String] ?? [])
                    == Set(properties.keys).subtracting(optional).subtracting(name == "data" ? own : []))
            #expect(object["additionalProperties"] as? Bool == false)
            for (key, property) in properties where key != "tables" {
                #expect((property["description"] as? String)?.hasSuffix(".") == true, "\(key)")
            }
        }
    }

    /// A public site has no column of a count of use: each column of whole numbers is one of these, or counts something
    /// else.
    @Test func everyColumnOfWholeNumbersIsACountOfUseOrNone() throws {
        let others: Set = [
            "age", "ageSeconds", "closed", "countedDays", "days", "daysInWindow", "firstAge", "issues",
            "issuesOfDay",
            "knownDays", "lastAge", "lifeDays", "line", "openAlerts", "opened", "previousRank", "rank",
            "warnings",
        ]
        let definitions = try #require(try check("data").root["$defs"] as? [String: [String: Any]])
        var (all, whole): (Set<String>, Set<String>) = ([], [])
        for properties in definitions.values.compactMap({ $0["properties"] as? [String: [String: Any]] }) {
            all.formUnion(properties.keys)
            for (name, property) in properties {
                let types = property["type"] as? [String] ?? [property["type"] as? String ?? ""]
                if types.contains("integer") { whole.insert(name) }
            }
        }
        #expect(whole.subtracting(countColumns) == others)
        #expect(countColumns.isSubset(of: all))
    }

    @Test(arguments: [
        ("{}", false), ("[]", false), ("{", false),
        (
            #"{"format":"plimsoll-status","version":1,"title":"","asOf":"x","demo":true,"state":"ok","leavesOut":[],"apps":[]}"#,
            true
        ),
        (
            #"{"format":"plimsoll-status","version":2,"title":"","asOf":"x","demo":true,"state":"ok","leavesOut":[],"apps":[]}"#,
            false
        ),
        (
            #"{"format":"plimsoll-status","version":1,"title":"","asOf":"x","demo":1.5,"state":"ok","leavesOut":[],"apps":[]}"#,
            false
        ),
        (
            #"{"format":"plimsoll-status","version":1,"title":"","asOf":"x","demo":true,"state":"bad","leavesOut":[],"apps":[]}"#,
            false
        ),
        (
            #"{"format":"plimsoll-status","version":1,"title":"","asOf":"x","demo":true,"state":"ok","leavesOut":[],"apps":[],"y":1}"#,
            false
        ),
    ])
    func checkFindsFaults(text: String, isSound: Bool) throws {
        #expect(try check("status").faults(in: Data(text.utf8)).isEmpty == isSound)
    }
}
