import Foundation
import Testing

/// Files of the user's at, below and above the most bytes that are read of them.
struct BoundsTests {
    /// A file, how it begins, what makes it as long as wanted, and the command that reads it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limit: Int
        let begin: String
        let filler: String
        let end: String
        let command: [String]

        init(
            _ file: String, _ limit: Int, begin: String = "", filler: String = "#", end: String = "\n",
            _ command: String...
        ) {
            (self.testDescription, self.limit, self.begin) = (file, limit, begin)
            (self.filler, self.end, self.command) = (filler, end, command)
        }

        func text(of bytes: Int) -> String {
            begin + String(repeating: filler, count: bytes - begin.utf8.count - end.utf8.count) + end
        }
    }

    private static let configuration = Quay.configuration(day: 19) + "theme: own\n"

    private static let rows = [
        Row("plimsoll.yml", 4 << 20, begin: configuration, "verdict", "--app", "buoy"),
        Row("Content/mutes.yml", 4 << 20, begin: "[]\n", "verdict", "--app", "buoy"),
        Row("Content/signs.md", 4 << 20, begin: "# Signs\n<!--", filler: "x", end: "-->\n", "build"),
        Row(
            "Content/notes/first.md", 4 << 20, begin: "---\napp: buoy\nat: 2026-11-18\n",
            end: "\n---\nA note.\n",
            "build"),
        Row("Themes/own/theme.yml", 1 << 16, begin: "name: own\n", "build"),
        Row("Themes/own/templates/app.md", 4 << 20, begin: "{{!", filler: "x", end: "}}\n", "build"),
    ]

    private static let project = Task {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        folder.removeAtExit()
        try folder.write("plimsoll.yml", configuration)
        try folder.write("Themes/own/theme.yml", "name: own\n")
        return folder
    }

    @Test(arguments: rows) func aFileIsReadUpToItsLimit(row: Row) async throws {
        for bytes in [row.limit - 1, row.limit, row.limit + 1] {
            let folder = try Folder(copyOf: try await Self.project.value)
            let text = row.text(of: bytes)
            #expect(text.utf8.count == bytes)
            try folder.write(row.testDescription, text)
            let run = try await Program.run(Program.path, row.command, in: folder.path)
            let isRefused = run.errors.contains("File too large")
            #expect(isRefused == (bytes > row.limit), "\(bytes) of \(row.limit): \(run.printed.prefix(800))")
            if isRefused {
                #expect(run.errors.contains(row.testDescription) && run.errors.contains("hint: "))
            }
        }
    }

    /// A token or key file of 64 KiB; what is in it is never shown.
    @Test func aTokenFileIsReadUpToItsLimit() async throws {
        for bytes in [(64 << 10) - 1, 64 << 10, (64 << 10) + 1] {
            let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
            try folder.write(
                "plimsoll.yml",
                Quay.configuration(bugsnag: "https://127.0.0.1:1", day: 19, secret: "tokenFile: token"))
            try folder.write("token", String(repeating: "s", count: bytes))
            let run = try await Program.run("fetch", in: folder)
            #expect(
                run.errors.contains("File too large") == (bytes > 64 << 10),
                "\(bytes): \(run.printed.prefix(800))")
            #expect(!run.printed.contains("ssss"))
        }
    }
}
