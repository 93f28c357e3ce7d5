import Foundation
import Testing

@testable import Transport

/// `http2_stub.py`, which needs Python with the package `h2`.
private final class HTTP2Server: @unchecked Sendable {
    let folder = ScratchFolder()
    let port: Int
    private let process = Process()

    var authority: String { "\(folder.path)/ca.pem" }

    static func start(_ mode: String) async throws -> HTTP2Server {
        try await offThePool { try HTTP2Server(mode) }
    }

    private init(_ mode: String) throws {
        let python = try #require(PythonWithH2.shared)
        try TLSServer.makeCertificates(.good, in: folder.path)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("http2_stub.py").path
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", script, "\(folder.path)/server.pem", "\(folder.path)/server.key", mode,
        ]
        process.environment = python.environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        port = try #require(TLSServer.port(in: output.fileHandleForReading))
    }

    deinit { kill(process.processIdentifier, SIGKILL) }
}

/// Python that can import `h2`: the installed package, otherwise one that pip puts into a folder for the test.
private struct PythonWithH2: Sendable {
    var environment: [String: String]

    static let shared: PythonWithH2? = {
        let usual = ProcessInfo.processInfo.environment
        if run(["python3", "-c", "import h2"], usual) { return PythonWithH2(environment: usual) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transport-tests-h2").path
        var own = usual
        own["PYTHONPATH"] = folder
        if run(["python3", "-c", "import h2"], own) { return PythonWithH2(environment: own) }
        let install = [
            "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "5",
            "--retries", "0", "--target", folder, "h2>=4,<5",
        ]
        return run(install, usual) && run(["python3", "-c", "import h2"], own)
            ? PythonWithH2(environment: own) : nil
    }()

    private static func run(_ arguments: [String], _ environment: [String: String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

@Suite(
    .enabled("openssl, or Python with h2, is missing") {
        try await offThePool { TLSServer.openssl != nil && PythonWithH2.shared != nil }
    })
struct HTTP2Tests {
    private func client(_ server: HTTP2Server) -> RetryingClient {
        var policy = RetryPolicy()
        policy.attempts = 3
        return RetryingClient(
            Client.make { $0.certificateFile = server.authority }, policy: policy,
            pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
    }

    @Test func goesOnOverANewConnectionAfterGoaway() async throws {
        let server = try await HTTP2Server.start("polite")
        let client = client(server)
        for number in 0..<5 {
            let response = try await client.send(.make("https://127.0.0.1:\(server.port)/\(number)"))
            #expect(response.text == "answer to /\(number)" && response.httpVersion == "2")
        }
    }

    @Test func triesAgainWhatGoawayLeftUnserved() async throws {
        let server = try await HTTP2Server.start("rude")
        let response = try await client(server).send(.make("https://127.0.0.1:\(server.port)/x"))
        #expect(response.text == "answer to /x" && response.status == 200)
    }

    @Test func goawayInTheMiddleOfABodyIsNoWholeAnswer() async throws {
        let server = try await HTTP2Server.start("broken")
        let error = try #require(
            await failure(of: .make("https://127.0.0.1:\(server.port)/x?token=s3cr3t"), by: client(server)))
        #expect([.reset, .truncated].contains(error.kind) && error.attempts == 3, "\(error)")
        #expect(!"\(error)".contains("s3cr3t"))
    }
}
