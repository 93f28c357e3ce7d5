import Testing

struct SummaryTests {
    @Test(arguments: [
        (["--app", "sketchbook", "--day", "2026-11-18"], "apps/sketchbook/days/2026-11-18/summary.md"),
        (["--app", "sketchbook", "--release", "4.3.0"], "apps/sketchbook/releases/4.3.0/summary.md"),
        (["--app", "sketchbook"], "apps/sketchbook/days/2026-11-19/summary.md"),
        (["--app", "tidepool"], "apps/tidepool/days/2026-11-18/summary.md"),
    ])
    func sameBytesAsTheFileOfTheSite(arguments: [String], file: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(
            Program.path, ["summary"] + arguments, in: project.folder.path, environment: ["TZ": "Asia/Tokyo"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.output.isEmpty)
        #expect(run.output == (try await DemoSite.shared.tree[file]))
    }

    @Test(arguments: [
        (
            ["--app", "sketchbok"],
            "Unknown app 'sketchbok' [summary.unknown-app]\n  hint: did you mean 'sketchbook'?"
        ),
        (["--app", "zzz"], "hint: use one of: lighthouse, sketchbook, tidepool"),
        (
            ["--app", "sketchbook", "--release", "4.3.9"],
            "Unknown release '4.3.9' [summary.unknown-release]\n  hint: did you mean '4.3.0'?"
        ),
        (
            ["--app", "sketchbook", "--day", "2029-12-24"],
            "Unknown day '2029-12-24' [summary.unknown-day]\n  hint: use a day from 20"
        ),
        (
            ["--week", "2026-W47"],
            "Week '2026-W47' is not over [summary.week-not-over]\n  hint: the newest one is 2026-W46"
        ),
        (["--week", "2027-W01"], "Week '2027-W01' is not over"),
        (
            ["--week", "2016-W01"],
            "Unknown week '2016-W01' [summary.unknown-week]\n  hint: use a week from 20"
        ),
    ])
    func unknownNameIsReported(arguments: [String], reported: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["summary"] + arguments, in: project.folder.path)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains(reported), "\(run.errors)")
    }
}
