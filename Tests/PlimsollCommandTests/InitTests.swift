import Testing

struct InitTests {
    @Test func writtenFileIsOneThatRunAccepts() async throws {
        let folder = try Folder()
        let made = try await Program.run("init", "quay", in: folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("Wrote quay/plimsoll.yml and quay/Content/index.md"))
        #expect(made.output.contains("plimsoll run --config quay/plimsoll.yml"))
        #expect(
            try folder.tree("quay").files.keys.sorted() == [
                "Content/index.md", "Content/mutes.yml", "plimsoll.yml",
            ])
        try folder.write("quay/data/my-app/2026-11-20.json", Quay.snapshot(of: "my-app", day: 20))
        let run = try await Program.run("run", "--config", "quay/plimsoll.yml", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("Site: quay/site/index.html"))
        #expect(folder.text("quay/site/apps/my-app/index.html").contains("5,019"))
    }

    /// An unset variable in a script: nothing is written into the root of the file system.
    @Test func aFolderHasAName() async throws {
        let folder = try Folder()
        let run = try await Program.run("init", "", in: folder)
        #expect(run.status == 2 && run.errors.contains("has no name"), "\(run.printed)")
        #expect(try folder.names().isEmpty)
    }

    @Test func eachProviderIsWrittenOnce() async throws {
        let folder = try Folder()
        let made = try await Program.run(
            "init", "--provider", "bugsnag", "--provider", "files", "--provider", "bugsnag", in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let text = folder.text("plimsoll.yml")
        #expect(text.matches(of: /- provider: bugsnag/).count == 1)
        #expect(text.matches(of: /- provider: files/).count == 1)
        #expect(text.contains("token: ${BUGSNAG_TOKEN}"))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 1, "\(run.printed)")
        #expect(run.errors.contains("Environment variable BUGSNAG_TOKEN is not set"))
        #expect(!run.errors.contains("[yaml."))
    }

    @Test func commentedExamplesAreSound() async throws {
        let folder = try Folder()
        #expect(try await Program.run("init", in: folder).status == 0)
        for file in ["plimsoll.yml", "Content/mutes.yml"] {
            let lines = folder.text(file).split(separator: "\n", omittingEmptySubsequences: false).map {
                line in
                line.wholeMatch(of: /# (alerts:.*|publish:.*|attach:.*|- .*|  .*)/).map { String($0.1) }
                    ?? String(line)
            }
            try folder.write(file, lines.joined(separator: "\n"))
        }
        #expect(
            folder.text("plimsoll.yml").contains("\nalerts:")
                && folder.text("Content/mutes.yml").contains("\n- app:"))
        try folder.write("data/my-app/2026-11-20.json", Quay.snapshot(of: "my-app", day: 20))
        let run = try await Program.run("run", "--no-publish", "--no-attach", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("[mute.unmatched]") && !run.errors.contains("error:"))
        #expect(folder.text("site/apps/my-app/index.html").contains("<h3>Mutes</h3>"))
    }

    @Test func nothingIsOverwritten() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", "mine")
        try folder.write("Content/index.md", "mine")
        let run = try await Program.run("init", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("[init.exists]"))
        #expect(run.errors.contains("nothing was written"))
        #expect(folder.text("plimsoll.yml") == "mine")
        let other = try Folder()
        try other.write("Content/index.md", "mine")
        let kept = try await Program.run("init", in: other)
        #expect(kept.status == 0)
        #expect(kept.output.hasPrefix("Wrote ./plimsoll.yml\nKept ./Content/index.md\nExamples of mutes: "))
        #expect(other.text("Content/index.md") == "mine")
    }

    @Test func whatWasThereIsNotSaidToBeWritten() async throws {
        let folder = try Folder()
        try folder.write("my report/Content/mutes.yml", "# mine")
        let run = try await Program.run("init", "my report", in: folder)
        #expect(run.status == 0)
        #expect(
            run.output == """
                Wrote my report/plimsoll.yml and my report/Content/index.md
                Kept my report/Content/mutes.yml
                Next: fill in your values, then plimsoll run --config 'my report/plimsoll.yml'

                """)
        #expect(folder.text("my report/Content/mutes.yml") == "# mine")
    }

    @Test func placeThatCannotBeWrittenIsReported() async throws {
        let folder = try Folder()
        try folder.write("file", "x")
        let run = try await Program.run("init", "file/below", in: folder)
        #expect(run.status == 4)
        #expect(run.errors.contains("hint: "))
        #expect(try folder.names() == ["file"])
    }
}
