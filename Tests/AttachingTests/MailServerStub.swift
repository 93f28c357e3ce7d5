import Foundation
import Synchronization
import Testing

/// aiosmtpd on loopback, with a certificate that openssl makes for it.
final class MailServerStub: Sendable {
    /// A mail as the server took it.
    struct Mail: Decodable, Sendable {
        let from: String
        let to: [String]
        let hello: String
        let data: String
        let tls: Bool
        let user: String?
    }

    let folder: String
    let port: Int
    private let process: Int32
    private let lines: Mutex<[Data]>
    private let more: AsyncStream<Void>

    var authority: String { folder + "/cert.pem" }

    /// Starts a server; nil where aiosmtpd or openssl is missing.
    static func start(_ mode: String) async throws -> MailServerStub? {
        let folder = NSTemporaryDirectory() + "plimsoll-mail-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let made = try await offThePool {
            try run(
                "/usr/bin/openssl",
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout key.pem -out cert.pem -subj /CN=mail -addext subjectAltName=IP:127.0.0.1",
                in: folder)
        }
        guard made == 0 else { return nil }
        let process = Process()
        let output = Pipe()
        let script =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/mail_server.py"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [script, mode, "cert.pem", "key.pem"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let (more, hear) = AsyncStream<Void>.makeStream()
        let first = await offThePool { readLine(output.fileHandleForReading) }
        struct Port: Decodable { let port: Int }
        guard let port = try? JSONDecoder().decode(Port.self, from: first).port else { return nil }
        let stub = MailServerStub(folder, port, process.processIdentifier, more)
        Thread.detachNewThread { [weak stub] in
            while case let line = readLine(output.fileHandleForReading), !line.isEmpty {
                stub?.lines.withLock { $0.append(line) }
                hear.yield()
            }
            hear.finish()
        }
        return stub
    }

    private init(_ folder: String, _ port: Int, _ process: Int32, _ more: AsyncStream<Void>) {
        (self.folder, self.port, self.process, self.more) = (folder, port, process, more)
        lines = Mutex([])
    }

    deinit {
        kill(process, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Waits for so many mails and gives them.
    func mails(_ count: Int) async throws -> [Mail] {
        for await _ in more where lines.withLock({ $0.count }) >= count { break }
        return try lines.withLock { $0 }.map { try JSONDecoder().decode(Mail.self, from: $0) }
    }

    /// How many mails came.
    var count: Int { lines.withLock { $0.count } }
}

/// Runs blocking work on a thread of its own.
private func offThePool<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async rethrows -> Value {
    let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Result { try work() }) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try { throw error }()
    }
}

private func run(_ program: String, _ arguments: String, in folder: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
}

/// The next line of a pipe; empty at its end.
private func readLine(_ handle: FileHandle) -> Data {
    var line = Data()
    while let byte = try? handle.read(upToCount: 1), !byte.isEmpty {
        line.append(byte)
        if byte[byte.startIndex] == UInt8(ascii: "\n") { break }
    }
    return line
}
