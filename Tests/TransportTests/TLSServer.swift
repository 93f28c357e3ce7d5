import Foundation
import Testing

/// `openssl s_server` on loopback with certificates that openssl makes for it.
final class TLSServer: @unchecked Sendable {
    /// What is odd about the server's certificate.
    enum Certificate {
        case good, expired, wrongHost
    }

    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(
        where: FileManager.default.isExecutableFile)

    let folder = ScratchFolder()
    let port: Int
    private let process = Process()

    /// The authority that signed every certificate here; trusting it means trusting the server.
    var authority: String { "\(folder.path)/ca.pem" }
    /// A certificate that the server accepts from a client; its key is locked with `open sesame`.
    var clientCertificate: String { "\(folder.path)/client.pem" }
    var clientKey: String { "\(folder.path)/client.key" }

    /// Starts a server; openssl is waited for on a thread of its own, since the pool's must not block.
    static func start(
        _ certificate: Certificate = .good, asksForCertificate: Bool = false
    ) async throws -> TLSServer {
        try await offThePool { try TLSServer(certificate, asksForCertificate: asksForCertificate) }
    }

    private init(_ certificate: Certificate, asksForCertificate: Bool) throws {
        try Self.makeCertificates(certificate, in: folder.path)
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.openssl))
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-www"]
            + (asksForCertificate ? ["-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem"] : [])
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        port = try #require(Self.port(in: output.fileHandleForReading))
    }

    // Not `terminate`: the child inherits the blocked signals of the thread that started it.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// An authority, a server's certificate that it signed, and a client's.
    static func makeCertificates(_ certificate: Certificate, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let name = certificate == .wrongHost ? "DNS:other.example" : "IP:127.0.0.1"
        let end = certificate == .expired ? "20200201000000Z" : "20990101000000Z"
        let configuration = """
            [ca]
            default_ca = own
            [own]
            database = index.txt
            serial = serial
            new_certs_dir = .
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """
        for (file, text) in [("ca.cnf", configuration), ("index.txt", ""), ("serial", "01\n")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
        }
        let sign = "ca -batch -config ca.cnf -cert ca.pem -keyfile ca.key -notext -startdate 20200101000000Z"
        for command in [
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout ca.key -out ca.pem -subj /CN=authority",
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.csr -subj /CN=stub -addext subjectAltName=\(name)",
            "\(sign) -enddate \(end) -in server.csr -out server.pem",
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -passout pass:open_sesame -keyout client.key -out client.csr -subj /CN=client",
            "\(sign) -enddate 20990101000000Z -in client.csr -out client.pem",
        ] {
            try run(command.split(separator: " ").map(String.init), in: folder)
        }
    }

    private static func run(_ arguments: [String], in folder: String) throws {
        let make = Process()
        make.executableURL = URL(fileURLWithPath: try #require(openssl))
        make.currentDirectoryURL = URL(fileURLWithPath: folder)
        make.arguments = arguments
        make.standardOutput = FileHandle.nullDevice
        make.standardError = FileHandle.nullDevice
        try make.run()
        make.waitUntilExit()
        try #require(make.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }

    /// Reads up to the line `ACCEPT 127.0.0.1:port`.
    static func port(in output: FileHandle) -> Int? {
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

/// Does blocking work on a thread of its own.
func offThePool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}
