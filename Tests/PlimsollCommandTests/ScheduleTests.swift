import Foundation
import Testing
import Yams

@testable import PlimsollCommand

private let workflow = workflowText(of: SchedulePlaces())
private let pipeline = pipelineText(of: SchedulePlaces())

/// The files that `init --schedule` writes, held against the programs that read them.
struct ScheduleTests {
    fileprivate static func has(_ program: String) -> Bool {
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
        let (before, tree) = (folder.text("plimsoll.yml"), try folder.tree())
        let again = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(again.status == 0 && !again.output.contains("Wrote "), "\(again.printed)")
        for file in schedule.files(folder: folder.path, program: "") {
            #expect(again.output.contains("Kept \(folder.path)/\(file.path)\n"), "\(again.output)")
        }
        #expect(try folder.tree() == tree)
        // A configuration that exists is left alone.
        for file in schedule.files(folder: folder.path, program: "") {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(file.path)")
        }
        let later = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(later.status == 0 && folder.text("plimsoll.yml") == before)
    }

    /// The archive and the site are where the configuration that is there has them; names with a blank are one word.
    @Test(arguments: [
        ("title: A\n", "file=archive.sqlite\n", "path: site\n", "cp -R site public.new"),
        (
            "archive: db/shop.sqlite\noutput: public/web\n", "file=db/shop.sqlite\n", "path: public/web\n",
            "cp -R public/web public.new"
        ),
        (
            "archive: my db/a.sqlite\noutput: it's here\n", "file='my db/a.sqlite'\n", "path: 'it''s here'\n",
            "cp -R 'it'\\''s here' public.new"
        ),
    ])
    func filesNameThePlacesOfTheConfiguration(
        lines: String, archive: String, path: String, copies: String
    ) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", lines + "apps: []\n")
        // Both have the same script.
        for schedule in [Schedule.gitHubActions, .gitLabCI] {
            let run = try await Program.run("init", "--schedule", schedule.rawValue, in: folder)
            #expect(run.status == 0, "\(run.printed)")
            #expect(run.output.contains("Kept ./schedule/archive.sh") == (schedule == .gitLabCI))
        }
        #expect(folder.text("schedule/archive.sh").contains(archive))
        #expect(folder.text(".github/workflows/plimsoll.yml").contains(path))
        #expect(folder.text(".gitlab-ci.yml").contains(copies))
    }

    /// A script that somebody changed is not taken for that of a schedule, and a configuration that cannot be read names
    /// no places.
    @Test(arguments: [
        ("schedule/archive.sh", "#!/bin/sh\n", "[init.exists]"),
        ("plimsoll.yml", "titel: A\n", "[yaml.unknown-key]"),
    ])
    func nothingIsWrittenNextToWhatIsOther(file: String, text: String, reported: String) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", "apps: []\n")
        try folder.write(file, text)
        let before = try folder.tree()
        let run = try await Program.run("init", "--schedule", "gitlab-ci", in: folder)
        #expect(run.status == 2 && run.errors.contains(reported), "\(run.printed)")
        #expect(try folder.tree() == before)
    }

    /// A site that is in the folder which GitLab publishes is published, not removed.
    @Test(arguments: ["site", "public", "public/web", "./public/"])
    func theSiteIsCopiedWhereverItIs(site: String) async throws {
        let folder = try Folder()
        try folder.write("\(site)/index.html", "home")
        let text = pipelineText(of: SchedulePlaces(site: site))
        let lines = text.split(separator: "\n").filter { $0.contains("public") && $0.contains("&& ") }
        let script = lines.joined(separator: "\n")
        #expect(try await run("sh", ["-ec", script], in: folder.path).0 == 0)
        #expect(folder.text("public/index.html") == "home")
        #expect(try folder.names().filter { $0 != "site" } == ["public"])
    }

    /// The line of the crontab as cron gives it to a shell: a percent sign ends it unless it is escaped.
    @Test(arguments: [(0, ""), (1, ""), (4, "this one failed\n"), (5, "this one failed\n")])
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

    /// What the site shows is no failure of the unit; a site that was not published is.
    @Test func theUnitFailsByAllThatTheSiteCannotShow() {
        let lines = serviceText(program: "/usr/bin/plimsoll").split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("SuccessExitStatus=") } == ["SuccessExitStatus=1"])
    }

    /// Wherever the program is, such as below a folder with a blank or with what means something to systemd.
    @Test(
        .enabled(if: has("systemd-analyze"), "needs the Debian package systemd"),
        arguments: ["", "my tools", "50%i", "it's", "\"q\"", "back\\slash", "$HOME", "Café"])
    func systemdAcceptsTheUnits(place: String) async throws {
        let programs = try Folder()
        try programs.write("\(place)/env", "#!/bin/sh\n")
        let program = "\(programs.path)/\(place.isEmpty ? "" : place + "/")env"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let folder = try written(.systemd, program: program)
        let files = ["plimsoll.service", "plimsoll.timer"].map { "\(folder.path)/schedule/\($0)" }
        let (status, output) = try await run("systemd-analyze", ["verify", "--man=no"] + files)
        #expect(status == 0 && !output.contains("plimsoll"), "\(output)")
        let refused = try await run(
            "sh", ["-c", "sed '/^ExecStart=/s|=.*|=\(programs.path)/none|' \(files[0]) >no.service", "sh"],
            in: folder.path)
        #expect(refused.0 == 0)
        #expect(
            try await run("systemd-analyze", ["verify", "--man=no", "\(folder.path)/no.service"]).1.contains(
                "none"))
        let (exposed, report) = try await run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=15", "--no-pager", files[0]])
        #expect(exposed == 0, "\(report.split(separator: "\n").last ?? "")")
        let (calendar, _) = try await run("systemd-analyze", ["calendar", "*-*-* 05:17:00 UTC"])
        #expect(calendar == 0)
    }

    /// A program below a home folder is seen in the unit, which hides those.
    @Test(arguments: [
        ("/usr/bin/plimsoll", ["ProtectHome=tmpfs"]),
        (
            "/home/me/.local/bin/plimsoll",
            [
                "ProtectHome=tmpfs", "BindReadOnlyPaths=/home/me/.local/bin/plimsoll",
                "BindReadOnlyPaths=-/home/me/.local/share/plimsoll",
            ]
        ),
        (
            "/root/my 50% tools/bin/plimsoll",
            [
                "ProtectHome=tmpfs", #"BindReadOnlyPaths="/root/my 50%% tools/bin/plimsoll""#,
                #"BindReadOnlyPaths="-/root/my 50%% tools/share/plimsoll""#,
            ]
        ),
    ])
    func theUnitShowsTheProgram(program: String, lines: [String]) {
        let found = serviceText(program: program).split(separator: "\n").filter {
            $0.hasPrefix("ProtectHome=") || $0.hasPrefix("BindReadOnlyPaths=")
        }
        #expect(found.map(String.init) == lines)
    }

    /// A path that is typed is one of the folder in which it is typed.
    @Test(arguments: [Schedule.cron, .systemd]) func pathOfTheProgramIsWhole(schedule: Schedule) async throws
    {
        let folder = try Folder()
        let run = try await Program.run(
            Program.path,
            ["init", "report", "--schedule", schedule.rawValue, "--program", "./bin/../plimsoll"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let file = schedule == .cron ? "plimsoll.cron" : "plimsoll.service"
        #expect(folder.text("report/schedule/\(file)").contains("\(folder.path)/plimsoll run"))
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

    /// All that a shell is given, as a shell reads it without running it.
    @Test(arguments: Schedule.allCases) func shellsCanReadTheirScripts(schedule: Schedule) async throws {
        let folder = try Folder()
        var scripts: [String] = []
        for file in schedule.files(folder: folder.path, program: "/usr/bin/plimsoll") {
            if file.path.hasSuffix(".sh") { scripts.append(file.text) }
            if file.path.hasSuffix(".cron") {
                let line = file.text.split(separator: "\n").last { !$0.hasPrefix("#") } ?? ""
                scripts += line.split(separator: " ", maxSplits: 5).suffix(1).map(String.init)
            }
            if file.path.hasSuffix(".yml") {
                scripts += Self.scripts(in: try #require(try Yams.load(yaml: file.text)))
            }
        }
        #expect(scripts.isEmpty == (schedule == .systemd))
        for script in scripts {
            try folder.write("script", script)
            let (status, output) = try await run("sh", ["-n", "\(folder.path)/script"])
            #expect(status == 0, "\(output)\n\(script)")
            // What a service puts into a script before the shell reads it could be a command.
            #expect(!script.contains("${{"), "\(script)")
        }
    }

    /// The scripts of a workflow's steps and of a pipeline's jobs.
    private static func scripts(in value: Any) -> [String] {
        if let list = value as? [Any] { return list.flatMap(scripts) }
        // YAML takes the key 'on' for a truth value.
        guard let members = value as? [AnyHashable: Any] else { return [] }
        return members.flatMap { name, inner in
            guard ["run", "script", "before_script", "after_script"].contains(name) else {
                return scripts(in: inner)
            }
            return [(inner as? [String])?.joined(separator: "\n") ?? "\(inner)"]
        }
    }

    /// Every name in a file has its words, and no word is read again.
    @Test func wordsTakeThePlacesOfTheirNames() {
        let places = SchedulePlaces(archive: "@site@/a", site: "@archive@")
        #expect(archiveScript(of: places).contains("file='@site@/a'\n"))
        #expect(pipelineText(of: places).contains("cp -R '@archive@' public.new"))
        for schedule in Schedule.allCases {
            for file in schedule.files(folder: "/srv/report", program: "/usr/bin/plimsoll") {
                #expect(!file.text.isEmpty && file.text.firstMatch(of: /@[a-z]+@/) == nil, "\(file.path)")
            }
        }
    }

    /// No summary is sent before the archive is kept and the site is checked, and what was sent is kept.
    @Test(arguments: [workflow, pipeline]) func summariesComeLast(text: String) throws {
        let steps = ["--no-publish --no-attach", "plimsoll check\n", "plimsoll attach"]
        let places = try steps.map { try #require(text.firstRange(of: $0)).lowerBound }
        #expect(places == places.sorted())
        let keep = text == workflow ? "archive.sh keep" : "- *keep"
        let kept = text.ranges(of: keep).map(\.lowerBound)
        // In GitLab once more after a job that did not come to its end.
        #expect(kept.count == (text == workflow ? 2 : 3) && kept[0] < places[1] && kept[1] > places[2])
    }

    /// A run that is canceled, or takes too long, skips each step that does not say `always()`.
    @Test func aRunThatIsCanceledKeepsWhatItDid() {
        let steps = workflow.matches(
            of: /if: (.+)\n +env:\n +AGE_KEY: .+\n +run: sh schedule\/archive\.sh keep\n/)
        #expect(
            steps.map { String($0.1) } == [
                "always() && steps.archive.outcome == 'success'",
                "always() && steps.attach.outcome != 'skipped'",
            ])
    }

    /// GitLab runs after_script where the job was canceled, and where the time of its script is over; a job that came to its
    /// end has kept all.
    @Test(arguments: ["success", "canceled", "failed"])
    func aJobOfGitLabThatIsCanceledKeepsWhatItDid(status: String) async throws {
        let found = try #require(
            pipeline.firstMatch(of: /after_script:\n    - (.+)\n    - \*keep\n  artifacts:/))
        let (code, output) = try await run("sh", ["-ec", "CI_JOB_STATUS=\(status)\n\(found.1)\necho kept"])
        #expect(code == 0 && output == (status == "success" ? "" : "kept\n"))
        // The times of both scripts end before that of the job.
        func minutes(_ time: Regex<(Substring, Substring)>) throws -> Int {
            let found = try #require(pipeline.firstMatch(of: time))
            return try #require(Int(found.1))
        }
        let own = try minutes(/RUNNER_SCRIPT_TIMEOUT: (\d+)m/)
        let after = try minutes(/RUNNER_AFTER_SCRIPT_TIMEOUT: (\d+)m/)
        #expect(try own + after < minutes(/timeout: (\d+) minutes/))
    }

    @Test func actionsArePinnedByCommit() {
        for match in workflow.matches(of: /uses: (\S+)/) {
            #expect(match.1.wholeMatch(of: /[a-z\/-]+@[0-9a-f]{40}/) != nil, "\(match.1)")
        }
    }

    /// A site that the line of cron publishes can be read by a web server; what is not for others cannot.
    @Test func cronPublishesForTheWebServer() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write(
            "plimsoll.yml", Quay.configuration(day: 19) + "publish: [{to: folder, path: web}]\n")
        let line = try #require(
            cronText(folder: folder.path, program: Program.path).split(separator: "\n").last {
                !$0.hasPrefix("#")
            })
        let command = line.split(separator: " ", maxSplits: 5).last.map(String.init) ?? ""
        #expect(try await run("sh", ["-c", command], in: folder.path).1.isEmpty)
        #expect(folder.text("plimsoll.log").contains("✓ folder ("))
        let closed = try await run("find", ["web", "site", "!", "-perm", "-044"], in: folder.path)
        #expect(closed.0 == 0 && closed.1.isEmpty, "\(closed.1)")
        let open = try await run(
            "find", ["plimsoll.log", "archive.sqlite", "archive.sqlite.cache", "-perm", "/077"],
            in: folder.path)
        #expect(open.1.split(separator: "\n").allSatisfy { $0.contains("No such file") }, "\(open.1)")
    }
}

