import Foundation
import LoopbackServer
import Testing

/// The preview, requested by a real client.
@Suite(.timeLimit(.minutes(5)))
struct ServeTests {
    /// A project of two apps from files, its archive filled.
    private func project() async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        try folder.write("more/lamp/2026-11-20.json", Quay.snapshot(of: "lamp", day: 20))
        try folder.write("Content/about.md", "# About\n\nOld words.\n")
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return folder
    }

    @Test func servesTheSiteAndBuildsItAgain() async throws {
        let folder = try await project()
        let preview = try await Preview.start(in: folder)
        let page = try await preview.get("about/")
        #expect(page.status == 200)
        #expect(page.head.contains("Content-Type: text/html; charset=utf-8"))
        #expect(page.head.contains("Cache-Control: no-store"))
        #expect(page.head.contains("Content-Security-Policy: default-src 'none';"))
        #expect(page.body.contains("Old words."))

        try folder.write("Content/about.md", "# About\n\nNew words.\n")
        try await preview.waits("about/") { $0.body.contains("New words.") }
        try folder.write("Content/about.md", "# About\n\n```block\nkind: verdct\napp: buoy\n```\n")
        try await preview.waits("about/") { $0.status == 500 }
        let trouble = try await preview.get("about/")
        #expect(trouble.head.contains("Content-Type: text/plain; charset=utf-8"))
        #expect(trouble.body.contains("Content/about.md:4:7"))
        #expect(trouble.body.contains("did you mean 'verdict'?"))
        #expect(folder.text("site/about/index.html").contains("New words."))
        #expect(try await preview.get("about/index.md").body.contains("New words."))
        try folder.write("Content/about.md", "# About\n\n```block\nkind: verdict\napp: buoy\n```\n")
        try await preview.waits("about/") { $0.status == 200 && $0.body.contains("verdict-") }

        let run = try await preview.stop()
        #expect(run.status == 0, "\(run.printed)")
        #expect(run.output.hasPrefix("http://127.0.0.1:"))
        #expect(run.errors.contains("did you mean 'verdict'?"))
        #expect(try folder.names().filter { $0.contains("site") } == ["site"])
    }

    @Test func servesASiteThatIsALink() async throws {
        let folder = try await project()
        try folder.write("plimsoll.yml", Quay.configuration(day: 20) + "swap: link\n")
        let preview = try await Preview.start(in: folder)
        #expect(try await preview.get("about/").status == 200)
        for words in ["New words.", "Newer words."] {
            try folder.write("Content/about.md", "# About\n\n\(words)\n")
            try await preview.waits("about/") { $0.body.contains(words) }
        }
        #expect(try await preview.stop().status == 0)
        #expect(try folder.names().filter { $0.hasPrefix(".site.linked-") }.count == 2)
    }

    @Test func answersOnlyWhatAPreviewShould() async throws {
        let folder = try await project()
        try folder.write("secret.txt", "secret")
        let preview = try await Preview.start(in: folder)
        try await preview.waits("") { $0.status == 200 }
        /// A request, the expected status, and a part of the head.
        let rows: [(method: String, path: String, host: String?, status: Int, head: String)] = [
            ("GET", "apps/buoy", nil, 301, "Location: /apps/buoy/"),
            ("GET", "robots.txt", nil, 200, "text/plain"),
            ("GET", "status.json", nil, 200, "application/json"),
            ("GET", "nowhere/", nil, 404, "text/html"), ("GET", "../secret.txt", nil, 404, "text/html"),
            ("GET", "%2e%2e/secret.txt", nil, 404, "text/html"), ("GET", "?a=b", nil, 200, "text/html"),
            ("POST", "", nil, 405, "Allow: GET, HEAD"), ("DELETE", "", nil, 405, "Allow: GET, HEAD"),
            ("GET", "", "evil.example", 403, "text/plain"), ("HEAD", "", nil, 200, "Content-Length: "),
        ]
        for row in rows {
            let answer = try await preview.ask(row.method, row.path, host: row.host)
            #expect(row.method != "HEAD" || answer.body.isEmpty)
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

/// A response of the preview.
private struct Answer: Sendable {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let parts = text.replacing("\r\n", with: "\n").split(separator: "\n\n", maxSplits: 1)
        head = parts.first.map(String.init) ?? ""
        status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        body = parts.count > 1 ? String(parts[1]) : ""
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
        try await program.prints("Watching for changes")
        let address = program.printed.split(separator: "\n").first.map(String.init) ?? ""
        return Preview(program: program, address: address)
    }

    func get(_ path: String) async throws -> Answer { try await ask("GET", path) }

    /// The response to a request, sent as it is: no client corrects its path.
    func ask(_ method: String, _ path: String, host: String? = nil) async throws -> Answer {
        let head =
            "\(method) /\(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
            + "Content-Length: 0\r\nConnection: close\r\n\r\n"
        let number = try #require(UInt16(port))
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Answer(exchange(head, number))) }
        }
    }

    /// Repeats the request until the response is as wanted; throws with the last response when it is not within a minute.
    func waits(_ path: String, until isWanted: (Answer) -> Bool) async throws {
        let start = ContinuousClock.now
        var answer = try await get(path)
        while !isWanted(answer) {
            guard start.duration(to: .now) < .seconds(60) else {
                throw ProgramIsLate(
                    description: "/\(path) still answers \(answer.status) with: \(answer.body.prefix(4000))")
            }
            answer = try await get(path)
        }
    }

    func stop() async throws -> Run {
        kill(program.number, SIGINT)
        return try await program.end()
    }
}
