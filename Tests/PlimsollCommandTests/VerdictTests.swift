import Foundation
import Testing

struct VerdictTests {
    private func run(_ arguments: String...) async throws -> Run {
        let project = try await DemoProject()
        return try await Program.run(
            Program.path, ["verdict"] + arguments, in: project.folder.path, environment: ["TZ": "Asia/Tokyo"])
    }

    /// App, release, the verdict and how the program ends.
    @Test(arguments: [
        ("sketchbook", "4.2.1", "Roll back", 1), ("sketchbook", "4.3.0", "Hold", 1),
        ("sketchbook", "4.2.2", "Go", 0),
        ("lighthouse", "7.5.1", "Go", 0), ("tidepool", "1.2", "Unknown", 3),
    ])
    func demoReleasesHaveVerdicts(app: String, release: String, verdict: String, status: Int32) async throws {
        let run = try await run("--app", app, "--release", release)
        #expect(run.status == status, "\(run.printed)")
        #expect(run.output.split(separator: "\n").first?.hasSuffix(": \(verdict)") == true, "\(run.output)")
        let page = try await DemoSite.shared.tree["apps/\(app)/releases/\(release)/index.md"]
        #expect(page.contains(" \(verdict).** "))
    }

    @Test func newestReleaseIsTakenUnlessOneIsNamed() async throws {
        let run = try await run("--app", "sketchbook")
        #expect(run.output.hasPrefix("Sketchbook 4.3.0 (391): Hold\n") && run.status == 1)
        #expect(run.output.contains("\n  4.2.2: "))
    }

