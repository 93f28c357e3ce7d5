import AppHealth
import Diagnostics
import Foundation
import Testing

@testable import Providers

struct SnapshotSchemaTests {
    static let path = fixture("../../../Content/schema/snapshot-1.schema.json")

    private typealias Object = [String: Any]

    private func schema() throws -> Object {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    }

    @Test func namesTheKeysThatAreRead() throws {
        let schema = try schema()
        #expect(shape(of: schema, in: schema) == SnapshotReader.shape)
    }

    @Test func namesTheKnownWords() throws {
        let schema = try schema()
        let properties = try #require(schema["properties"] as? [String: Object])
        let items = try #require(properties["provides"]?["items"] as? Object)
        #expect(Set(words(items)) == Set(Capability.allCases.map(\.rawValue)))
        let definitions = try #require(schema["$defs"] as? [String: Object])
        let issue = try #require(definitions["issue"]?["properties"] as? [String: Object])
        #expect(Set(words(issue["kind"] ?? [:])) == Set(Issue.Kind.allCases.map(\.rawValue)))
        #expect(Set(words(issue["state"] ?? [:])) == Set(Issue.State.allCases.map(\.rawValue)))
        #expect((properties["version"]?["const"] as? Int) == SnapshotFile.readVersion)
        #expect((properties["format"]?["const"] as? String) == SnapshotFile.formatName)
    }

    @Test func describesEveryField() throws {
        let schema = try schema()
        let definitions = try #require(schema["$defs"] as? [String: Object])
        for object in [schema] + definitions.values {
            for (name, field) in object["properties"] as? [String: Object] ?? [:] {
                #expect((field["description"] as? String)?.hasSuffix(".") == true, "\(name)")
            }
        }
    }

    @Test(
        .enabled(if: python("import jsonschema") == 0, "Python's jsonschema is not here"),
        arguments: [
            ("good/sketchbook-2026-11-19.json", true), ("good/sketchbook-2026-11-20.json", true),
            ("good/tidepool/2026-11-20.json", true), ("broken/sketchbook-2026-11-18.json", true),
            ("broken/sketchbook-2026-11-20.json", false), ("broken/stray.json", false),
            ("odd/sketchbook-2026-11-20.json", false),
        ])
    func admitsWhatIsReadWithoutWarning(file: String, isValid: Bool) {
        let program = """
            import json, sys, jsonschema
            schema, document = (json.load(open(path)) for path in sys.argv[1:3])
            jsonschema.Draft202012Validator.check_schema(schema)
            sys.exit(0 if jsonschema.Draft202012Validator(schema).is_valid(document) else 9)
            """
        #expect(python(program, Self.path, fixture("files/\(file)")) == (isValid ? 0 : 9))
    }

    /// Editors put the address of the schema there, and what the schema refuses is refused.
    @Test(arguments: [
        (#""$schema": "../snapshot-1.schema.json","#, "iPhone", []),
        (#""$schema": {"a": 1},"#, "iPhone", []),
        ("", "", [#"files: devices[0].device: expected a name, found """#]),
    ])
    func readerAgrees(line: String, device: String, warnings: [String]) throws {
        let text = """
            {\(line) "format": "plimsoll-snapshot", "version": 1, "app": "buoy", "provides": ["issues"], "issues": [],
             "capturedAt": "2026-11-20T06:00:00Z",
             "devices": [{"date": "2026-11-19", "device": "\(device)", "crashes": 3}]}
            """
        let reader = SnapshotReader(app: app("buoy"), sourceID: Slug(anyText: "files"), document: "a.json")
        let snapshot = try reader.snapshot(from: Array(text.utf8))
        #expect(snapshot.warnings.map(\.summary) == warnings)
        #expect(snapshot.deviceDays.map(\.device) == (device.isEmpty ? [] : [device]))
    }

    /// The keys of a schema in the form in which the code knows its own.
    private func shape(of schema: Object, in root: Object) -> KeyShape {
        if let reference = (schema["$ref"] as? String)?.split(separator: "/").last {
            let definitions = root["$defs"] as? [String: Object]
            return shape(of: definitions?[String(reference)] ?? [:], in: root)
        }
        if let choices = schema["anyOf"] as? [Object] {
            return choices.map { shape(of: $0, in: root) }.first { $0 != .any } ?? .any
        }
        if let items = schema["items"] as? Object { return .list(shape(of: items, in: root)) }
        guard let properties = schema["properties"] as? [String: Object] else { return .any }
        return .object(properties.mapValues { shape(of: $0, in: root) })
    }

    private func words(_ schema: Object) -> [String] {
        (schema["enum"] as? [Any] ?? []).compactMap { $0 as? String }
    }
}

/// The exit status of a Python program, or nil when there is no Python.
private func python(_ program: String, _ arguments: String...) -> Int32? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-W", "ignore", "-c", program] + arguments
    process.standardError = FileHandle.nullDevice
    do {
        try process.run()
    } catch {
        return nil
    }
    process.waitUntilExit()
    return process.terminationStatus
}
