import Foundation
import Testing

@testable import PlimsollCommand

/// The files that `init --schedule` writes, held against the programs that read them.
struct ScheduleTests {
    private static func has(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Runs a program of the system; its status and all that it printed.
    private func run(
        _ program: String, _ arguments: [String], in folder: String = "/"
    ) async throws -> (Int32, String) {
        let run = try await Program.run(
            "/usr/bin/env", [program] + arguments, in: folder,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder])
        return (run.status, run.printed)
    }

    private func written(_ schedule: Schedule, program: String = "/usr/bin/env") throws -> Folder {
        let folder = try Folder()
        for file in schedule.files(folder: folder.path, program: program) {
            try folder.write(file.path, file.text)
        }
        return folder
    }

    @Test(arguments: Schedule.allCases)
    func initWritesEachOnce(schedule: Schedule) async throws {
        let folder = try Folder()
        let arguments = [
            "init", folder.path, "--schedule", schedule.rawValue, "--program", "/usr/bin/plimsoll",
        ]
        let first = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(first.status == 0, "\(first.errors)")
        for file in schedule.files(folder: folder.path, program: "/usr/bin/plimsoll") {
            #expect(folder.text(file.path) == file.text, "\(file.path)")
        }
        let before = folder.text("plimsoll.yml")
        let again = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(
            again.status == 2 && again.errors.contains("nothing was written [init.exists]"), "\(again.errors)"
        )
        // A configuration that exists is left alone.
        for file in schedule.files(folder: folder.path, program: "") {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(file.path)")
        }
        let later = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(later.status == 0 && folder.text("plimsoll.yml") == before)
    }

    /// The line of the crontab as cron gives it to a shell: a percent sign ends it unless it is escaped.
    @Test(arguments: [(0, ""), (1, ""), (4, "this one failed\n")])
    func cronRunsItQuietly(status: Int, mail: String) async throws {
        let folder = try Folder()
        let project = folder.path + "/a b%'c"
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
        try folder.write("a b%'c/plimsoll.env", "WORD=secret\n")
        try folder.write(
            "a b%'c/run",
            "#!/bin/sh\n[ \"$1$WORD\" = runsecret ] || exit 9\necho this one failed\nexit \(status)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: project + "/run")
        let text = cronText(folder: project, program: project + "/run")
        let line = try #require(text.split(separator: "\n").last { !$0.hasPrefix("#") })
        #expect(line.firstMatch(of: /[^\\]%/) == nil)
        let command = line.split(separator: " ", maxSplits: 5).last?.replacing("\\%", with: "%") ?? ""
        let (_, output) = try await run("sh", ["-c", String(command)])
        #expect(output == mail)
        #expect(folder.text("a b%'c/plimsoll.log") == "this one failed\n")
    }

    @Test(.enabled(if: has("systemd-analyze"), "needs the Debian package systemd"))
    func systemdAcceptsTheUnits() async throws {
        let folder = try written(.systemd)
        let files = ["plimsoll.service", "plimsoll.timer"].map { "\(folder.path)/schedule/\($0)" }
        let (status, output) = try await run("systemd-analyze", ["verify", "--man=no"] + files)
        #expect(status == 0 && !output.contains("plimsoll"), "\(output)")
        let (exposed, report) = try await run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=15", "--no-pager", files[0]])
        #expect(exposed == 0, "\(report.split(separator: "\n").last ?? "")")
        let (calendar, _) = try await run("systemd-analyze", ["calendar", "*-*-* 05:17:00 UTC"])
        #expect(calendar == 0)
    }

    /// The published schemas of both services, as PyPI's check-jsonschema brings them along.
    @Test(
        .enabled(if: has("check-jsonschema"), "needs check-jsonschema from PyPI"),
        arguments: [
            (Schedule.gitHubActions, "vendor.github-workflows"), (.gitLabCI, "vendor.gitlab-ci"),
        ])
    func servicesAcceptTheirFiles(schedule: Schedule, schema: String) async throws {
        let folder = try written(schedule)
        let file = "\(folder.path)/\(schedule.files(folder: "/", program: "")[0].path)"
        var arguments = ["--builtin-schema", schema, file]
        if schedule == .gitLabCI { arguments = ["--data-transform", "gitlab-ci"] + arguments }
        let (status, output) = try await run("check-jsonschema", arguments)
        #expect(status == 0, "\(output)")
    }

    @Test func actionsArePinnedByCommit() {
        for match in workflowText.matches(of: /uses: (\S+)/) {
            #expect(match.1.wholeMatch(of: /[a-z\/-]+@[0-9a-f]{40}/) != nil, "\(match.1)")
        }
    }

    /// Two nights on two machines that share nothing but the repository.
    @Test(.enabled(if: has("git") && has("sqlite3") && has("zstd"), "needs git, sqlite3 and zstd"))
    func theArchiveIsKeptOnABranch() async throws {
        let folder = try Folder()
        try folder.write("archive.sh", archiveScript)
        let script = "\(folder.path)/archive.sh"
        #expect(try await run("git", ["init", "-q", "--bare", "\(folder.path)/remote.git"]).0 == 0)
        for name in ["one", "two"] {
            #expect(
                try await run("git", ["clone", "-q", "\(folder.path)/remote.git", "\(folder.path)/\(name)"]).0
                    == 0)
        }
        let (one, two) = ("\(folder.path)/one", "\(folder.path)/two")
        // Without an archive the first run has to be meant.
        #expect(try await run("sh", [script, "get"], in: one).0 == 1)
        #expect(try await run("sh", [script, "get", "--first"], in: one).0 == 0)
        #expect(
            try await run(
                "sqlite3", ["archive.sqlite", "CREATE TABLE t(x); INSERT INTO t VALUES (1);"], in: one
            ).0 == 0)
        #expect(try await run("sh", [script, "keep"], in: one).0 == 0)
        for value in [1, 2] {
            #expect(try await run("sh", [script, "get"], in: two).0 == 0)
            #expect(
                try await run("sqlite3", ["archive.sqlite", "SELECT max(x) FROM t"], in: two).1
                    == "\(value)\n")
            #expect(
                try await run("sqlite3", ["archive.sqlite", "INSERT INTO t VALUES (\(value + 1))"], in: two).0
                    == 0)
            #expect(try await run("sh", [script, "keep"], in: two).0 == 0)
        }
        // The first machine read an older archive, and does not replace the newer one.
        #expect(try await run("sh", [script, "keep"], in: one).0 != 0)
        #expect(
            try await run(
                "git", ["rev-list", "--count", "plimsoll-archive"], in: "\(folder.path)/remote.git"
            ).1 == "1\n")
    }
}
