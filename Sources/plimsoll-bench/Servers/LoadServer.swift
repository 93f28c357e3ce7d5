import Foundation
import Platform

/// A small HTTP/1.1 server on loopback with a thread for each kept connection.
struct LoadServer {
    /// A response: header lines without those of length and type, and a body.
    struct Answer {
        var status = "200 OK"
        var headers: [String] = []
        var body: [UInt8]
    }

    /// How long it waits before each response.
    var milliseconds: UInt32 = 0
    /// The response to a request for a path with its query.
    let answer: @Sendable (Substring) -> Answer

    /// Prints the origin and serves until the process is ended.
    func run() throws { try serveConnections(serve) }

    private func serve(_ peer: Int32) {
        while let target = requestTarget(from: peer) {
            usleep(milliseconds * 1_000)
            let answer = answer(target[...])
            let lines =
                ["HTTP/1.1 \(answer.status)", "Content-Type: application/json"] + answer.headers
                + ["Content-Length: \(answer.body.count)", "", ""]
            let bytes = Array(lines.joined(separator: "\r\n").utf8) + answer.body
            guard sendAll(bytes, to: peer) else { return }
        }
    }
}

/// The next request on a connection; nil at its end. A request has no body and comes alone.
private func requestTarget(from peer: Int32) -> String? {
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while !seen.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        let count = recv(peer, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        seen += buffer.prefix(count)
    }
    let words = seen.prefix { $0 != 13 }.split(separator: 32)
    return words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil
}

private func sendAll(_ bytes: [UInt8], to peer: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { cplatform_send(peer, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}
