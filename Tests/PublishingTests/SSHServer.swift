import Foundation
import LoopbackServer
import Platform

@testable import Publishing

/// OpenSSH's own server on a free loopback port for the user of the tests, with keys made for it alone.
final class SSHServer: Sendable {
    let port: UInt16
    let folder: TestFolder
    private let server: Task<Void, Never>

    /// Whether the program is installed.
    static let isInstalled = access("/usr/sbin/sshd", X_OK) == 0

    /// The program that serves files, as Debian names it.
    static let files = "/usr/lib/openssh/sftp-server"

    /// Whether a program can be between it and its clients.
    static let canBeCut =
        isInstalled && access(files, X_OK) == 0 && access("/usr/bin/python3", X_OK) == 0

    static let user = NSUserName()

    var key: String { "\(folder.path)/user" }
    var knownHosts: String { "\(folder.path)/known_hosts" }
    /// The digest of the server's key, as ssh-keygen prints it.
    let fingerprint: String

    /// Starts it.
    ///
    /// - Parameters:
    ///   - files: the program that serves files, as its configuration names it.
    ///   - password: with one, the user `report` may log in by it: with the rights of the user of the tests, known to
    ///     this server alone.
    init(files: String = "internal-sftp", password: String? = nil) async throws {
        folder = try TestFolder()
        let path = folder.path
        for name in ["host", "user", "other"] {
            _ = try await Self.keygen(["-q", "-t", "ed25519", "-N", "", "-f", "\(path)/\(name)"])
        }
        fingerprint =
            try await Self.keygen(["-l", "-f", "\(path)/host.pub"])
            .split(separator: " ").dropFirst().first.map(String.init) ?? ""
        try FileManager.default.copyItem(atPath: "\(path)/user.pub", toPath: "\(path)/authorized_keys")
        // Where it shuts itself in as root.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        let port = try freeLoopbackPort()
        self.port = port
        try folder.write(
            "sshd_config",
            """
            ListenAddress 127.0.0.1:\(port)
            HostKey \(path)/host
            AuthorizedKeysFile \(path)/authorized_keys
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication \(password == nil ? "no" : "yes")
            KbdInteractiveAuthentication no
            PermitRootLogin \(password == nil ? "prohibit-password" : "yes")
            MaxStartups 100
            Subsystem sftp \(files)
            """)
        var command = ["/usr/sbin/sshd", "-D", "-e", "-f", "\(path)/sshd_config"]
        if let password { command = try await Self.withPassword(password, folder) + command }
        let child = ChildProcess(
            program: command[0], arguments: Array(command.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin"], folder: "/", mostSeconds: 600)
        server = Task { _ = try? await child.run() }
        try writeKnownHosts(key: "host")
        try await untilLoopbackAnswers(port)
    }

    deinit { server.cancel() }

    /// Writes the file of known hosts with a key, for these ports.
    func writeKnownHosts(key: String, ports: [UInt16] = []) throws {
        let text = folder.text("\(key).pub") ?? ""
        let lines = ([port] + ports).map { "[127.0.0.1]:\($0) \(text)" }
        try folder.write("known_hosts", lines.joined())
    }

    /// Whether a program can have files of the system of its own, such as the list of users.
    static let canHaveUsers: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        probe.arguments = ["--mount", "mount", "--bind", "/etc/passwd", "/etc/shadow"]
        probe.standardError = FileHandle.nullDevice
        guard getuid() == 0, (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// What starts a program with one more user in its lists.
    private static func withPassword(_ password: String, _ folder: TestFolder) async throws -> [String] {
        let hash = try await ChildProcess(
            program: "openssl", arguments: ["passwd", "-6", password], environment: ["PATH": "/usr/bin:/bin"],
            folder: "/"
        ).run()
        let text = String(decoding: hash.output, as: UTF8.self).split(separator: "\n").first ?? ""
        let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let secrets = try String(contentsOfFile: "/etc/shadow", encoding: .utf8)
        try folder.write("passwd", users + "report:x:0:0::\(folder.path):/bin/sh\n")
        try folder.write("shadow", secrets + "report:\(text):20000:0:99999:7:::\n")
        let lines = ["passwd", "shadow"].map { "mount --bind \(folder.path)/\($0) /etc/\($0)" }
        let script = (lines + [#"exec "$@""#]).joined(separator: " && ")
        return ["/usr/bin/unshare", "--mount", "sh", "-c", script, "sh"]
    }

    @discardableResult
    static func keygen(_ arguments: [String]) async throws -> String {
        let result = try await ChildProcess(
            program: "ssh-keygen", arguments: arguments, environment: ["PATH": "/usr/bin:/bin"], folder: "/"
        ).run()
        return String(decoding: result.output, as: UTF8.self)
    }
}
