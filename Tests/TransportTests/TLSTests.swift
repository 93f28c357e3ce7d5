import Foundation
import Testing

@testable import Transport

/// `openssl s_server` with a certificate for 127.0.0.1 that nobody signed but itself.
private final class TLSServer {
    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(
        where: FileManager.default.isExecutableFile)

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    let port: Int
    private let process = Process()

    var certificate: String { folder.appendingPathComponent("cert.pem").path }

    init() throws {
        let openssl = URL(fileURLWithPath: try #require(Self.openssl))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let make = Process()
        make.executableURL = openssl
        make.currentDirectoryURL = folder
        make.standardError = FileHandle.nullDevice
        make.arguments =
            "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem -subj /CN=stub".split(
                separator: " "
            )
            .map(String.init) + ["-addext", "subjectAltName=IP:127.0.0.1"]
        try make.run()
        make.waitUntilExit()
        let output = Pipe()
        process.executableURL = openssl
        process.currentDirectoryURL = folder
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-www",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        port = try #require(Self.port(in: output.fileHandleForReading))
    }

    deinit {
        // Not `terminate`: the child inherits the blocked signals of the thread that started it.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
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

@Suite(.enabled(if: TLSServer.openssl != nil))
struct TLSTests {
    @Test func trustsOnlyWhatItShould() async throws {
        let server = try TLSServer()
        let request = try Request.make("https://127.0.0.1:\(server.port)/")
        let refused = await failure(of: request, by: Client.make())
        #expect(refused?.kind == .tls && refused?.code == "CURLE_PEER_FAILED_VERIFICATION (60)")
        let trusting = Client.make { $0.certificateFile = server.certificate }
        #expect(try await trusting.send(request).status == 200)
        let otherName = try Request.make("https://localhost:\(server.port)/")
        #expect(await failure(of: otherName, by: trusting)?.kind == .tls)
        let noFile = Client.make { $0.certificateFile = "/does/not/exist.pem" }
        #expect(await failure(of: request, by: noFile)?.kind == .tls)
    }
}
