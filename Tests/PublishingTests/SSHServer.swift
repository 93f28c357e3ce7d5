import Foundation
import Glibc
import LoopbackServer

@testable import Publishing

/// OpenSSH's own server on a free loopback port for the user of the tests, with keys made for it alone.
final class SSHServer: Sendable {
    let port: UInt16
    let folder: TestFolder
    private let server: Task<Void, Never>

    /// Whether the program is installed.
    static let isInstalled = access("/usr/sbin/sshd", X_OK) == 0

    static let user = NSUserName()

    var key: String { "\(folder.path)/user" }
    var knownHosts: String { "\(folder.path)/known_hosts" }
    /// The digest of the server's key, as ssh-keygen prints it.
    let fingerprint: String

    /// Starts it.
    init() async throws {
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
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            MaxStartups 100
            Subsystem sftp internal-sftp
            """)
        let child = ChildProcess(
            program: "/usr/sbin/sshd", arguments: ["-D", "-e", "-f", "\(path)/sshd_config"],
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

    private static func keygen(_ arguments: [String]) async throws -> String {
        let result = try await ChildProcess(
            program: "ssh-keygen", arguments: arguments, environment: ["PATH": "/usr/bin:/bin"], folder: "/"
        ).run()
        return String(decoding: result.output, as: UTF8.self)
    }
}
