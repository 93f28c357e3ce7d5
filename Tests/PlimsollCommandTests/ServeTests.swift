import Foundation
import Glibc
import Testing

/// The preview, asked by a real client.
struct ServeTests {
    /// A project of two apps from files, its archive filled.
    private func project() async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        try folder.write("more/lamp/2026-11-20.json", Quay.snapshot(of: "lamp", day: 20))
        try folder.write("Content/about.md", "# About\n\nOld words.\n")
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.told)")
        return folder
    }

    @Test func servesTheSiteAndBuildsItAnew() async throws {
        let folder = try await project()
        let preview = try await Preview.start(in: folder)
        let page = try await preview.get("about/")
        #expect(page.status == 200)
        #expect(page.head.contains("Content-Type: text/html; charset=utf-8"))
        #expect(page.head.contains("Cache-Control: no-store"))
        #expect(page.head.contains("Content-Security-Policy: default-src 'none';"))
        #expect(page.body.contains("Old words."))

        try folder.write("Content/about.md", "# About\n\nNew words.\n")
        #expect(try await preview.waits("about/") { $0.body.contains("New words.") })
        try folder.write("Content/about.md", "# About\n\n```block\nkind: verdct\napp: buoy\n```\n")
        #expect(try await preview.waits("about/") { $0.status == 500 })
        let trouble = try await preview.get("about/")
        #expect(trouble.head.contains("Content-Type: text/plain; charset=utf-8"))
        #expect(trouble.body.contains("Content/about.md:4:7"))
        #expect(trouble.body.contains("did you mean 'verdict'?"))
        #expect(folder.text("site/about/index.html").contains("New words."))
        #expect(try await preview.get("about/index.md").body.contains("New words."))
        try folder.write("Content/about.md", "# About\n\n```block\nkind: verdict\napp: buoy\n```\n")
        #expect(try await preview.waits("about/") { $0.status == 200 && $0.body.contains("verdict-") })

        let run = try await preview.stop()
        #expect(run.status == 0, "\(run.told)")
        #expect(run.output.hasPrefix("http://127.0.0.1:"))
        #expect(run.errors.contains("did you mean 'verdict'?"))
        #expect(try folder.names().filter { $0.contains("site") } == ["site"])
    }

    @Test func answersOnlyWhatAPreviewShould() async throws {
        let folder = try await project()
        try folder.write("secret.txt", "secret")
        let preview = try await Preview.start(in: folder)
        _ = try await preview.waits("") { $0.status == 200 }
        /// A request, the expected status, and a part of the head.
        let rows: [(arguments: [String], path: String, status: Int, head: String)] = [
            ([], "apps/buoy", 301, "Location: /apps/buoy/"), ([], "assets/site.css", 200, "text/css"),
            ([], "status.json", 200, "application/json"), ([], "nowhere/", 404, "text/html"),
            (["--path-as-is"], "../secret.txt", 404, "text/html"),
            (["--path-as-is"], "%2e%2e/secret.txt", 404, "text/html"),
            (["-X", "POST"], "", 405, "Allow: GET, HEAD"), (["-X", "DELETE"], "", 405, "Allow: GET, HEAD"),
            (["-H", "Host: evil.example"], "", 403, "text/plain"), (["-I"], "", 200, "Content-Length: "),
        ]
        for row in rows {
            let answer = try await preview.get(row.path, row.arguments)
            #expect(answer.status == row.status, "\(row)")
            #expect(answer.head.contains(row.head), "\(row) \(answer.head)")
            #expect(!answer.body.contains("secret"), "\(row)")
        }
        let second = try await Program.run("serve", "--port", preview.port, in: folder)
        #expect(second.status == 4)
        #expect(second.errors.contains("[serve.port]"))
        #expect(try await preview.stop().status == 0)
    }
}

/// A running `plimsoll serve`.
private struct Preview {
    let program: Started
    let address: String
    var port: String { String(address.dropLast().split(separator: ":").last ?? "") }

    static func start(in folder: Folder) async throws -> Preview {
        let program = try Started(
            Program.path, ["serve", "--port", "0"], in: folder.path, environment: ["TZ": "UTC"])
        await program.tells("watching for changes")
        let address = program.told.split(separator: "\n").first.map(String.init) ?? ""
        return Preview(program: program, address: address)
    }

    /// What is answered to a request: the status, the head and the body.
    func get(_ path: String, _ arguments: [String] = []) async throws -> (status: Int, head: String, body: String) {
        let run = try await Program.run(
            "/usr/bin/curl", ["-sS", "-i", "--max-time", "20"] + arguments + [address + path], in: "/tmp")
        let parts = run.output.replacing("\r\n", with: "\n").split(separator: "\n\n", maxSplits: 1)
        let head = parts.first.map(String.init) ?? run.told
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, head, parts.count > 1 ? String(parts[1]) : "")
    }

    /// Asks until the answer is as wanted, at most some hundred times.
    func waits(
        _ path: String, until isWanted: ((status: Int, head: String, body: String)) -> Bool
    ) async throws -> Bool {
        for _ in 0..<1500 where isWanted(try await get(path)) { return true }
        return false
    }

    func stop() async throws -> Run {
        kill(program.number, SIGINT)
        return try await program.end()
    }
}