/// The unit's filter of system calls, laid on the real program as systemd does it.
struct SystemCallFilterTests {
    private static let isPossible =
        ["/usr/bin/systemd-analyze", "/usr/bin/python3"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        } && dlopen("libseccomp.so.2", RTLD_LAZY) != nil

    private static let script = """
        import ctypes, errno, os, subprocess, sys
        seccomp = ctypes.CDLL("libseccomp.so.2")
        seccomp.seccomp_init.argtypes, seccomp.seccomp_init.restype = [ctypes.c_uint32], ctypes.c_void_p
        def calls(word):
            if not word.startswith("@"): return {word}
            text = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", word],
                capture_output=True, text=True, check=True).stdout
            lines = [line.strip() for line in text.splitlines()[1:]]
            return set().union(*(calls(line) for line in lines if line and not line.startswith("#")))
        # Without a number the process is killed.
        allowed, otherwise = calls("@default"), 0x80000000
        for line in open(sys.argv[1]):
            key, _, value = line.strip().partition("=")
            if key == "SystemCallErrorNumber": otherwise = 0x00050000 | getattr(errno, value)
            if key != "SystemCallFilter": continue
            found = set().union(*(calls(word) for word in value.removeprefix("~").split()))
            allowed = allowed - found if value.startswith("~") else allowed | found
        context = ctypes.c_void_p(seccomp.seccomp_init(otherwise))
        for name in sorted(allowed):
            number = seccomp.seccomp_syscall_resolve_name(name.encode())
            if number >= 0: assert seccomp.seccomp_rule_add(context, 0x7FFF0000, number, 0) == 0, name
        # No new rights, as for any service with a filter.
        assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0
        assert seccomp.seccomp_load(context) == 0
        os.execv(sys.argv[2], sys.argv[2:])
        """

