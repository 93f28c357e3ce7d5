import Foundation
import Testing

/// What lets others read a token is said before anything is sent.
struct SecretWarningTests {
    @Test(arguments: [
        (0o600, "https://quay.example", []), (0o400, "http://127.0.0.1:9", []),
        (0o600, "http://localhost:9/api", []), (0o600, "http://[::1]:9", []),
        (0o640, "https://quay.example", ["config.open-token-file"]),
        (0o604, "https://quay.example", ["config.open-token-file"]),
        (0o600, "http://quay.example", ["config.open-connection"]),
        (0o600, "HTTP://quay.example/127.0.0.1", ["config.open-connection"]),
        (0o600, "http://127.0.0.1.quay.example", ["config.open-connection"]),
        (0o644, "http://quay.example", ["config.open-token-file", "config.open-connection"]),
    ])
    func openTokensAreReported(mode: Int, url: String, ids: [String]) async throws {
        let folder = try Folder()
        try folder.write("key.txt", token + "\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path + "/key.txt")
        try folder.write(
            "plimsoll.yml", Quay.configuration(bugsnag: "\"\(url)\"", day: 19, secret: "tokenFile: key.txt"))
        // Nothing listens there, and no other machine is asked.
        let nowhere = "http://127.0.0.1:1"
        let run = try await Program.run(
            "doctor", in: folder, environment: ["http_proxy": nowhere, "https_proxy": nowhere])
        #expect(run.status == 1, "\(run.printed)")
        for id in ["config.open-token-file", "config.open-connection"] {
            #expect(run.errors.contains("[\(id)]") == ids.contains(id), "\(run.errors)")
        }
        #expect(run.errors.contains("hint: chmod 600 key.txt") == (mode & 0o044 != 0))
        let document = try await Program.run(
            "doctor", "--format", "json", in: folder,
            environment: ["http_proxy": nowhere, "https_proxy": nowhere])
        for id in ids { #expect(document.output.contains("\"\(id)\""), "\(document.output)") }
        #expect(!run.printed.contains(token))
    }

    /// Those of targets may write: releases, messages, files of a bucket.
    @Test(
        arguments: [
            (
                "attach: [{to: forgejo-release, repository: o/r, api: \"http://git.quay.test/api/v1\", tokenFile: key.txt}]",
                0o644, ["config.open-token-file", "config.open-connection"]
            ),
            (
                "attach: [{to: forgejo-release, repository: o/r, api: \"https://127.0.0.1:1/api/v1\", tokenFile: key.txt}]",
                0o644, ["config.open-token-file"]
            ),
            (
                "attach: [{to: forgejo-release, repository: o/r, api: \"http://127.0.0.1:1/api/v1\", tokenFile: key.txt}]",
                0o600, []
            ),
            ("attach: [{to: slack, url: \"${QUAY_HOOK}\"}]", 0o600, ["config.open-connection"]),
            (
                SecretWarningTests.mail("server: mail.quay.test, security: none"), 0o600,
                ["config.open-connection"]
            ),
            (
                SecretWarningTests.mail("server: 127.0.0.1.quay.test, security: none"), 0o640,
                ["config.open-token-file", "config.open-connection"]
            ),
            (SecretWarningTests.mail("server: mail.quay.test"), 0o600, []),
            (SecretWarningTests.mail("server: 127.0.0.1, security: none"), 0o600, []),
            (SecretWarningTests.mail("server: '${QUAY_HOST}', security: none"), 0o600, []),
            (
                "publish: [{to: sftp, host: quay.test, user: u, path: www, knownHosts: known, sshKey: key.txt}]",
                0o644, ["config.open-token-file"]
            ),
            (
                "attach: [{to: slack, url: \"${QUAY_TLS}\", clientCertificate: {certificate: own.pem, key: key.txt}}]",
                0o640, ["config.open-token-file"]
            ),
            (
                "attach: [{to: slack, url: \"${QUAY_TLS}\", clientCertificate: {certificate: key.txt}}]",
                0o604, ["config.open-token-file"]
            ),
            (
                "attach: [{to: slack, url: \"${QUAY_TLS}\", clientCertificate: {certificate: own.pem, key: key.txt}}]",
                0o600, []
            ),
        ] as [(String, Int, [String])])
    func openTokensOfTargetsAreReported(target: String, mode: Int, ids: [String]) async throws {
        let folder = try Folder()
        try folder.write("key.txt", token + "\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path + "/key.txt")
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + target + "\n")
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        let environment = [
            "QUAY_HOOK": "http://hook.quay.test/\(token)", "QUAY_TLS": "https://127.0.0.1:1/\(token)",
            "QUAY_HOST": "localhost",
        ]
        let run = try await Program.run("fetch", in: folder, environment: environment)
        #expect(run.status == 0, "\(run.printed)")
        for id in ["config.open-token-file", "config.open-connection"] {
            #expect(run.errors.contains("[\(id)]") == ids.contains(id), "\(run.errors)")
        }
        #expect(!run.printed.contains(token))
    }

    private static func mail(_ server: String) -> String {
        "attach: [{to: mail, \(server), user: plimsoll, passwordFile: key.txt, from: a@quay.test, recipients: b@quay.test}]"
    }

    /// What the program starts may keep no more of a crash than the program itself.
    @Test func noCrashLeavesAFileOfTheMemory() async throws {
        let folder = try Folder()
        try folder.write("Content/index.md", "# Quay\n")
        try folder.write("limit.sh", "#!/bin/sh\ncat >/dev/null\nulimit -c >core-limit.txt\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/limit.sh")
        try folder.write(
            "plimsoll.yml",
            "output: out\napps: []\npublish:\n  - {to: command, run: ./limit.sh}\n")
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0, "\(built.printed)")
        let run = try await Program.run("publish", in: folder)
        #expect(folder.text("core-limit.txt") == "0\n", "\(run.printed)")
    }
}
