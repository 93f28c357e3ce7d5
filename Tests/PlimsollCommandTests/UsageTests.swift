import Foundation
import Testing

struct UsageTests {
    @Test func helpListsTheCommands() async throws {
        for arguments in [["--help"], ["help"], []] {
            let run = try await Program.run(Program.path, arguments, in: "/")
            #expect(run.status == 0)
            #expect(run.errors == "")
            for command in ["demo", "init", "doctor", "fetch", "build", "run", "summary", "verdict"] {
                #expect(run.output.contains("\n  \(command) "), "\(command)")
            }
            #expect(run.output.contains("Exit codes: 0 success"))
        }
    }

    @Test(arguments: ["demo", "init", "doctor", "fetch", "build", "run", "summary", "verdict"])
    func everyCommandHasHelp(command: String) async throws {
        let run = try await Program.run(Program.path, [command, "--help"], in: "/")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("OVERVIEW: "))
        #expect(run.output.contains("USAGE: plimsoll \(command)"))
    }

    @Test func versionIsReported() async throws {
        let run = try await Program.run(Program.path, ["--version"], in: "/")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: [
        ["--nonsense"], ["biuld"], ["build", "--nonsense"], ["build", "--threads", "0"],
        ["build", "--threads", "many"],
        ["build", "--as-of", "yesterday"], ["build", "surplus"], ["summary"],
        ["summary", "--app", "a", "--day", "2026-02-30"],
        ["summary", "--app", "a", "--day", "2026-11-19", "--release", "1"],
        ["init", "--provider", "bugsnack"],
        ["demo", "--threads"], ["fetch", "--wait", "-1"], ["run", "--wait", "soon"],
    ])
    func wrongWordsAreUsageErrors(arguments: [String]) async throws {
        let folder = try Folder()
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains("Error: "))
        #expect(try folder.names() == [])
    }

    @Test(arguments: ["doctor", "fetch", "build", "run", "summary"])
    func withoutAConfigurationNothingIsDone(command: String) async throws {
        let folder = try Folder()
        let run = try await Program.run(
            Program.path, [command] + (command == "summary" ? ["--app", "a"] : []), in: folder.path)
        #expect(run.status == 2)
        #expect(
            run.errors == """
                error: Configuration file 'plimsoll.yml' not found [config.missing]
                  at plimsoll.yml
                  hint: run 'plimsoll init', or use '--config'
                  hint: run 'plimsoll demo' for sample data, then use '--config plimsoll-demo/plimsoll.yml'

                """)
        #expect(try folder.names() == [])
    }

    /// What is written into the project, and what must be reported.
    @Test(arguments: [
        (
            "plimsoll.yml", "titel: x\napps: []\n",
            "error: Unknown key 'titel' [yaml.unknown-key]\n  at plimsoll.yml:1:1\n  hint: did you mean 'title'?"
        ),
        ("plimsoll.yml", "apps:\n\t- id: a\n", "  at plimsoll.yml:2:1"),
        (
            "plimsoll.yml", "asOf: today\napps: []\n",
            "  at plimsoll.yml:1:7\n  hint: write it as 2026-11-20T06:00:00Z"
        ),
        (
            "plimsoll.yml", "apps: []\ntheme: deafult\n",
            "error: Unknown theme 'deafult' [theme.missing]\n  searched: "
        ),
        ("plimsoll.yml", "apps: []\ntheme: ../Themes/default\n", "[theme.missing]"),
        (
            "plimsoll.yml", "apps: []\noutput: site\narchive: site/archive.sqlite\n",
            "[config.output]\n  at plimsoll.yml:2:9\n  it is the archive"
        ),
        (
            "plimsoll.yml", "apps: []\noutput: .\n",
            "[config.output]\n  at plimsoll.yml:2:9\n  it is the archive"
        ),
        (
            "plimsoll.yml", "apps: []\narchive: plimsoll.yml\n",
            "[config.archive]\n  at plimsoll.yml:2:10"
        ),
        (
            "plimsoll.yml", "content: datas\napps: []\n",
            "No folder 'datas' for 'content' [config.content]\n  at plimsoll.yml:1:10\n  hint: did you mean 'data'?"
        ),
        ("plimsoll.yml", "content: ./data/bouy/\napps: []\n", "hint: did you mean './data/buoy'?"),
        (
            "plimsoll.yml", "content: plimsoll.yml\napps: []\n",
            "'plimsoll.yml' is not a folder [config.content]\n  at plimsoll.yml:1:10\n  hint: name the folder"
        ),
        ("Themes/default/templates/app.html", "\n{{nmae}}\n", "  at ./Themes/default/templates/app.html:2:1"),
        (
            "Content/about.md", "---\ntitel: x\n---\n",
            "  at ./Content/about.md:2:1\n  hint: did you mean 'title'?"
        ),
        ("Content/apps.md", "x", "'apps.md' is not a valid page name"),
    ])
    func whatTheUserWroteWronglyIsAUsageError(file: String, text: String, reported: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try folder.tree("site")
        try folder.write(file, text)
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 2, "\(run.printed)")
        #expect(
            run.errors.replacing("at Content", with: "at ./Content").replacing(
                "at Themes", with: "at ./Themes"
            ).contains(reported), "\(run.errors)")
        #expect(run.errors.contains("  hint: "))
        #expect(try folder.tree("site") == before)
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// The folder of content that no key names may be missing, and one that the command line names has no line.
    @Test func onlyWhatTheConfigurationNamesHasALine() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try? FileManager.default.removeItem(atPath: folder.path + "/Content")
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0, "\(built.printed)")
        let run = try await Program.run("build", "--output", ".", in: folder)
        #expect(run.status == 2 && run.errors.contains("\n  at plimsoll.yml\n"), "\(run.errors)")
    }

    @Test func aDemoIsNotBuiltByNoThread() async throws {
        let folder = try Folder()
        let run = try await Program.run("demo", "--threads", "0", in: folder)
        #expect(
            run.status == 2 && run.errors.contains("'--threads' must be 1 to 256, not 0."), "\(run.printed)")
        #expect(try folder.names().isEmpty)
    }

    /// A source that is wrong by the configuration alone is asked nothing, and no site is made without it.
    @Test(
        arguments: [
            (
                oneSource("{provider: files, path: data, token: \"${FILES_TOKEN}\"}"),
                "error: Token given for local files [config.needless-token]\n  at plimsoll.yml:4"
            ),
            (
                oneSource("{provider: files, path: \"ftp://host/a.json\"}"),
                "[transport.scheme]\n  at plimsoll.yml:4"
            ),
            (
                oneSource("{provider: clickhouse, url: \"https://a.example\", zone: Mars/Phobos}"),
                "[clickhouse.zone]\n  at plimsoll.yml:4"
            ),
            (
                oneSource("{provider: bigquery, project: deck, accountFile: key.json}"),
                "error: Source names no tables [bigquery.tables]\n  at plimsoll.yml:4"
            ),
        ] as [(String, String)])
    func aWrongSourceIsAUsageError(text: String, reported: String) async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try folder.tree("site")
        try folder.write("plimsoll.yml", text)
        for command in ["fetch", "run", "doctor"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 2 && run.errors.contains(reported), "\(run.printed)")
            #expect(run.errors.contains("  hint: "))
        }
        #expect(try folder.tree("site") == before)
    }

    @Test func configurationThatIsNotUTF8IsReported() async throws {
        let folder = try Folder()
        let latin = Data("title: Caf".utf8) + [0xE9] + Data("\napps: []\n".utf8)
        try latin.write(to: URL(fileURLWithPath: folder.path + "/plimsoll.yml"))
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("[config.not-utf8]\n  at plimsoll.yml\n  hint: save it as UTF-8"))
    }

    @Test func withoutAnArchiveThereIsNoSite() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 4)
        #expect(
            run.errors.contains(
                "error: No archive yet [archive.missing]\n  at archive.sqlite\n  hint: run 'plimsoll fetch'\n"
            ))
        #expect(try folder.names() == ["plimsoll.yml"])
    }

    @Test func damagedArchiveLeavesTheOldSite() async throws {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        let before = try folder.tree("site")
        try folder.write("archive.sqlite", String(repeating: "not a database ", count: 1000))
        for command in ["build", "run"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 4, "\(run.printed)")
            #expect(run.errors.contains("[archive."))
            #expect(try folder.tree("site") == before)
        }
    }

    @Test func dataThatIsNotInstalledIsReported() async throws {
        let folder = try Folder()
        try folder.write("program", "")
        let copied = try await Program.run("/bin/cp", [Program.path, folder.path + "/plimsoll"], in: "/")
        #expect(copied.status == 0)
        let lost = try await Program.run(folder.path + "/plimsoll", ["demo"], in: folder.path)
        #expect(lost.status == 4)
        #expect(lost.errors.contains("error: Default theme not found [install.no-data]"))
        #expect(lost.errors.contains("set PLIMSOLL_DATA"))
        #expect(try folder.names() == ["plimsoll", "program"])
    }
}

/// A configuration of one app with one source.
private func oneSource(_ source: String) -> String {
    "apps:\n  - id: buoy\n    sources:\n      - \(source)\n"
}
