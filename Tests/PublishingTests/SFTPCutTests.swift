import Diagnostics
import Foundation
import LoopbackServer
import Platform
import Testing
import Transport

@testable import Publishing

/// SFTP against OpenSSH's server for files, cut at every tenth request.
@Suite(.enabled(if: SSHServer.canBeCut, "needs the Debian packages openssh-server and python3"))
struct SFTPCutTests {
    /// Whether the server can rename over a file that exists, and so whether readers find every file at any moment.
    @Test(arguments: [true, false])
    func everyLinkWorksWhereverItIsCut(isAtomic: Bool) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/sftp_cut.py"
        let limits = try TestFolder()
        let server = try await SSHServer(
            files: "/usr/bin/python3 \(script) \(limits.path) \(SSHServer.files)"
                + (isAtomic ? "" : " -P posix-rename"))
        func limit(_ count: Int) throws {
            try limits.write("limit", "\(count)")
            try limits.write("count", "0")
        }
        let folder = server.folder
        try limit(.max)
        let before = try folder.site(Edition.files(0, pages: 6), in: "before")
        let first = await publishing(before, to: try target(server, "start"))
        #expect(first.word == "published", "\(String(describing: first.failure))")
        try limit(.max)
        let site = try folder.site(Edition.files(1, pages: 6))
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/start", toPath: "\(folder.path)/whole")
        let whole = await publishing(site, to: try target(server, "whole"))
        #expect(whole.word == "published", "\(String(describing: whole.failure))")
        let count = try #require(limits.text("count").flatMap { Int($0) })
        #expect(count > 60)
        for cut in stride(from: 5, to: count, by: 10) {
            let out = "cut-\(cut)"
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/start", toPath: "\(folder.path)/\(out)")
            try limit(cut)
            let broken = await publishing(site, to: try target(server, out))
            if let failure = broken.failure { #expect(failure.hints.isEmpty == false, "\(failure)") }
            let gaps = Edition.brokenLinks(folder.tree(out))
            #expect(gaps.count <= (isAtomic ? 0 : 4), "cut at \(cut): \(gaps)")
            // All of what is missing for a moment is there under its other name.
            for gap in gaps { #expect(folder.text("\(out)/\(gap).plimsoll-new") != nil, "\(gap)") }
            try limit(.max)
            let next = await publishing(site, to: try target(server, out))
            #expect(["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
            #expect(Edition.brokenLinks(folder.tree(out)) == [], "cut at \(cut)")
            #expect(
                folder.tree(out).filter { !$0.key.hasPrefix("assets/style.0") } == folder.tree("site"),
                "cut at \(cut)")
        }
    }

    /// Whatever it is asked for: a manifest may have so many bytes that they would be given hours.
    @Test(.timeLimit(.minutes(2)), arguments: [3, 4, 5])
    func serverThatGoesSilentIsGivenUp(afterRequests count: Int) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/sftp_cut.py"
        let limits = try TestFolder()
        let server = try await SSHServer(
            files: "/usr/bin/python3 \(script) \(limits.path) \(SSHServer.files)")
        try limits.write("limit", "\(Int.max)")
        let site = try server.folder.site(Edition.files(0, pages: 6))
        let first = await publishing(site, to: try target(server, "out"))
        #expect(first.word == "published", "\(String(describing: first.failure))")
        try limits.write("silent", "")
        try limits.write("limit", "\(count)")
        try limits.write("count", "0")
        let outcome = await publishing(site, to: try target(server, "out", milliseconds: 2000))
        #expect(outcome.word == "publish.sftp", "\(String(describing: outcome.failure))")
    }

    private func target(
        _ server: SSHServer, _ folder: String, milliseconds: Int = 10_000
    ) throws -> any Target {
        try sftpTarget(
            server,
            [
                "path": .text("\(server.folder.path)/\(folder)"), "sshKey": .text(server.key),
                "knownHosts": .text(server.knownHosts),
            ], milliseconds: milliseconds)
    }
}

/// A target at a server, with these values besides where it is.
func sftpTarget(
    _ server: SSHServer, _ values: [String: TargetSetup.Value], milliseconds: Int = 60_000,
    environment: [String: String] = ProcessInfo.processInfo.environment
) throws -> any Target {
    var retries = RetryPolicy()
    (retries.attempts, retries.capMilliseconds) = (2, 0)
    let client = Client(Client.Options(version: "1"))
    let place: [String: TargetSetup.Value] = [
        "host": .text("127.0.0.1"), "port": .text("\(server.port)"), "user": .text(SSHServer.user),
    ]
    var setup = TargetSetup(
        id: "web", values: place.merging(values) { $1 }, folder: server.folder.path,
        environment: environment, retries: retries
    ) { _ in client }
    setup.timeoutMilliseconds = milliseconds
    return try TargetDescriptor.sftp.make(setup)
}
