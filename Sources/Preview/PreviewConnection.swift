import Foundation
import Platform

/// One request and its response on a connection.
struct PreviewConnection {
    private let socket: Int32
    private let limits: PreviewLimits

    /// A connection that was taken; the caller closes it.
    init(_ socket: Int32, _ limits: PreviewLimits) {
        (self.socket, self.limits) = (socket, limits)
    }

    /// Reads one request and sends the response of a site.
    func answer(by site: PreviewSite) {
        switch readHead() {
        case .head(let bytes):
            guard let request = PreviewRequest(head: bytes) else {
                return send(site.plain(400, "This is no request that the preview knows.\n"))
            }
            send(site.answer(request))
        case .tooLong: send(site.plain(431, "The request is too long.\n"))
        case .gone: return
        }
    }

    private enum Head {
        case head([UInt8])
        case tooLong
        case gone
    }

    private func readHead() -> Head {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let deadline = now() + limits.milliseconds
        while waits(for: POLLIN, until: deadline) {
            let count = recv(socket, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .gone }
            // The end may lie across two pieces.
            let start = max(0, bytes.count - 3)
            bytes += chunk[..<count]
            if let end = endOfHead(in: bytes, from: start) {
                return end <= limits.bytes ? .head(Array(bytes[..<end])) : .tooLong
            }
            if bytes.count > limits.bytes { return .tooLong }
        }
        return .gone
    }

    private func send(_ response: PreviewResponse) {
        let deadline = now() + limits.milliseconds
        var bytes = response.bytes[...]
        while !bytes.isEmpty, waits(for: POLLOUT, until: deadline) {
            let count = bytes.withUnsafeBytes {
                Platform.send(
                    socket, $0.baseAddress, $0.count,
                    Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
        finish(until: deadline)
    }

    /// Lets the client read the response before what it may still send makes the connection break.
    private func finish(until deadline: Int) {
        shutdown(socket, Int32(SHUT_WR))
        var chunk = [UInt8](repeating: 0, count: 4096)
        var rest = limits.bytes
        while rest > 0, waits(for: POLLIN, until: deadline) {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            rest -= count
        }
    }

    private func waits(for event: Int32, until deadline: Int) -> Bool {
        while true {
            let left = deadline - now()
            guard left > 0 else { return false }
            var wait = pollfd(fd: socket, events: Int16(event), revents: 0)
            let found = poll(&wait, 1, Int32(clamping: left))
            if found < 0, errno == EINTR { continue }
            return found > 0
        }
    }

    private func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

/// The index behind the empty line that ends a head.
private func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in start...(bytes.count - 4) {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A
        {
            return index + 4
        }
    }
    return nil
}

/// What a client asks for, as far as the preview looks at it.
struct PreviewRequest: Equatable {
    let method: String
    /// The path of the address, percent-encoded, without its query; it begins with one slash.
    let path: String
    let host: String?

    /// Reads the head of a request (RFC 9112); nil when it is none.
    init?(head: [UInt8]) {
        guard let text = String(validating: head, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else { return nil }
        method = String(words[0])
        path = "/" + words[1].prefix { $0 != "?" && $0 != "#" }.drop { $0 == "/" }
        let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
        guard hosts.count < 2 else { return nil }
        host = hosts.first.map { $0.dropFirst(5).trimmingCharacters(in: .whitespaces) }
    }
}

/// What the preview answers.
struct PreviewResponse {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// Whether the body is sent, and not its length alone.
    var hasBody = true

    /// As it is sent (RFC 9112).
    var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers + [("Content-Length", "\(body.count)"), ("Connection", "close")] {
            // No value can begin a line of its own.
            head += "\(name): \(value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })\r\n"
        }
        return Array((head + "\r\n").utf8) + (hasBody ? body : [])
    }

    private var reason: String {
        switch status {
        case 200: "OK"
        case 301: "Moved Permanently"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
