import Testing

/// Pages as Markdown, in a site and one by one.
struct MarkdownCommandTests {
    @Test(arguments: [
        ["show"], ["show", "--page", "guide"], ["show", "--page", "guide", "--dialect", "plain"],
    ])
    func pagesAloneNeedNoArchive(arguments: [String]) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", "title: Manual\naudience: public\napps: []\n")
        try folder.write("Content/index.md", "# Welcome\n\nWords of one.\n")
        try folder.write("Content/guide.md", "# Guide\n\nWords of two.\n")
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.contains(arguments.count == 1 ? "Words of one." : "Words of two."))
        #expect(try await Program.run("build", in: folder).status == 0)
        let check = try await Program.run("check", in: folder)
        #expect(check.status == 0 && !check.printed.contains("warning"), "\(check.printed)")
    }

    @Test(arguments: ["github", "commonmark", "plain", "slack"])
    func pageIsPrintedInEachDialect(dialect: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            Program.path, ["show", "--page", "apps/sketchbook/issues", "--dialect", dialect],
            in: project.folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let text = run.output
        #expect(text.contains("6,014 crashed") && text.contains("Data through "))
        #expect(text.contains("<details>") == (dialect == "github"))
        #expect(text.contains("|--:|") == (dialect == "github"))
        #expect(text.contains("](../") == ["github", "commonmark"].contains(dialect))
        #expect(text.contains("<https://plimsoll.example/apps/") == (dialect == "slack"))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
        if dialect == "github" {
            #expect(text == (try await DemoSite.shared.tree)["apps/sketchbook/issues/index.md"])
        }
    }

    @Test(arguments: [
        ("/", "Report as of 2026-11-20 06:30 UTC."), ("methods/index.html", "Methods"),
        ("apps/tidepool/", "Report as of 2026-11-20 06:30 UTC."),
        ("apps/sketchbook/days/2026-11-18", "Data as of Fri, Nov 20, 2026, 06:00 UTC"),
    ])
    func anyPageIsShownInTheTerminal(page: String, instant: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            Program.path, ["show", "--page", page], in: project.folder.path, environment: ["COLUMNS": "60"])
        #expect(run.status == 0, "\(run.errors)")
        for line in run.output.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(instant) && !words.contains("index.md"))
    }

    @Test(arguments: [
        (["--page", "apps/sketchbook/isues"], "did you mean 'apps/sketchbook/issues'?"),
        (["--page", "aps"], "use one of: /, methods, "),
        (["--page", "/", "--app", "sketchbook"], "not both"),
        (["--dialect", "plain"], "needs '--page'"), (["--page", "/", "--dialect", "html"], "commonmark"),
    ])
    func mistakesAreReported(arguments: [String], reported: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["show"] + arguments, in: project.folder.path)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    /// The option overrides the configuration.
    @Test(arguments: [(nil, "*Harbour apps*"), ("commonmark", "# Harbour apps")] as [(String?, String)])
    func siteIsBuiltInADialect(option: String?, head: String) async throws {
        let project = try await DemoProject()
        let own = try Folder.text(at: project.folder.path + "/plimsoll.yml")
        try project.folder.write("plimsoll.yml", own + "\nmarkdown: slack\n")
        let run = try await Program.run(
            Program.path, ["build"] + (option.map { ["--markdown", $0] } ?? []), in: project.folder.path)
        #expect(run.status == 1 && !run.errors.contains("check.markdown"), "\(run.errors)")
        let tree = try project.folder.tree("site")
        #expect(tree["index.md"].contains(head))
        #expect(tree["status.json"].contains("\"markdown\" : \"\(option ?? "slack")\""))
        // Summaries are for release notes, and the file for programs that read is Markdown.
        #expect(tree["apps/sketchbook/releases/4.3.0/summary.md"].contains("|--:|"))
        #expect(tree["llms-full.txt"].contains("|--:|"))
        let check = try await Program.run(Program.path, ["check", "--site", "site"], in: project.folder.path)
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test func unknownDialectOfTheConfigurationIsReportedWithTheNearest() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", "markdown: slak\napps: []\n")
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 2)
        #expect(
            run.errors.contains("plimsoll.yml:1:11") && run.errors.contains("did you mean 'slack'?"),
            "\(run.errors)")
    }
}

/// What notes and fences speak of, held against the archive without a build.
struct DoctorContentTests {
    @Test func unknownNamesInNotesAndFencesAreReportedWithTheirPlaces() async throws {
        let project = try await DemoProject()
        let own = try Folder.text(at: project.folder.path + "/plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", own.replacing("content: \(bundled)/Content", with: "content: Words"))
        for (name, subject) in [
            ("a", "release: 4.3.9"), ("b", "issue: atomic-45"), ("c", "date: 2031-01-01"),
            ("d", "release: 4.3.0"),
        ] {
            try project.folder.write(
                "Words/notes/\(name).md", "---\napp: sketchbook\nat: 2026-11-19\n\(subject)\n---\nWords.\n")
        }
        try project.folder.write("Words/notes/e.md", "---\napp: sketchbok\nat: 2026-11-19\n---\nWords.\n")
        try project.folder.write(
            "Words/page.md",
            "# Page\n\n```chart\nkind: issue-events\napp: sketchbook\nissue: atomic-55\n```\n\n```block\nkind: tiles\napp: tidepol\n```\n"
        )
        let run = try await Program.run(Program.path, ["doctor"], in: project.folder.path)
        #expect(run.status == 1 && run.output.hasSuffix("✗ theme, pages and archive\n"))
        for (place, hint) in [
            ("notes/a.md:4:10", "did you mean '4.3.0'?"), ("notes/b.md:4:8", "did you mean 'atomic-54'?"),
            ("notes/c.md:4:7", "from the first to the last complete day"),
            ("notes/e.md:2:6", "did you mean 'sketchbook'?"),
            ("page.md:6:8", "did you mean 'atomic-54'?"), ("page.md:11:6", "did you mean 'tidepool'?"),
        ] {
            let reported = run.errors.split(separator: "\n").drop { !$0.hasSuffix("Words/" + place) }.prefix(
                2)
            #expect(reported.count == 2 && reported.last?.contains(hint) == true, "\(place): \(run.errors)")
        }
        #expect(!run.errors.contains("notes/d.md"))
        #expect(try !project.folder.names().contains("site"))
    }
}
