import Foundation
import Testing

/// How each command ends for each kind of fault.
struct ExitCodeTests {
    /// What is written over a file of a sound project.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: String
        let text: String
        /// What the command must say.
        let id: String

        static let mutes = Fault(
            testDescription: "mutes", file: "Content/mutes.yml", text: "mutes:\n  - kind: [\n",
            id: "yaml.syntax")
        static let muteKey = Fault(
            testDescription: "key of a mute", file: "Content/mutes.yml",
            text: "- apps: buoy\n", id: "yaml.unknown-key")
        static let content = Fault(
            testDescription: "content", file: "Content/about.md", text: "---\ntitel: x\n---\n",
            id: "yaml.unknown-key")
        static let template = Fault(
            testDescription: "template", file: "Themes/default/templates/app.html", text: "{{nmae}}\n",
            id: "template.unknown-name")
        static let configuration = Fault(
            testDescription: "configuration", file: "plimsoll.yml", text: "titel: x\n", id: "yaml.unknown-key"
        )
        static let archive = Fault(
            testDescription: "archive", file: "archive.sqlite",
            text: String(repeating: "not a database ", count: 1000), id: "archive.")
    }

    private static let show = ["show"]
    private static let verdict = ["verdict", "--app", "buoy"]
    private static let summary = ["summary", "--app", "buoy"]
    private static let explain = ["explain", "/"]
    private static let backtest = ["alerts", "backtest"]

    /// A result on a full disk, or in a pipe that does not block and is read slowly.
    @Test func aResultThatIsLostIsReported() async throws {
        let folder = try Folder()
        func run(_ words: String) async throws -> Run {
            try await Program.run("/bin/sh", ["-c", words], in: folder.path)
        }
        let whole = try await run("'\(Program.path)' schema")
        #expect(whole.status == 0 && whole.output.utf8.count > 70_000)
        let full = try await run("'\(Program.path)' schema > /dev/full")
        #expect(full.status == 1 && full.errors.contains("[output.full]"), "\(full.printed)")
        let usage = try await run("'\(Program.path)' schema --odd > /dev/full")
        #expect(usage.status == 2, "\(usage.printed)")
        // A reader that has enough is no fault.
        let closed = try await run("'\(Program.path)' schema | head -c 10")
        #expect(closed.status == 0 && closed.errors == "", "\(closed.printed)")
    }

    /// Descriptors that are closed at the start are not given to files of the program: nothing is written into those.
    @Test func closedDescriptorsAreNoFault() async throws {
        let folder = try Folder()
        func run(_ words: String) async throws -> Run {
            try await Program.run("/bin/sh", ["-c", "'\(Program.path)' schema \(words)"], in: folder.path)
        }
        let quiet = try await run("<&- >&-")
        #expect(quiet.status == 0 && quiet.printed == "", "\(quiet.printed)")
        #expect(try await run("<&- >&- 2>&-").status == 0)
        let whole = try await run("<&- 2>&-")
        #expect(whole.status == 0 && whole.output.utf8.count > 70_000)
        #expect(try await run("--odd >&- 2>&-").status == 2)
    }

    /// Threads may still be at work when the program ends; what libraries release then would be gone under them.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")))
    func endsWithoutWhatLibrariesDoAtTheEnd() async throws {
        let folder = try Folder()
        try folder.write(
            "end.c",
            """
            #include <unistd.h>
            __attribute__((destructor)) static void end(void) { write(2, "released", 8); }

            """)
        let made = try await Program.run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-o", "end.so", "end.c"], in: folder.path,
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        #expect(made.status == 0, "\(made.errors)")
        let run = try await Program.run(
            "--version", in: folder, environment: ["LD_PRELOAD": folder.path + "/end.so"])
        #expect(run.status == 0 && run.output.hasPrefix("0.") && !run.errors.contains("released"))
    }

    @Test(
        arguments: [
            (Fault.mutes, [["build"], show, verdict, summary, explain, backtest], 2),
            (.muteKey, [["build"], show, verdict, summary, explain, backtest], 2),
            (.content, [["build"], show, summary], 2), (.template, [["build"]], 2),
            (
                .configuration,
                [
                    ["build"], ["fetch"], ["run"], ["doctor"], ["check"], show, verdict, summary, explain,
                    backtest,
                ], 2
            ),
            (.archive, [["build"], ["run"], show, verdict, summary, explain, backtest], 4),
            // What only looks reports what it found and was done.
            (.mutes, [["check"], ["doctor"]], 1), (.content, [["check"], ["doctor"]], 1),
            (.template, [["check"], ["doctor"]], 1), (.archive, [["doctor"]], 1),
        ] as [(Fault, [[String]], Int32)])
    func faultDecidesTheExitCode(fault: Fault, commands: [[String]], status: Int32) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write(fault.file, fault.text)
        for command in commands {
            let run = try await Program.run(Program.path, command, in: folder.path)
            #expect(run.status == status, "\(command): \(run.printed)")
            #expect(run.errors.contains("[" + fault.id), "\(command): \(run.errors)")
        }
    }

    /// A site cannot show what failed to those that it does not reach: that decides how a run ends.
    @Test(
        arguments: [
            ("", false, 0), ("", true, 1), ("publish: [{to: folder, path: file/web}]\n", false, 5),
            ("publish: [{to: folder, path: file/web}]\n", true, 5),
            ("attach: [{to: slack, url: '${NO_SUCH_URL}'}]\n", false, 5),
            ("attach: [{to: slack, url: '${NO_SUCH_URL}'}]\n", true, 5),
        ] as [(String, Bool, Int32)])
    func whatDoesNotArriveDecidesHowARunEnds(targets: String, sourceFails: Bool, status: Int32) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(day: 20) + targets)
        try folder.write("file", "in the way")
        if sourceFails { try FileManager.default.removeItem(atPath: folder.path + "/data") }
        let run = try await Program.run("run", in: folder)
        #expect(run.status == status && run.output.contains("Built "), "\(run.printed)")
        let alone = try await Program.run("run", "--no-publish", "--no-attach", in: folder)
        #expect(alone.status == (sourceFails ? 1 : 0), "\(alone.printed)")
    }

    @Test(arguments: [
        ["show", "--app", "bouy"], ["show", "--app", "buoy", "--day", "2001-01-01"],
        ["show", "--page", "nowhere"],
        ["verdict", "--app", "bouy"],
        ["summary", "--app", "bouy"], ["summary", "--app", "buoy", "--release", "9"],
        ["summary", "--app", "buoy", "--day", "2001-01-01"],
        ["summary", "--app", "buoy", "--day", "2029-12-24"],
        ["explain", "apps/bouy"], ["explain", "apps/buoy", "nothing"],
        ["alerts", "backtest", "--app", "bouy"],
        ["build", "--single-file", "--app", "bouy"], ["build", "--single-file"], ["theme", "new", "No"],
        ["build", "--config", "none.yml"],
    ])
    func unknownNameIsAUsageError(arguments: [String]) async throws {
        let folder = try await FirstMorning.shared.folder
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == 2, "\(run.printed)")
        #expect(run.errors.contains("  hint: "), "\(run.errors)")
    }
}
