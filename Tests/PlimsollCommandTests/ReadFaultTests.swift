import Foundation
import Testing

/// Files that are there and cannot be read: what is reported is the system's reason, the file and what to do next, never
/// that the file is missing, empty or damaged.
@Suite(.enabled(if: Attack.isPossible, "cc is needed to make the library that lets calls fail"))
struct ReadFaultTests {
    /// A file, what becomes of a call on it, and what a command must say.
    struct Row: Sendable, CustomTestStringConvertible {
        let command: String
        let file: String
        let call: String
        let error: String
        let status: Int32
        let says: [String]

        init(
            _ command: String, _ file: String, _ call: String, _ error: String, _ status: Int32,
            _ says: String...
        ) {
            (self.command, self.file, self.call, self.error) = (command, file, call, error)
            (self.status, self.says) = (status, says)
        }

        var testDescription: String { "\(command): \(call) of \(file): \(error)" }
    }

    private static let project = Task {
        let folder = try Folder()
        folder.removeAtExit()
        try folder.write(
            "plimsoll.yml",
            """
            title: Quay
            asOf: 2026-11-19T06:00:00Z
            theme: own
            apps:
              - id: buoy
                name: Buoy
                sources: [{provider: files, path: data}]
              - id: lamp
                name: Lamp
                sources: [{provider: files, path: lamp.csv}]
              - id: reef
                name: Reef
                sources: [{provider: metrickit, path: payloads}]

            """)
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("lamp.csv", "date,sessions,crashedSessions\n2026-11-17,100,1\n2026-11-18,100,2\n")
        try folder.write(
            "payloads/one.json",
            """
            {"timeStampBegin":"2026-11-18 00:00:00","timeStampEnd":"2026-11-18 23:59:00","crashDiagnostics":[
            {"version":"1.0.0","diagnosticMetaData":{"appVersion":"1.4","appBuildVersion":"9","exceptionType":1,
            "bundleIdentifier":"example.reef","osVersion":"iPhone OS 26.0","platformArchitecture":"arm64"}}]}
            """)
        try folder.write("Themes/own/theme.yml", "name: own\n")
        try folder.write("Themes/own/assets/more.css", "p { color: red }\n")
        let templates = bundled + "/Themes/default/templates/"
        try folder.write("Themes/own/templates/app.html", try Folder.text(at: templates + "app.html"))
        try folder.write("Content/index.md", "Words.\n")
        try folder.write("Content/signs.md", "# Signs\n\nMore words.\n")
        try folder.write("Content/notes/first.md", "---\napp: buoy\nat: 2026-11-18\n---\nA note.\n")
        try folder.write("Content/mutes.yml", "[]\n")
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return (folder: folder, site: try folder.tree("site"))
    }

    private static let data = [
        Row(
            "fetch", "data/buoy/2026-11-19.json", "open", "EMFILE", 1, "Too many open files",
            "raise the limit"),
        Row("fetch", "data/buoy/2026-11-19.json", "open", "EACCES", 1, "Permission denied", "let the user"),
        Row("fetch", "data/buoy/2026-11-19.json", "read", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "data/buoy/2026-11-19.json", "rest", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "data/buoy/2026-11-19.json", "look", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "data/buoy", "open", "EACCES", 1, "Permission denied", "let the user"),
        Row("fetch", "data", "open", "EMFILE", 1, "[files.unlistable]", "Too many open files"),
        Row("fetch", "data", "read", "EIO", 1, "[files.unlistable]", "Input/output error"),
        Row("fetch", "data", "look", "EACCES", 1, "Permission denied", "let the user"),
        Row("fetch", "lamp.csv", "open", "EMFILE", 1, "Too many open files", "raise the limit"),
        Row("fetch", "lamp.csv", "read", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "lamp.csv", "rest", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "payloads/one.json", "open", "EACCES", 1, "Permission denied", "let the user"),
        Row("fetch", "payloads/one.json", "rest", "EIO", 1, "Input/output error", "check the disk"),
        Row("fetch", "payloads", "open", "ESTALE", 1, "[files.unlistable]", "Stale file handle"),
    ]