    /// A project whose 4.0 is followed by 4.1.0 on the tenth day, and by another release from a day on.
    private func folder(
        with newest: String, from first: Int, days: (Int) -> [String]
    ) async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 30))
        let row = Quay.releaseDay
        let rows = (1...29).flatMap { day -> [String] in
            if day >= first { return days(day) }
            return [row(day, nil, 20_000, 40), row(day, day < 10 ? "4.0" : "4.1.0", 20_000, 40)]
        }
        try folder.write(
            "data/2026-11-30.json",
            Quay.releaseSnapshot([("4.1.0", 10), (newest, first)], undated: "4.0", rows))
        _ = try await Program.run("fetch", in: folder)
        return folder
    }

    /// A hotfix of the line before is the newest release: that it crashes does not pass for the go of the higher number.
    @Test func newestReleaseIsTheOneThatCameLast() async throws {
        let folder = try await folder(with: "4.0.1", from: 25) { day in
            let row = Quay.releaseDay
            return [
                row(day, nil, 20_000, 800), row(day, "4.1.0", 2_000, 4), row(day, "4.0.1", 18_000, 796),
            ]
        }
        let run = try await Program.run("verdict", "--app", "buoy", in: folder)
        #expect(run.output.hasPrefix("Buoy 4.0.1: ") && run.status == 1, "\(run.printed)")
        let other = try await Program.run("verdict", "--app", "buoy", "--release", "4.1.0", in: folder)
        #expect(other.output.hasPrefix("Buoy 4.1.0: Go\n") && other.status == 0, "\(other.printed)")
    }

    @Test func releaseIsNotYetKnownToBeBadOnItsFirstMorning() async throws {
        // The demo's archive begins on the thirteenth of November.
        let run = try await run("--app", "sketchbook", "--as-of", "2026-11-17T06:30:00Z")
        #expect(run.output.hasPrefix("Sketchbook 4.3.0 (391): Not enough data\n"), "\(run.output)")
        #expect(run.output.contains("more sessions needed."))
        #expect(run.status == 3)
    }

    @Test func jsonHoldsTheNumbers() async throws {
        let run = try await run("--app", "sketchbook", "--release", "4.2.1", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let json = try #require(object as? [String: Any])
        #expect(json["verdict"] as? String == "roll back" && json["format"] as? String == "plimsoll-verdict")
        #expect(json["isWorse"] as? Bool == true && json["neededSessions"] == nil)
        let upper = try #require(json["crashFreeUpper"] as? Double)
        #expect(upper < 0.97 && run.status == 1)
    }

    /// Of a public report, the verdict is that of the public page, and its counts are the coarse ones.
    @Test(arguments: ["4.2.1", "4.3.0"])
    func publicVerdictIsThatOfThePage(release: String) async throws {
        let project = try await DemoProject.forEverybody
        func run(_ arguments: String...) async throws -> Run {
            try await Program.run(Program.path, arguments, in: project.folder.path)
        }
        func numbers(_ run: Run) throws -> [String: Any] {
            let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            return try #require(object as? [String: Any])
        }
        let verdict = ["verdict", "--app", "sketchbook", "--release", release, "--format", "json"]
        let found = try numbers(await Program.run(Program.path, verdict, in: project.folder.path))
        let exact = try numbers(
            await self.run("--app", "sketchbook", "--release", release, "--format", "json"))
        #expect(found["verdict"] as? String == exact["verdict"] as? String)
        #expect(found["sessions"] as? Int != exact["sessions"] as? Int)
        let page = try await run("show", "--page", "apps/sketchbook/releases/\(release)")
        let why = try #require(found["why"] as? String)
        // The lines of a terminal are folded.
        let shown = page.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains(why.replacing("\u{A0}", with: " ")))
        let text = try await run("verdict", "--app", "sketchbook", "--release", release)
        #expect(text.output.firstMatch(of: /[0-9],[0-9]{3}/) == nil, "\(text.output)")
        #expect(!text.output.contains("hidden"), "\(text.output)")
    }

    /// Since the new release came both crash four times as much: what it was held against is in the answer.
    @Test func jsonSaysWhatTheSameDaysDecided() async throws {
        let folder = try await folder(with: "4.2.0", from: 20) { day in
            let row = Quay.releaseDay
            return [
                row(day, nil, 20_000, 160), row(day, "4.1.0", 10_000, 80), row(day, "4.2.0", 10_000, 80),
            ]
        }
        let run = try await Program.run("verdict", "--app", "buoy", "--format", "json", in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let json = try #require(object as? [String: Any])
        #expect(json["isWorse"] as? Bool == false, "\(run.printed)")
        let days = try #require(json["sameDays"] as? [[String: Any]])
        #expect(days.compactMap { $0["release"] as? String } == ["4.2.0", "4.1.0"])
        #expect(days.compactMap { $0["crashedSessions"] as? Int } == [800, 800])
        #expect(days.compactMap { $0["sessions"] as? Int } == [100_000, 100_000])
    }

    @Test func markdownIsReadyToPaste() async throws {
        let run = try await run("--app", "lighthouse", "--format", "markdown")
        #expect(run.output.hasPrefix("### Lighthouse 7.5.1 (770): Go\n\n"))
        #expect(run.output.contains("\n|---|--:|--:|--:|\n") && run.status == 0)
    }

    @Test(arguments: [
        (
            ["--app", "sketchbok"],
            "Unknown app 'sketchbok' [verdict.unknown-app]\n  hint: did you mean 'sketchbook'?"
        ),
        (
            ["--app", "sketchbook", "--release", ""],
            "Empty version in --release [verdict.empty-release]\n  hint: name a version"
        ),
        (["--app", "sketchbook", "--format", "xml"], "xml"), ([], "--app"),
    ])
    func wrongNamesAreUsageErrors(arguments: [String], reported: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["verdict"] + arguments, in: project.folder.path)
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    /// A pipeline asks before any source lists the release: it cannot be judged, and no other version is proposed.
    @Test(arguments: ["4.3.9", "v5.0", "4.2.2-beta.1", "4.3.0 (999)", "nightly"])
    func releaseThatNoDataNamesYetIsUnknown(release: String) async throws {
        let run = try await run("--app", "sketchbook", "--release", release)
        #expect(run.status == 3, "\(run.printed)")
        #expect(run.output.hasPrefix("Sketchbook \(release): Unknown\n"), "\(run.output)")
        #expect(run.output.contains("No data names \(release) yet. Releases: 4.3.0, 4.2.2"), "\(run.output)")
        #expect(!run.printed.contains("did you mean"))
        let file = try await self.run("--app", "sketchbook", "--release", release, "--format", "json")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(file.output.utf8)) as? [String: Any])
        #expect(json["verdict"] as? String == "unknown" && json["release"] as? String == release)
    }

    /// A tag, and the title that the verdict has, are ways to write a release.
    @Test(arguments: ["v4.2.2", "4.2.2.0", "4.2.2 (376)"])
    func aTagFindsItsRelease(release: String) async throws {
        let run = try await run("--app", "sketchbook", "--release", release)
        #expect(run.status == 0 && run.output.hasPrefix("Sketchbook 4.2.2 (376): Go\n"), "\(run.printed)")
    }

    @Test func withoutAnArchiveThereIsNoVerdict() async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        let run = try await Program.run("verdict", "--app", "buoy", in: folder)
        #expect(run.status == 4 && run.output == "", "\(run.printed)")
    }
}
