import Foundation
import Testing

/// `openssl s_server` on loopback that gives out one snapshot file, with an authority that openssl made for it.
final class TLSStub: @unchecked Sendable {
    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(
        where: FileManager.default.isExecutableFile)

    /// What opens the key of the client.
    static let password = "open_sesame"

    let folder: Folder
    /// The address of the snapshot.
    let address: String
    private let process = Process()

    /// Starts a server; openssl is waited for on a thread of its own, since the pool's must not block.
    static func start(asksForCertificate: Bool = false) async throws -> TLSStub {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try TLSStub(asksForCertificate: asksForCertificate) })
            }
        }
    }

    private init(asksForCertificate: Bool) throws {
        folder = try Folder()
        try folder.write("data.json", Quay.snapshot(of: "buoy", day: 19))
        try Self.makeCertificates(in: folder.path)
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.openssl))
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-WWW"]
            + (asksForCertificate ? ["-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem"] : [])
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let port = try #require(Self.port(in: output.fileHandleForReading))
        address = "https://127.0.0.1:\(port)/data.json"
    }

    // Not `terminate`: the child inherits the blocked signals of the thread that started it.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Puts the certificates into the folder of a project.
    func give(to project: Folder) throws {
        for name in ["ca.pem", "client.pem", "client.key"] {
            try project.write("tls/\(name)", folder.text(name))
        }
    }

    /// An authority, a server's certificate that it signed, and a client's whose key is locked.
    private static func makeCertificates(in folder: String) throws {
        let curve = "-newkey ec -pkeyopt ec_paramgen_curve:P-256"
        let sign = "x509 -req -days 30 -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy"
        for command in [
            "req -x509 \(curve) -nodes -days 30 -keyout ca.key -out ca.pem -subj /CN=authority",
            "req \(curve) -nodes -keyout server.key -out server.csr -subj /CN=stub -addext subjectAltName=IP:127.0.0.1",
            "\(sign) -in server.csr -out server.pem",
            "req \(curve) -passout pass:\(password) -keyout client.key -out client.csr -subj /CN=client",
            "\(sign) -in client.csr -out client.pem",
        ] {
            let make = Process()
            make.executableURL = URL(fileURLWithPath: try #require(openssl))
            make.currentDirectoryURL = URL(fileURLWithPath: folder)
            make.arguments = command.split(separator: " ").map(String.init)
            make.standardOutput = FileHandle.nullDevice
            make.standardError = FileHandle.nullDevice
            try make.run()
            make.waitUntilExit()
            try #require(make.terminationStatus == 0, "openssl \(command)")
        }
    }

    /// Reads up to the line `ACCEPT 127.0.0.1:port`.
    private static func port(in output: FileHandle) -> Int? {
        var text = ""
        while case let data = output.availableData, !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last {
                $0.hasPrefix("ACCEPT")
            }
            if let line { return line.split(separator: ":").last.flatMap { Int($0) } }
        }
        return nil
    }
}
