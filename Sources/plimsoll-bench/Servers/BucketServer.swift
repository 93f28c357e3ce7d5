import Foundation
import Platform
import Synchronization

/// A bucket in memory on loopback with as much of S3 as three programs need to publish to it. It keeps sizes, digests
/// and dates, no bytes, and checks no signature: what is measured is the programs.
final class BucketServer: Sendable {
    private struct Object: Sendable {
        var size: Int
        var tag: String
        var headers: [String]
        /// Kept for the manifest alone, which is read again.
        var body: [UInt8]?
        let time = time_t(Date().timeIntervalSince1970)
    }

    /// One request.
    private struct Asked {
        var method: String
        var path: String
        var query: [String: String]
        var headers: [String: String]
        var body: [UInt8]
    }

    private let objects = Mutex<[String: Object]>([:])
    private let count = Mutex(0)

    /// Prints the origin and serves until the process is ended.
    func run() throws {
        try serveConnections { [self] peer in
            var stream = ByteStream(peer)
            while let asked = read(&stream) { guard answer(asked, peer) else { break } }
        }
    }

    // MARK: Requests

    private func read(_ stream: inout ByteStream) -> Asked? {
        guard let head = stream.head() else { return nil }
        let lines = head.split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] =
                parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        if headers["expect"]?.lowercased() == "100-continue" {
            _ = send("HTTP/1.1 100 Continue\r\n\r\n", [], to: stream.peer)
        }
        let isChunked = headers["transfer-encoding"]?.lowercased() == "chunked"
        guard
            let body = isChunked ? stream.chunks() : stream.bytes(Int(headers["content-length"] ?? "0") ?? 0)
        else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        var query: [String: String] = [:]
        for item in (target.count > 1 ? target[1] : "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map {
                String($0).removingPercentEncoding ?? ""
            }
            query[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return Asked(
            method: words[0], path: target[0].removingPercentEncoding ?? "", query: query, headers: headers,
            body: body)
    }

