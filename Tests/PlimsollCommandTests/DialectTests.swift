import Testing

@testable import PlimsollCommand

struct DialectTests {
    @Test(arguments: ["github", "commonmark", "plain", "slack"])
    func summaryIsPrintedInEachDialect(dialect: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            Program.path, ["summary", "--app", "sketchbook", "--dialect", dialect], in: project.folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let text = run.output
        #expect(text.contains("98.55") && text.contains("Data as of "))
        #expect(text.contains("<details>") == (dialect == "github"))
        #expect(text.contains("|--:|") == (dialect == "github"))
        #expect(text.contains("](https://") == ["github", "commonmark"].contains(dialect))
        #expect(text.contains("<https://plimsoll.example/") == (dialect == "slack"))
        #expect(text.contains("**") == ["github", "commonmark"].contains(dialect) || dialect == "plain")
        #expect(!text.lowercased().contains("<script"))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
    }

    @Test func unknownDialectIsReportedWithTheKnownOnes() async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            Program.path, ["summary", "--app", "sketchbook", "--dialect", "html"], in: project.folder.path)
        #expect(run.status == 2)
        #expect(run.errors.contains("slack"), "\(run.errors)")
    }

    /// A theme with its own template decides on GitHub's dialect alone.
    @Test func themeMayWriteTheSummaryItself() async throws {
        let project = try await DemoProject()
        try project.folder.write("Themes/default/templates/summary.md", "Own words on {{title}}\n")
        func summary(_ dialect: String) async throws -> String {
            try await Program.run(
                Program.path, ["summary", "--app", "tidepool", "--dialect", dialect], in: project.folder.path
            ).output
        }
        #expect(try await summary("github").hasPrefix("Own words on Tidepool — "))
        #expect(try await summary("slack").hasPrefix("*Tidepool — "))
    }
}

struct ShowTests {
    private func show(_ arguments: String..., environment: [String: String] = [:]) async throws -> Run {
        let project = try await DemoProject()
        return try await Program.run(
            Program.path, ["show"] + arguments, in: project.folder.path, environment: environment)
    }

    @Test(arguments: [40, 80, 120])
    func overviewKeepsToTheWidth(width: Int) async throws {
        let run = try await show("--app", "sketchbook", environment: ["COLUMNS": "\(width)"])
        #expect(run.status == 0, "\(run.errors)")
        for line in run.output.split(separator: "\n") {
            #expect(displayWidth(String(line)) <= width, "\(line)")
        }
        #expect(run.output.contains("Sketchbook (ios)") && run.output.contains("▼ Below target"))
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("98.39–98.70") && words.contains("Stability Alert")
                && words.contains("Crash free users dropped"))
        #expect(words.contains("▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅█") && words.contains("▼▼ Roll back"))
    }

    /// Colors are for terminals: a file gets none, whatever is requested.
    @Test(arguments: [[:], ["NO_COLOR": "1"], ["TERM": "xterm-256color", "COLUMNS": "80"]])
    func filesGetNoColors(environment: [String: String]) async throws {
        let run = try await show("--app", "sketchbook", "--day", "2026-11-18", environment: environment)
        #expect(run.status == 0)
        #expect(run.output.contains("Sketchbook: Wed, Nov 18, 2026"))
        #expect(run.output.contains("First reported"))
        #expect(run.output.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
    }

    @Test func allAppsAreShownWithoutAName() async throws {
        let run = try await show()
        for part in [
            "Harbour apps", "Demo.", "Lighthouse", "Sketchbook", "Tidepool", "Source Failure",
        ] {
            #expect(run.output.contains(part), "\(part)")
        }
    }

    @Test(arguments: [
        (["--app", "sketchbok"], "did you mean 'sketchbook'?", 2),
        (["--day", "2026-11-18"], "needs '--app'", 2),
        (
            ["--app", "sketchbook", "--day", "2020-01-01"], "Unknown page 'apps/sketchbook/days/2020-01-01'",
            2
        ),
    ])
    func mistakesAreReported(arguments: [String], reported: String, status: Int32) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["show"] + arguments, in: project.folder.path)
        #expect(run.status == status && run.output.isEmpty)
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    @Test(
        arguments: [
            ([:], true, 120, 120, true), ([:], true, nil, 80, true), ([:], false, nil, 80, false),
            (["COLUMNS": "100"], true, 120, 100, true), (["COLUMNS": "0"], true, 120, 120, true),
            (["COLUMNS": "wide"], false, nil, 80, false), (["COLUMNS": "3"], true, nil, 20, true),
            (["NO_COLOR": "1"], true, 90, 90, false), (["NO_COLOR": ""], true, 90, 90, true),
            (["TERM": "dumb"], true, 90, 90, false),
        ] as [([String: String], Bool, Int?, Int, Bool)])
    func terminalIsWhatItSays(
        environment: [String: String], isTerminal: Bool, columns: Int?, width: Int, hasColors: Bool
    ) {
        let terminal = Terminal(environment, isTerminal: isTerminal, columns: columns)
        #expect(terminal.width == width && terminal.hasColors == hasColors)
    }
}

/// Columns by another count than the program's: marks take none, wide scripts and pictures two.
private func displayWidth(_ text: String) -> Int {
    text.reduce(0) { width, character in
        guard let first = character.unicodeScalars.first else { return width }
        let isPicture = first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
        return width + (isPicture || (0x2E80...0xD7FF).contains(first.value) ? 2 : 1)
    }
}
