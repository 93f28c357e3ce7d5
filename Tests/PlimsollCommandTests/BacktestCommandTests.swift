import Foundation
import Testing

struct BacktestCommandTests {
    /// A project on the demo's archive with mutes of its own.
    private static func project(mutes: String = "") async throws -> DemoProject {
        let project = try await DemoProject()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", text.replacing("content: \(bundled)/Content", with: "content: Content"))
        try project.folder.write("Content/mutes.yml", mutes)
        return project
    }

    private static let mute = "- issue: atomic-54\n  until: 2026-12-24\n  by: Ana\n  why: known\n"

    @Test func textStatesHowOftenAndWhen() async throws {
        let project = try await Self.project(mutes: Self.mute)
        let run = try await Program.run(
            "alerts", "backtest", "--days", "90", "--app", "sketchbook", in: project.folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "")
        let lines = run.output.replacing("\u{A0}", with: " ").split(separator: "\n").map(String.init)
        #expect(lines.first == "Backtest as of 2026-11-20T06:30:00Z")
        #expect(
            lines.contains("Sketchbook (sketchbook): 2026-08-22 to 2026-11-19, 90 days in the archive"))
        #expect(lines.contains { $0.hasPrefix("  Stability Alert (stability): ") })
        #expect(lines.contains { $0.contains("2026-10-14") && $0.hasPrefix("    on ") })
        #expect(lines.contains("    on 2026-08-22 to 2026-11-19"))
        #expect(lines.contains { $0.contains(" muted now") })
        #expect(lines.contains("  Median crash-free users of 90 days: 99.39% (99.37–99.41)"))
        #expect(
            lines.contains(
                "  Suggested: target 99.2, missed on 4 of 82 days without outliers; critical 98.8, missed on 0"
            ))
        for name in ["Source Failure (sourceTrouble)", "Source Failure without a newer day (sourceTrouble)"] {
            #expect(lines.count { $0.hasPrefix("  \(name): ") } == 1)
        }
        #expect(lines.contains { $0.hasPrefix("    with leastPoints 0.5: ") })
        #expect(lines.contains("  Configured: target 99, critical 97"))
        #expect(!run.output.contains("Lighthouse"))
    }

    /// Notes of the content folder are activity of the site, and so of the backtest.
    @Test func notesOfTheContentAreCounted() async throws {
        func notes(_ project: DemoProject) async throws -> String {
            let run = try await Program.run(
                "alerts", "backtest", "--days", "90", "--app", "sketchbook", in: project.folder)
            #expect(run.status == 0, "\(run.errors)")
            let line = run.output.split(separator: "\n").first { $0.hasPrefix("  New Note (newNote): ") }
            return String(try #require(line))
        }
        let project = try await Self.project()
        let before = try await notes(project)
        try project.folder.write(
            "Content/notes/rollout.md",
            "---\napp: sketchbook\nby: Ana\nat: 2026-11-10T08:00:00Z\n---\nRolled out.\n")
        #expect(try await notes(project) != before)
    }

    @Test func jsonHoldsEveryAppAndEveryRule() async throws {
        struct File: Decodable {
            struct App: Decodable {
                struct Rule: Decodable {
                    let rule: String
                    let variant: String
                    let events: Int
                    let dates: [String]
                    let muted: Int
                }
                struct Suggestion: Decodable {
                    let target: Double
                    let critical: Double
                }
                let id: String
                let rules: [Rule]
                let suggestion: Suggestion?
                let moreDaysNeeded: Int
            }
            let format: String
            let apps: [App]
        }
        let project = try await Self.project(mutes: Self.mute)
        let run = try await Program.run("alerts", "backtest", "--format", "json", in: project.folder)
        #expect(run.status == 0, "\(run.errors)")
        let file = try JSONDecoder().decode(File.self, from: Data(run.output.utf8))
        #expect(file.format == "plimsoll-backtest")
        #expect(file.apps.map(\.id) == ["lighthouse", "sketchbook", "tidepool", "moorings"])
        for app in file.apps {
            #expect(app.rules.allSatisfy { $0.dates.count == $0.events && $0.muted <= $0.events })
            #expect(Set(app.rules.map { $0.rule + " " + $0.variant }).count == app.rules.count)
            // Without sessions there is no rate that a target could be for.
            let isSound = app.suggestion.map { $0.critical < $0.target && $0.target < 1 }
            #expect(isSound == (app.id == "moorings" ? nil : true), "\(app.id)")
        }
        #expect(file.apps[0].rules.allSatisfy { $0.rule != "stability" || $0.events == 0 })
        #expect(file.apps[1].rules.contains { $0.muted > 0 })
        let again = try await Program.run("alerts", "backtest", "--format", "json", in: project.folder)
        #expect(again.output == run.output)
    }

    /// A verdict judges a release by the target of its app, here as on the pages.
    @Test func verdictsAreByTheTargetOfTheApp() async throws {
        let project = try await Self.project()
        let configuration = project.folder.text("plimsoll.yml")
        func verdicts(_ target: String) async throws -> [Substring] {
            let name = "name: Sketchbook\n"
            try project.folder.write(
                "plimsoll.yml", configuration.replacing(name, with: "\(name)    targets: { \(target) }\n"))
            let run = try await Program.run(
                "alerts", "backtest", "--days", "90", "--app", "sketchbook", in: project.folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.output.contains("  Configured: \(target.replacing(":", with: ""))\n"), "\(run.output)")
            let lines = run.output.split(separator: "\n")
            return Array(lines.drop { !$0.hasPrefix("  Release Verdict (") }.prefix(2))
        }
        #expect(
            try await verdicts("target: 99.9, critical: 99.8") != verdicts("target: 95, critical: 90"))
    }

    @Test func tooFewDaysSayHowManyAreMissing() async throws {
        let project = try await Self.project()
        let run = try await Program.run(
            "alerts", "backtest", "--days", "20", "--app", "lighthouse", in: project.folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("  No suggestion: needs 8 more days of data.\n"))
        #expect(run.output.contains("2026-10-31 to 2026-11-19, 20 days in the archive"))
    }

    @Test(arguments: [
        (["--app", "tidepol"], "", "[alerts.unknown-app]\n  hint: did you mean 'tidepool'?"),
        (["--days", "0"], "", "'--days' must be 1 to 2192, not 0."),
        (["--format", "yaml"], "", "text"),
        ([], "- issue: a\n", "Content/mutes.yml:1:3"),
    ])
    func wrongWordsAreReported(arguments: [String], mutes: String, reported: String) async throws {
        let project = try await Self.project(mutes: mutes)
        let run = try await Program.run(
            Program.path, ["alerts", "backtest"] + arguments, in: project.folder.path)
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    @Test func buildReportsMutesThatAreOfNoUse() async throws {
        let project = try await Self.project(
            mutes: Self.mute + "- issue: atomic-55\n  forever: true\n  by: Ana\n  why: x\n")
        let run = try await Program.run("build", in: project.folder)
        #expect(
            run.errors.contains(
                "[mute.unmatched]\n  at Content/mutes.yml:5:3\n  hint: did you mean issue 'atomic-54'?"))
        let site = try project.folder.tree("site")
        #expect(!site["apps/sketchbook/feed.xml"].contains("regressed"))
        #expect(site["apps/sketchbook/issues/atomic-54/index.html"].contains("<summary>Muted ("))
        #expect(site["sources/index.html"].contains("Content/mutes.yml:5:3"))
        let doctor = try await Program.run("doctor", in: project.folder)
        #expect(doctor.status == 1)
        #expect(doctor.errors.contains("[mute.unmatched]"))
        #expect(!doctor.errors.contains("Content/mutes.yml:1:3"))
    }
}