    /// As it is written, and where somebody's own unit refuses what it allows.
    @Test(
        .enabled(if: isPossible, "needs the Debian packages systemd and python3"), arguments: [true, false])
    func runsUnderIt(allowsOwners: Bool) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write(
            "plimsoll.yml", Quay.configuration(day: 19) + "publish: [{to: folder, path: web}]\n")
        let allowance = "SystemCallFilter=setpriority @chown\n"
        let text = serviceText(program: Program.path)
        #expect(text.contains(allowance))
        try folder.write("unit", allowsOwners ? text : text.replacing(allowance, with: ""))
        // The second night publishes over what the first one did.
        for _ in 1...2 {
            let run = try await Program.run(
                "/usr/bin/python3", ["-c", Self.script, "\(folder.path)/unit", Program.path, "run"],
                in: folder.path, environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC"])
            #expect(run.status == 0 && run.output.contains("✓ folder ("), "\(run.status) \(run.printed)")
            try folder.write(
                "plimsoll.yml", Quay.configuration(day: 20) + "publish: [{to: folder, path: web}]\n")
        }
        #expect(folder.text("web/index.html") == folder.text("site/index.html"))
    }
}

/// The archive on a branch, by the script of both code hosts: whatever fails, the history there stays.
@Suite(.enabled(if: ArchiveBranch.isPossible, "needs git, sqlite3, zstd and age"))
struct ArchiveScriptTests {
    /// Nights on machines that share nothing but the repository.
    @Test func theArchiveIsKeptOnABranch() async throws {
        let branch = try await ArchiveBranch()
        // Without an archive the first run has to be meant.
        #expect(try await branch.get("one") != 0)
        #expect(try await branch.get("one", "--first") == 0)
        #expect(try await branch.keep("one") != 0)
        try await branch.fetch("one", day: 19)
        try branch.folder.write("one/archive.sqlite.publications.json", "{}")
        #expect(try await branch.keep("one") == 0)
        for day in [20, 21] {
            #expect(try await branch.get("two") == 0)
            #expect(branch.folder.text("two/archive.sqlite.publications.json") == "{}")
            try await branch.fetch("two", day: day)
            #expect(try await branch.keep("two") == 0)
        }
        // The first machine read an older archive, and does not replace the newer one.
        let before = try await branch.commit()
        #expect(try await branch.keep("one") != 0)
        #expect(try await branch.commit() == before)
        #expect(try await branch.commits() == "1")
    }