    private static let theme = [
        Row("build", "Themes/own", "look", "EACCES", 4, "[file.unreadable]", "Permission denied"),
        Row("build", "Themes/own/theme.yml", "read", "EIO", 4, "[file.failed]", "Input/output error"),
        Row("build", "Themes/own/templates/app.html", "open", "EMFILE", 4, "Too many open files"),
        Row("build", "Themes/own/templates/app.html", "open", "EACCES", 4, "Permission denied"),
        Row("build", "Themes/own/templates/app.html", "read", "EIO", 4, "Input/output error"),
        Row("build", "Themes/own/templates/app.html", "look", "ESTALE", 4, "Stale file handle"),
        Row("build", "Themes/own/assets", "open", "EMFILE", 4, "[file.too-many-open]"),
        Row("build", "Themes/own/assets/more.css", "read", "EIO", 4, "[file.failed]", "Input/output error"),
    ]

    private static let content = [
        Row("build", "Content", "open", "EACCES", 4, "[file.unreadable]", "Permission denied"),
        Row("build", "Content", "read", "EIO", 4, "[file.failed]", "Input/output error"),
        Row("build", "Content/index.md", "read", "EIO", 4, "[file.failed]", "Input/output error"),
        Row("build", "Content/signs.md", "open", "EMFILE", 4, "[file.too-many-open]"),
        Row("build", "Content/signs.md", "open", "EACCES", 4, "[file.unreadable]"),
        Row("build", "Content/notes", "open", "EMFILE", 4, "[file.too-many-open]"),
        Row("build", "Content/notes/first.md", "rest", "EIO", 4, "[file.failed]"),
        Row("build", "Content/mutes.yml", "look", "EACCES", 4, "[file.unreadable]"),
        Row("build", "Content/mutes.yml", "read", "EIO", 4, "[file.failed]"),
        Row("build", "plimsoll.yml", "read", "EIO", 2, "[file.failed]", "Input/output error"),
        Row("build", "site/manifest.json", "read", "EIO", 4, "[file.failed]", "Input/output error"),
        Row("build", "site/manifest.json", "open", "EMFILE", 4, "[file.too-many-open]"),
    ]

    private static let archive =
        ["fetch", "build", "doctor", "archive check"].flatMap { command in
            let status: Int32 = command == "doctor" ? 1 : 4
            return [
                Row(
                    command, "archive.sqlite", "open", "EMFILE", status, "[archive.cannot-open]",
                    "Too many open files"),
                Row(command, "archive.sqlite", "open", "EACCES", status, "Permission denied"),
                Row(command, "archive.sqlite", "open", "ENOSPC", status, "No space left on device"),
                Row(command, "archive.sqlite", "read", "EIO", status, "[archive.io]", "Input/output error"),
                Row(command, "archive.sqlite", "rest", "EIO", status, "[archive.io]"),
                Row(command, "archive.sqlite", "look", "EIO", status, "[archive.io]", "Input/output error"),
            ]
        }

    /// What a file that cannot be read is not.
    private static let wrong = [
        "invalid JSON", "empty response", "not JSON", "missing", "not found", "no directory", "damaged",
        "restore",
        "is not a Plimsoll site", "no header", "No archive", "Unknown",
    ]

    @Test(arguments: data + theme + content + archive)
    func reasonAndFileAreReported(row: Row) async throws {
        let (template, site) = try await Self.project.value
        let folder = try Folder(copyOf: template)
        let run = try await Attack().run(
            row.command.split(separator: " ").map(String.init), in: folder,
            unreadable: .init(file: row.file, call: row.call, error: row.error))
        #expect(run.status == row.status, "\(run.printed)")
        for words in row.says + ["hint: "] {
            #expect(run.errors.contains(words), "\(words):\n\(run.printed)")
        }
        #expect(run.printed.contains(row.file), "\(run.printed)")
        for words in Self.wrong { #expect(!run.printed.contains(words), "\(words):\n\(run.printed)") }
        #expect(try folder.tree("site") == site)
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }
}
