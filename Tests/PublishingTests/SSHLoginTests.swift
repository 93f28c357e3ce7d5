import Diagnostics
import Foundation
import LoopbackServer
import Platform
import Testing
import Transport

@testable import Publishing

/// Every way to log in at OpenSSH's own server, for libcurl and for the program ssh, which renames.
@Suite(.enabled(if: SSHServer.isInstalled, "needs the Debian package openssh-server"))
struct SSHLoginTests {
    /// Publishes two editions by SFTP, and has a file take the name of another one in one step.
    private func check(_ server: SSHServer, _ values: [String: TargetSetup.Value]) async throws {
        let folder = server.folder
        let target = try sftpTarget(server, ["path": .text("\(folder.path)/out")].merging(values) { $1 })
        for edition in [0, 1] {
            let outcome = await publishing(try folder.site(Edition.files(edition, pages: 3)), to: target)
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(folder.text("out/index.html") == folder.text("site/index.html"))
        try folder.write("out/new", "new")
        try folder.write("out/old", "old")
        let renames = try #require(target as? StoreTarget<SFTPStore>).store.renames
        #expect(try await renames.rename("\(folder.path)/out/new", to: "\(folder.path)/out/old"))
        #expect(folder.text("out/old") == "new" && folder.text("out/new") == nil)
    }

    @Test func logsInByAKey() async throws {
        let server = try await SSHServer()
        try await check(server, ["sshKey": .text(server.key), "knownHosts": .text(server.knownHosts)])
    }

    @Test func logsInByAKeyWithAPassphrase() async throws {
        let server = try await SSHServer()
        try await SSHServer.keygen(["-q", "-p", "-P", "", "-N", "open 'se$ame'", "-f", server.key])
        let passphrase = try #require(Secret("open 'se$ame'"))
        try await check(
            server,
            [
                "sshKey": .text(server.key), "passphrase": .secret(passphrase),
                "knownHosts": .text(server.knownHosts),
            ])
    }

    /// A key that does not open is not tried, so that the server alone would be heard.
    @Test(arguments: [("wr0ng", "correct 'passphrase'"), (nil, "add 'passphrase'")])
    func aKeyThatDoesNotOpenIsNamed(given: String?, step: String) async throws {
        let server = try await SSHServer()
        try await SSHServer.keygen(["-q", "-p", "-P", "", "-N", "open", "-f", server.key])
        var values: [String: TargetSetup.Value] = [
            "sshKey": .text(server.key), "knownHosts": .text(server.knownHosts),
            "path": .text("\(server.folder.path)/out"),
        ]
        values["passphrase"] = given.flatMap { Secret($0) }.map { .secret($0) }
        let refused = await publishing(
            try server.folder.site(["index.html": "1"]), to: try sftpTarget(server, values))
        #expect(
            refused.failure?.hints.first?.hasPrefix(step) == true, "\(String(describing: refused.failure))")
        #expect("\(String(describing: refused.failure))".contains("wr0ng") == false)
    }

    @Test func trustsAFingerprintAndNoOther() async throws {
        let server = try await SSHServer()
        let key: [String: TargetSetup.Value] = ["sshKey": .text(server.key)]
        try await check(server, key.merging(["fingerprint": .text(server.fingerprint)]) { $1 })
        let other = "SHA256:" + String(repeating: "A", count: 43)
        let account = SFTPAccount(
            host: "127.0.0.1", port: Int(server.port), user: SSHServer.user,
            proof: .key(file: server.key, passphrase: nil), trust: .fingerprint(String(other.dropFirst(7))))
        let renames = SFTPRenames(account, environment: ProcessInfo.processInfo.environment)
        #expect(try await renames.rename("a", to: "b") == false)
        let target = try sftpTarget(
            server,
            key.merging(["fingerprint": .text(other), "path": .text("\(server.folder.path)/out")]) { $1 })
        let refused = await publishing(try server.folder.site(["index.html": "1"]), to: target)
        #expect(refused.failure?.hints.first?.hasPrefix("check that the host's key") == true)
    }

    /// libcurl finds the agent by the variable of the process, so this is the one test that sets it.
    @Test(.enabled(if: access("/usr/bin/ssh-agent", X_OK) == 0, "needs the Debian package openssh-client"))
    func logsInByAKeyOfTheAgent() async throws {
        let server = try await SSHServer()
        let socket = "/tmp/plimsoll-agent-\(getpid())"
        let variables = ["PATH": "/usr/bin:/bin", "SSH_AUTH_SOCK": socket]
        func run(_ program: String, _ arguments: String...) async throws -> String {
            let result = try await ChildProcess(
                program: program, arguments: arguments, environment: variables, folder: "/"
            ).run()
            return String(decoding: result.output, as: UTF8.self)
        }
        let said = try await run("ssh-agent", "-s", "-a", socket)
        let number = try #require(said.firstMatch(of: /SSH_AGENT_PID=(\d+)/).flatMap { pid_t($0.1) })
        defer { kill(number, SIGTERM) }
        setenv("SSH_AUTH_SOCK", socket, 1)
        _ = try await run("ssh-add", "-q", server.key)
        let trust: [String: TargetSetup.Value] = ["knownHosts": .text(server.knownHosts)]
        try await check(server, trust)
        _ = try await run("ssh-add", "-q", "-D")
        let target = try sftpTarget(
            server, trust.merging(["path": .text("\(server.folder.path)/out")]) { $1 })
        let refused = await publishing(try server.folder.site(["index.html": "1"]), to: target)
        #expect(refused.failure?.hints.first?.hasPrefix("check 'user'") == true, "\(refused.word)")
    }

    @Test(.enabled(if: SSHServer.canHaveUsers, "needs root, for a server with a user of its own"))
    func logsInByAPassword() async throws {
        let server = try await SSHServer(password: "pa$$ 'word'")
        let place: [String: TargetSetup.Value] = [
            "user": .text("report"), "knownHosts": .text(server.knownHosts),
        ]
        let password = try #require(Secret("pa$$ 'word'")), wrong = try #require(Secret("wr0ng"))
        try await check(server, place.merging(["password": .secret(password)]) { $1 })
        let target = try sftpTarget(
            server,
            place.merging(["password": .secret(wrong), "path": .text("\(server.folder.path)/out")]) { $1 })
        let refused = await publishing(try server.folder.site(["index.html": "1"]), to: target)
        #expect(
            refused.failure?.hints.first?.hasPrefix("check 'user' and 'password'") == true, "\(refused.word)")
        #expect("\(String(describing: refused.failure))".contains("wr0ng") == false)
    }

    /// A program ssh that ends at once, as where this user has no name on the machine, is done without.
    @Test(arguments: ["No user exists for uid 61234", "Permission denied (publickey).", ""])
    func anSSHThatEndsAtOnceIsNotNeeded(words: String) async throws {
        let server = try await SSHServer()
        let folder = server.folder
        try folder.write("bin/ssh", "#!/bin/sh\necho '\(words)' >&2\nexit 255\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/bin/ssh")
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(folder.path)/bin:/usr/bin:/bin"
        let target = try sftpTarget(
            server,
            [
                "path": .text("\(folder.path)/out"), "sshKey": .text(server.key),
                "knownHosts": .text(server.knownHosts),
            ], environment: environment)
        for edition in [0, 1] {
            let outcome = await publishing(try folder.site(Edition.files(edition)), to: target)
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(folder.tree("out")["index.html"] == folder.tree("site")["index.html"])
    }
}