    /// An archive in a folder that no checkout has, under its own name.
    @Test func anArchiveOfAnotherNameIsKept() async throws {
        let branch = try await ArchiveBranch(SchedulePlaces(archive: "my db/shop.sqlite"))
        #expect(try await branch.get("one", "--first") == 0)
        try await branch.fetch("one", day: 19)
        try FileManager.default.createDirectory(
            atPath: branch.folder.path + "/one/my db", withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: branch.folder.path + "/one/archive.sqlite",
            toPath: branch.folder.path + "/one/my db/shop.sqlite")
        try branch.folder.write("one/my db/shop.sqlite.publications.json", "{}")
        #expect(try await branch.keep("one") == 0)
        #expect(
            try await branch.files() == ["archive.sqlite.publications.json.zst", "archive.sqlite.zst"])
        #expect(try await branch.get("two") == 0)
        #expect(FileManager.default.fileExists(atPath: branch.folder.path + "/two/my db/shop.sqlite"))
        #expect(branch.folder.text("two/my db/shop.sqlite.publications.json") == "{}")
        #expect(try await branch.keep("two") == 0)
    }

    enum Mishap: CaseIterable {
        case otherKey, noKey, noKeyAtTheEnd, notRead, otherJob, lostArchive, emptyArchive, newArchive
        case olderArchive, brokenBranch
    }

    @Test(arguments: Mishap.allCases)
    func whateverFailsTheHistoryStays(mishap: Mishap) async throws {
        let branch = try await ArchiveBranch()
        let key = try await branch.key()
        #expect(try await branch.get("one", "--first", key: key) == 0)
        try await branch.fetch("one", day: 19)
        #expect(try await branch.keep("one", key: key) == 0)
        let file = branch.folder.path + "/one/archive.sqlite"
        if mishap == .olderArchive {
            try FileManager.default.copyItem(atPath: file, toPath: branch.folder.path + "/older")
            #expect(try await branch.get("one", key: key) == 0)
            try await branch.fetch("one", day: 20)
            #expect(try await branch.keep("one", key: key) == 0)
        }
        if mishap == .brokenBranch { try await branch.push(["archive.sqlite.zst.age": "cut off"]) }
        let before = try await branch.commit()
        // What a runner keeps from night to night: the state of the script, and not the archive.
        try FileManager.default.removeItem(atPath: file)

        let nightKey = mishap == .otherKey ? try await branch.key() : mishap == .noKey ? "" : key
        if mishap != .notRead {
            let fails = [.otherKey, .noKey, .brokenBranch].contains(mishap)
            let status = try await branch.get("one", key: nightKey, job: "2")
            #expect((status != 0) == fails)
            #expect(FileManager.default.fileExists(atPath: file) != fails)
        }
        if [.lostArchive, .emptyArchive, .newArchive, .olderArchive].contains(mishap) {
            try FileManager.default.removeItem(atPath: file)
        }
        switch mishap {
        case .emptyArchive: try branch.folder.write("one/archive.sqlite", "")
        case .newArchive: try await branch.fetch("one", day: 21)
        case .olderArchive:
            try FileManager.default.copyItem(atPath: branch.folder.path + "/older", toPath: file)
        default: break
        }
        let keepKey = mishap == .noKeyAtTheEnd ? "" : nightKey
        #expect(try await branch.keep("one", key: keepKey, job: mishap == .otherJob ? "3" : "2") != 0)
        #expect(try await branch.commit() == before)
    }

    /// One night with both keys, and the new one is enough.
    @Test func aKeyIsReplaced() async throws {
        let branch = try await ArchiveBranch()
        let (old, new) = (try await branch.key(), try await branch.key())
        #expect(try await branch.get("one", "--first", key: old) == 0)
        try await branch.fetch("one", day: 19)
        #expect(try await branch.keep("one", key: old) == 0)
        #expect(try await branch.get("two", key: "\(old)\n\(new)") == 0)
        #expect(try await branch.keep("two", key: "\(old)\n\(new)") == 0)
        #expect(try await branch.get("one", key: new) == 0)
    }

    /// GitLab gives a variable to the job under its own name, and as a file where it is of that type.
    @Test(arguments: [false, true]) func aVariableOfGitLabEncrypts(isFile: Bool) async throws {
        let branch = try await ArchiveBranch()
        let key = try await branch.key()
        try branch.folder.write("key", key + "\n")
        let variable = ["PLIMSOLL_AGE_KEY": isFile ? branch.folder.path + "/key" : key]
        #expect(try await branch.get("one", "--first", with: variable) == 0)
        try await branch.fetch("one", day: 19)
        #expect(try await branch.keep("one", with: variable) == 0)
        #expect(try await branch.files() == ["archive.sqlite.zst.age"])
        #expect(try await branch.get("two") != 0)
        #expect(try await branch.get("two", with: variable) == 0)
    }

    /// A push that is refused, as with a token that has expired, fails the job.
    @Test func aRefusedPushIsReported() async throws {
        let branch = try await ArchiveBranch()
        #expect(try await branch.get("one", "--first") == 0)
        try await branch.fetch("one", day: 19)
        #expect(try await branch.keep("one", pushes: "https://127.0.0.1:9/x.git") == 1)
        // GitLab ignores what fails in after_script.
        let script = try #require(pipeline.firstMatch(of: /\n  script:\n((?:    .*\n)+)/)).1
        #expect(pipeline.contains("archive.sh keep") && script.contains("- *keep"))
        #expect(workflow.contains("if: always() && steps.archive.outcome == 'success'"))
    }
}

