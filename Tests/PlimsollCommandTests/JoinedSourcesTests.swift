import Foundation
import Testing

/// One app with a source of sessions and releases, and one of users.
struct JoinedSourcesTests {
    private static func snapshot(_ provides: String, _ rows: [String], more: String = "") -> String {
        """
        {"format":"plimsoll-snapshot","version":1,"app":"quay","capturedAt":"2026-11-20T05:30:00Z",
        "provides":[\(provides)],"health":[\(rows.joined(separator: ","))]\(more)}

        """
    }

    private static let days = (1...19).map { "2026-11-\($0 < 10 ? "0" : "")\($0)" }

    private static let sessions = snapshot(
        #""sessions","releaseHealth","releases""#,
        days.flatMap { day in
            ["", #","release":"1.0""#].map {
                #"{"date":"\#(day)"\#($0),"sessions":20000,"crashedSessions":400}"#
            }
        }, more: #","releases":[{"version":"1.0","releasedAt":"2026-11-01T00:00:00Z"}]"#)

    private static let users = snapshot(
        #""users""#, days.map { #"{"date":"\#($0)","users":8000,"crashedUsers":80}"# })

    /// The site and the verdict as from the sources in an order.
    private func site(_ sources: [String]) async throws -> (folder: Folder, verdict: Run) {
        let folder = try Folder()
        try folder.write("data/sessions/a.json", Self.sessions)
        try folder.write("data/users/a.json", Self.users)
        let list = sources.map { "{provider: files, id: \($0), path: data/\($0)}" }.joined(separator: ", ")
        try folder.write(
            "plimsoll.yml", "asOf: 2026-11-20T06:00:00Z\napps:\n  - {id: quay, sources: [\(list)]}\n")
        let run = try await Program.run("run", in: folder)
        #expect(run.errors.contains("✓ quay"), "\(run.printed)")
        return (folder, try await Program.run("verdict", "--app", "quay", "--release", "1.0", in: folder))
    }

    @Test(arguments: [["sessions", "users"], ["users", "sessions"]])
    func bothSourcesAreOnEachPage(order: [String]) async throws {
        let (folder, verdict) = try await site(order)
        let alone = try await site(["sessions"])
        #expect(verdict.output == alone.verdict.output && verdict.status == 1, "\(verdict.printed)")
        let page = folder.text("site/apps/quay/index.md")
        #expect(page.contains("| Crash-free users | 99.00% "))
        #expect(page.contains("| Crash-free sessions | 98.00% "))
        #expect(page.contains("| Sessions | 20,000 "))
        #expect(folder.text("site/apps/quay/releases/1.0/index.md").contains("| Session adoption | 100"))
        let data = folder.text("site/apps/quay/data.csv")
        #expect(data.contains("2026-11-19,20000,400,8000,80,"))
        // Each figure names its source.
        for (figure, source) in [("crash-free-users", "users"), ("crash-free-sessions", "sessions")] {
            let explained = try await Program.run("explain", "apps/quay", figure, in: folder)
            #expect(explained.output.contains("source     \(source), files"), "\(explained.printed)")
        }
    }
}
