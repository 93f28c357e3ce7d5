import Foundation
import LoopbackServer
import Testing

/// Releases whose labels have their builds in brackets, as Firebase's `display_version` has.
struct BracketedReleaseTests {
    /// 4.1.0, and from the 25th on a fix of the line before which is a little worse, and above the target.
    private func project(_ more: String = "", fixes: [String] = ["4.0.1 (401)"]) async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 30) + more)
        let row = Quay.releaseDay
        let rows = (1...29).flatMap { day -> [String] in
            switch day {
            case ..<10: [row(day, nil, 20_000, 40), row(day, "4.0 (400)", 20_000, 40)]
            case ..<25: [row(day, nil, 20_000, 40), row(day, "4.1.0 (410)", 20_000, 40)]
            default:
                [row(day, nil, 20_000, 80), row(day, "4.1.0 (410)", 2_000, 4)]
                    + fixes.map { row(day, $0, 18_000 / fixes.count, 76 / fixes.count) }
            }
        }
        let releases = [("4.1.0 (410)", 10)] + fixes.map { ($0, 25) }
        try folder.write(
            "data/2026-11-30.json", Quay.releaseSnapshot(releases, undated: "4.0 (400)", rows))
        _ = try await Program.run("fetch", in: folder)
        return folder
    }

    private static let step = "attach:\n  - {to: github-step, file: step.md, when: verdict}\n"

    /// A pipeline knows the version by its tag.
    @Test(arguments: ["4.0.1", "v4.0.1", "4.0.1 (401)"])
    func theVersionNamesItsOnlyBuild(release: String) async throws {
        let folder = try await project(Self.step)
        let run = try await Program.run("verdict", "--app", "buoy", "--release", release, in: folder)
        #expect(run.status == 1 && run.output.hasPrefix("Buoy 4.0.1 (401): Hold\n"), "\(run.printed)")
        let summary = try await Program.run("summary", "--app", "buoy", "--release", release, in: folder)
        #expect(summary.output.hasPrefix("### Buoy 4.0.1 (401), released "), "\(summary.printed)")
        let attached = try await Program.run("attach", "--app", "buoy", "--release", release, in: folder)
        #expect(attached.status == 0, "\(attached.printed)")
        #expect(folder.text("step.md").contains("Buoy 4.0.1 (401)"))
    }

    @Test(arguments: ["verdict", "summary", "attach"])
    func severalBuildsAreRefused(command: String) async throws {
        let folder = try await project(Self.step, fixes: ["4.0.1 (401)", "4.0.1 (402)"])
        let run = try await Program.run(command, "--app", "buoy", "--release", "4.0.1", in: folder)
        #expect(run.status == 2 && run.errors.contains("[\(command).ambiguous-release]"), "\(run.printed)")
        #expect(run.errors.contains("use one of: 4.0.1 (402), 4.0.1 (401)"), "\(run.errors)")
        let one = try await Program.run(command, "--app", "buoy", "--release", "4.0.1 (401)", in: folder)
        #expect(one.status == (command == "verdict" ? 1 : 0), "\(one.printed)")
        let none = try await Program.run(command, "--app", "buoy", "--release", "4.0.1 (9)", in: folder)
        #expect(none.status == (command == "verdict" ? 3 : 2), "\(none.printed)")
    }

    /// Two builds of a version have one tag, and its notes the newer of them; both are not written in turns.
    @Test func releaseNotesHaveTheNewestBuild() async throws {
        let target = "attach:\n  - {to: github-release, repository: a/b, token: \"${GITHUB_TOKEN}\"}\n"
        let folder = try await project(target, fixes: ["4.0.1 (401)", "4.0.1 (402)"])
        let run = try await Program.run(
            "attach", "--app", "buoy", "--preview", in: folder, environment: ["GITHUB_TOKEN": "t0ken"])
        let heads = run.output.split(separator: "\n").filter { $0.hasPrefix("### Buoy ") }
        let names = heads.map { $0.dropFirst("### Buoy ".count).prefix { $0 != "," && $0 != ":" } }
        #expect(names == ["4.0 (400)", "4.1.0 (410)", "4.0.1 (402)"], "\(run.printed)")
    }

    /// A message about a release that is to stop says so in its title, and asks for attention; one about a go does not.
    @Test(arguments: [
        ("4.0.1", "Buoy 4.0.1 (401), released Wed, Nov 25, 2026: ▼ Hold", "hold", true),
        ("4.1.0", "Buoy 4.1.0 (410), released Tue, Nov 10, 2026: ▲ Meets target", "go", false),
    ])
    func aWebhookDistinguishesHoldFromGo(release: String, title: String, verdict: String, asks: Bool)
        async throws
    {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let folder = try await project(
            "attach:\n  - {to: webhook, url: \"${HOOK}\", key: \"${HOOK_KEY}\", when: verdict}\n")
        let names = ["HOOK": server.origin + "/in", "HOOK_KEY": "any text", "no_proxy": "127.0.0.1"]
        let run = try await Program.run(
            "attach", "--app", "buoy", "--release", release, in: folder, environment: names)
        #expect(run.status == 0 && server.requests.count == 1, "\(run.printed)")
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(server.requests[0].body)) as? [String: Any])
        #expect(body["title"] as? String == title && body["verdict"] as? String == verdict)
        #expect(body["asksForAttention"] as? Bool == asks)
        let lines = (body["text"] as? String ?? "").split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("Verdict: \(verdict == "go" ? "Go" : "Hold").") }, "\(lines)")
        await server.stop()
    }
}
