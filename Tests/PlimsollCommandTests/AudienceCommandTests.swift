import Foundation
import Testing

/// A public site and a single file by the real program.
struct AudienceCommandTests {
    private func build(_ project: DemoProject, _ arguments: String...) async throws -> Run {
        try await Program.run(Program.path, ["build"] + arguments, in: project.folder.path)
    }

    @Test func thePublicDemoContainsNoSecretOfItsStory() async throws {
        let project = try await DemoProject()
        let run = try await build(project, "--audience", "public")
        #expect(run.status == 1, "\(run.errors)")
        let tree = try project.folder.tree("site")
        for (file, data) in tree.files {
            let text = String(decoding: data, as: UTF8.self)
            for secret in ["Atomic.swift", "SFSafariViewController", "On call", "Index out of range"] {
                #expect(!text.contains(secret), "\(file) holds \(secret)")
            }
            guard file.hasSuffix(".html") || file.hasSuffix(".md") else { continue }
            #expect(text.firstMatch(of: /[0-9],[0-9]{3} (users|sessions|events)/) == nil, "\(file)")
        }
    }

    @Test func aLeakEndsTheBuildAndTheOldSiteStays() async throws {
        let project = try await DemoProject()
        try await project.copySite()
        let before = try project.folder.tree("site")
        let content = project.folder.path + "/words"
        try project.folder.write("words/about.md", "# About\n\nIt was Atomic.swift after all.\n")
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml", text.replacing("content: \(bundled)/Content", with: "content: \(content)"))
        let run = try await build(project, "--audience", "public")
        #expect(run.status == 4)
        #expect(
            run.errors.contains("'about/index.html' shows a code location of 'sketchbook'"),
            "\(run.errors)")
        #expect(run.errors.contains("[leak.code-place]"))
        #expect(try project.folder.tree("site") == before)
    }

    /// Each night's site is made in the folder of the one before the last, which holds files of an older site.
    @Test func aPublicSiteIsMadeNightAfterNight() async throws {
        let project = try await DemoProject()
        try await project.takeArchive()
        for night in 19...23 {
            let run = try await build(
                project, "--audience", "public", "--as-of", "2026-11-\(night)T06:30:00Z")
            #expect([0, 1].contains(run.status), "night \(night): \(run.errors)")
        }
    }

    /// What a public site hides comes into it by no other command, and is not published with it.
    @Test func aFileForTheTeamIsNoPartOfAPublicSite() async throws {
        let project = try await DemoProject()
        try await project.takeArchive()
        let text = project.folder.text("plimsoll.yml")
        try project.folder.write(
            "plimsoll.yml",
            text + "\nkeep: [sketchbook.html]\npublish: [{to: folder, path: web, audience: public}]\n")
        #expect(try await build(project, "--audience", "public").status == 1)
        let team = ["--single-file", "--app", "sketchbook", "--audience", "team"]
        for more in [[], ["--output", "site/one.html"]] {
            let run = try await Program.run(
                Program.path, ["build"] + team + more, in: project.folder.path)
            #expect(run.status == 4 && run.errors.contains("[build.audience]"), "\(run.printed)")
        }
        let names = try project.folder.names(in: "site")
        #expect(!names.contains("sketchbook.html") && !names.contains("one.html"))
        // One that was kept since the site was for the team.
        let outside = try await Program.run(
            Program.path, ["build"] + team + ["--output", "s.html"], in: project.folder.path)
        #expect(outside.status == 0, "\(outside.errors)")
        try project.folder.write("site/sketchbook.html", project.folder.text("s.html"))
        let refused = try await Program.run(Program.path, ["publish"], in: project.folder.path)
        #expect(refused.status == 1 && refused.errors.contains("[publish.audience]"), "\(refused.printed)")
        #expect(refused.errors.contains("'sketchbook.html' shows what the site hides"), "\(refused.printed)")
        let hidden = try await build(project, "--single-file", "--app", "sketchbook", "--audience", "public")
        #expect(hidden.status == 0, "\(hidden.errors)")
        let published = try await Program.run(Program.path, ["publish"], in: project.folder.path)
        #expect(published.status == 0, "\(published.printed)")
    }

    @Test func aSingleFileIsOneFile() async throws {
        let project = try await DemoProject()
        let file = try await build(project, "--single-file", "--app", "sketchbook", "--output", "s.html")
        #expect(file.status == 0, "\(file.errors)")
        let text = project.folder.text("s.html")
        #expect(file.output.contains("s.html ("))
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.utf8.count < 600_000)
        let ids = text.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        #expect(try project.folder.names().contains("site") == false)
    }

    @Test(arguments: [
        (["--single-file"], 2, "add '--app' with one of: lighthouse, sketchbook, tidepool"),
        (["--single-file", "--app", "sketchbok"], 2, "did you mean 'sketchbook'?"),
        (["--single-file", "--app", "sketchbook"], 2, "No site in"),
        (["--app", "sketchbook"], 2, "'--app' needs '--single-file'"),
        (["--audience", "all"], 2, "audience"),
    ])
    func wrongWordsAreReported(arguments: [String], status: Int, reported: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["build"] + arguments, in: project.folder.path)
        #expect(Int(run.status) == status)
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    /// A pipe in the place of /dev/stdout, which a file would take from all programs of the machine.
    @Test func whatIsNoFileIsNotReplaced() async throws {
        let project = try await DemoProject()
        let pipe = project.folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for arguments in [
            ["build", "--single-file", "--app", "sketchbook", "--output", "pipe"],
            ["archive", "backup", "--replace", "pipe"],
        ] {
            let run = try await Program.run(Program.path, arguments, in: project.folder.path)
            #expect(run.status == 2 && run.errors.contains("a pipe, a socket or a device"), "\(run.printed)")
        }
        let kind = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
    }

    @Test func aFileInTheSiteNeedsASite() async throws {
        let project = try await DemoProject()
        try await project.copySite()
        let run = try await build(project, "--single-file", "--app", "lighthouse")
        #expect(run.status == 0, "\(run.errors)")
        #expect(project.folder.text("site/lighthouse.html").contains("Lighthouse"))
    }
}
