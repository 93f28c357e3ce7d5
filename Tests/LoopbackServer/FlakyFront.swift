import Platform
import Synchronization

/// A bad connection before a good service: each response fails with a probability, the others pass as they are.
package final class FlakyFront: Sendable {
    /// `http://127.0.0.1:port`.
    package var origin: String { server.origin }
    /// How many requests came.
    package var count: Int { dice.count }
    private let server: FaultServer
    private let dice: FaultDice

    /// Starts a front. Silence is among its faults once: it costs the time limit of a request.
    package static func start(
        before service: LoopbackServer, probability: Double, seed: UInt64
    ) throws -> FlakyFront {
        let dice = FaultDice(probability: probability, seed: seed)
        let silence = Mutex(false)
        let port = service.origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let server = try FaultServer.start { arrival in
            let fault = dice.fault(for: arrival.target)
            guard let fault else { return [.send(passed(arrival, to: port))] }
            let isSilent = silence.withLock { wasSilent in
                defer { wasSilent = wasSilent || fault % 8 == 7 }
                return fault % 8 == 7 && !wasSilent
            }
            return isSilent ? [.stall] : steps(fault, arrival, port)
        }
        return FlakyFront(server: server, dice: dice)
    }

    private init(server: FaultServer, dice: FaultDice) {
        self.server = server
        self.dice = dice
    }

    private static func steps(
        _ fault: UInt64, _ arrival: FaultServer.Arrival, _ port: UInt16
    ) -> [FaultServer.Step] {
        switch (fault >> 4) % 15 {
        case 0, 1: [.reset]
        case 2, 3: []
        case 4, 5: [status(500)]
        case 6, 7: [status(503)]
        case 8, 9: [status(429, "Retry-After: 1")]
        case 10...12: [.send(cut(passed(arrival, to: port), fault))]
        default: [.send(cut(passed(arrival, to: port), fault)), .reset]
        }
    }

    private static func status(_ status: Int, _ lines: String...) -> FaultServer.Step {
        let head = ["HTTP/1.1 \(status) Stub", "Content-Length: 2", "Connection: close"] + lines
        return .text(head.joined(separator: "\r\n") + "\r\n\r\n{}")
    }

    /// The response without some of its end, at least a byte of the body.
    private static func cut(_ answer: [UInt8], _ fault: UInt64) -> [UInt8] {
        let body = answer.count - (bodyStart(of: answer) ?? answer.count)
        return answer.dropLast(1 + Int(fault >> 12) % max(body, 1))
    }

    private static func passed(_ arrival: FaultServer.Arrival, to port: UInt16) -> [UInt8] {
        let answer = exchange(Array(arrival.head.utf8), port: port)
        guard let line = answer.firstIndex(of: UInt8(ascii: "\n")) else { return answer }
        return Array(answer[...line]) + Array("Connection: close\r\n".utf8) + answer[(line + 1)...]
    }
}

/// Sends a request to a port of 127.0.0.1 and reads its response by Content-Length.
private func exchange(_ request: [UInt8], port: UInt16) -> [UInt8] {
    guard let peer = connectToLoopback(port) else { return [] }
    defer { close(peer) }
    guard sendAll(request, to: peer) else { return [] }
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        if let start = bodyStart(of: seen), seen.count >= start + contentLength(seen[..<start]) {
            return seen
        }
        let count = recv(peer, &buffer, buffer.count, 0)
        guard count > 0 else { return seen }
        seen += buffer.prefix(count)
    }
}

private func contentLength(_ head: ArraySlice<UInt8>) -> Int {
    let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
    let line = lines.first { $0.hasPrefix("content-length:") }
    return line.flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) } ?? 0
}

/// Where the body begins; nil while the head is not whole.
private func bodyStart(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    return bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
}