    private func answer(_ asked: Asked, _ peer: Int32) -> Bool {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let key = asked.path.split(separator: "/", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        switch asked.method {
        case "GET" where asked.path == "/requests": return send("200 OK", [], Array("\(number)".utf8), peer)
        case "GET" where key.isEmpty: return send("200 OK", [], list(asked.query), peer)
        case "GET", "HEAD":
            guard let object = objects.withLock({ $0[key] }) else {
                let text = "<Error><Code>NoSuchKey</Code></Error>"
                return send("404 Not Found", [], asked.method == "HEAD" ? [] : Array(text.utf8), peer)
            }
            let body = asked.method == "HEAD" ? [] : object.body ?? [UInt8](repeating: 32, count: object.size)
            return send(
                "200 OK", facts(object) + object.headers, body, peer,
                length: asked.method == "HEAD" ? object.size : nil)
        case "PUT" where !key.isEmpty:
            let digest = asked.headers["content-md5"].flatMap { Data(base64Encoded: $0) }
            let tag = digest?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() ?? "0\(number)"
            let kept = asked.headers.filter { $0.key.hasPrefix("x-amz-meta-") || $0.key == "content-type" }
            let object = Object(
                size: asked.body.count, tag: "\"\(tag)\"", headers: kept.map { "\($0.key): \($0.value)" },
                body: key.hasSuffix(".plimsoll-publication.json") ? asked.body : nil)
            objects.withLock { $0[key] = object }
            return send("200 OK", ["ETag: \(object.tag)"], [], peer)
        case "POST":
            let text = String(decoding: asked.body, as: UTF8.self)
            objects.withLock { objects in
                for match in text.matches(of: /<Key>([^<]*)<\/Key>/) { objects[String(match.1)] = nil }
            }
            return send("200 OK", [], Array("<DeleteResult></DeleteResult>".utf8), peer)
        case "DELETE":
            objects.withLock { $0[key] = nil }
            return send("204 No Content", [], [], peer)
        default: return send("200 OK", [], [], peer)
        }
    }

    /// Both versions of the list, a thousand keys a page.
    private func list(_ query: [String: String]) -> [UInt8] {
        if query["location"] != nil { return Array("<LocationConstraint/>".utf8) }
        let after = query["continuation-token"] ?? query["marker"] ?? query["start-after"] ?? ""
        let prefix = query["prefix"] ?? ""
        let found = objects.withLock { $0.filter { $0.key > after && $0.key.hasPrefix(prefix) } }
        let keys = found.keys.sorted()
        let page = keys.prefix(Int(query["max-keys"] ?? "") ?? 1000)
        let isURL = query["encoding-type"] == "url"
        let lines = page.map { key in
            let object = found[key]
            let name = isURL ? key.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? key : key
            let date = object.map { text(of: $0.time, "%Y-%m-%dT%H:%M:%S.000Z") } ?? ""
            return
                "<Contents><Key>\(name)</Key><LastModified>\(date)</LastModified><ETag>\(object?.tag ?? "")</ETag><Size>\(object?.size ?? 0)</Size><StorageClass>STANDARD</StorageClass></Contents>"
        }
        let isCut = page.count < keys.count
        let next = isCut ? page.last ?? "" : ""
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bench</Name><Prefix>\(prefix)</Prefix><KeyCount>\(page.count)</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>\(isCut)</IsTruncated>\(isURL ? "<EncodingType>url</EncodingType>" : "")<NextContinuationToken>\(next)</NextContinuationToken><NextMarker>\(next)</NextMarker>\(lines.joined())</ListBucketResult>
            """.utf8)
    }

    // MARK: Answers

    private func facts(_ object: Object) -> [String] {
        let date = text(of: object.time, "%a, %d %b %Y %H:%M:%S GMT")
        return ["ETag: \(object.tag)", "Last-Modified: \(date)"]
    }

    private func send(
        _ status: String, _ headers: [String], _ body: [UInt8], _ peer: Int32, length: Int? = nil
    ) -> Bool {
        let lines =
            ["HTTP/1.1 \(status)", "Content-Type: application/xml"]
            + headers.filter { !$0.hasPrefix("content-type") } + [
                "Content-Length: \(length ?? body.count)", "", "",
            ]
        return send(lines.joined(separator: "\r\n"), body, to: peer)
    }

    private func send(_ head: String, _ body: [UInt8], to peer: Int32) -> Bool {
        var rest = (Array(head.utf8) + body)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                cplatform_send(peer, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// An instant in UTC.
private func text(of time: time_t, _ format: String) -> String {
    var (time, parts) = (time, tm())
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The bytes of one connection, with what was read of them and not yet used.
private struct ByteStream {
    let peer: Int32
    private var seen: [UInt8] = []

    init(_ peer: Int32) { self.peer = peer }

    /// Up to the empty line that ends a head.
    mutating func head() -> String? {
        var from = 0
        while true {
            if let end = firstLineEnd(after: from) {
                let text = String(decoding: seen[..<end], as: UTF8.self)
                seen.removeFirst(end + 4)
                return text
            }
            from = max(0, seen.count - 3)
            guard more() else { return nil }
        }
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        while seen.count < count { guard more() else { return nil } }
        let bytes = Array(seen[..<count])
        seen.removeFirst(count)
        return bytes
    }

    mutating func chunks() -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let size = line().flatMap({ Int($0.prefix { $0 != ";" }, radix: 16) }) else { return nil }
            guard let chunk = bytes(size + 2) else { return nil }
            if size == 0 { return body }
            body += chunk.dropLast(2)
        }
    }

    private mutating func line() -> String? {
        while true {
            if let end = seen.firstIndex(of: 10) {
                let text = String(decoding: seen[..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
                seen.removeFirst(end + 1)
                return text.trimmingCharacters(in: .newlines)
            }
            guard more() else { return nil }
        }
    }

    private func firstLineEnd(after from: Int) -> Int? {
        guard seen.count >= 4 else { return nil }
        return (from...(seen.count - 4)).first {
            seen[$0] == 13 && seen[$0 + 1] == 10 && seen[$0 + 2] == 13 && seen[$0 + 3] == 10
        }
    }

    private mutating func more() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(peer, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        seen += buffer.prefix(count)
        return true
    }
}