/// A repository with the script, and two clones of it.
private struct ArchiveBranch {
    static let isPossible = ["git", "sqlite3", "zstd", "age", "age-keygen"].allSatisfy(ScheduleTests.has)

    let folder: Folder

    init(_ places: SchedulePlaces = SchedulePlaces()) async throws {
        folder = try Folder()
        try folder.write("archive.sh", archiveScript(of: places))
        _ = try await run("git", "init", "-q", "--bare", "remote.git")
        for name in ["one", "two"] {
            _ = try await run("git", "clone", "-q", "remote.git", name)
        }
    }

    private func run(
        _ words: String..., in place: String = "", environment: [String: String] = [:]
    ) async throws -> Run {
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.path]
        return try await Program.run(
            "/usr/bin/env", words, in: "\(folder.path)/\(place)",
            environment: path.merging(environment) { $1 })
    }

    func get(
        _ clone: String, _ word: String = "", key: String = "", job: String = "1",
        with variables: [String: String] = [:]
    ) async throws -> Int32 {
        try await run(
            "sh", "-c", "sh ../archive.sh get \(word)", in: clone,
            environment: ["AGE_KEY": key, "CI_JOB_ID": job].merging(variables) { $1 }
        ).status
    }

    func keep(
        _ clone: String, key: String = "", job: String = "1", pushes url: String = "origin",
        with variables: [String: String] = [:]
    ) async throws -> Int32 {
        try await run(
            "sh", "../archive.sh", "keep", in: clone,
            environment: ["AGE_KEY": key, "CI_JOB_ID": job, "PUSH_URL": url].merging(variables) { $1 }
        ).status
    }

    /// The names of the files on the branch.
    func files() async throws -> [String] {
        let list = try await run("git", "ls-tree", "--name-only", "plimsoll-archive", in: "remote.git")
        return list.output.split(separator: "\n").map(String.init)
    }

    /// A night's fetch.
    func fetch(_ clone: String, day: Int) async throws {
        try folder.write("\(clone)/plimsoll.yml", Quay.configuration(day: day))
        try folder.write("\(clone)/data/\(day).json", Quay.snapshot(of: "buoy", day: day))
        try folder.write("\(clone)/more/\(day).json", Quay.snapshot(of: "lamp", day: day))
        let run = try await Program.run(Program.path, ["fetch"], in: "\(folder.path)/\(clone)")
        #expect(run.status == 0, "\(run.printed)")
    }

    func key() async throws -> String {
        try await run("age-keygen").output.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// The commit of the branch.
    func commit() async throws -> String {
        try await run("git", "rev-parse", "plimsoll-archive", in: "remote.git").output
    }

    func commits() async throws -> String {
        let count = try await run("git", "rev-list", "--count", "plimsoll-archive", in: "remote.git").output
        return String(count.prefix { $0 != "\n" })
    }

    /// Puts something else on the branch.
    func push(_ files: [String: String]) async throws {
        for (name, text) in files { try folder.write(name, text) }
        let script = """
            for name in \(files.keys.sorted().joined(separator: " ")); do
                printf '100644 blob %s\\t%s\\n' "$(git hash-object -w "../$name")" "$name"
            done | git mktree | xargs git -c user.name=a -c user.email=a@localhost commit-tree -m x |
                xargs git update-ref refs/heads/plimsoll-archive
            """
        _ = try await run("sh", "-c", script, in: "remote.git")
    }
}
