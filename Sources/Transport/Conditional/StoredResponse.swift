import Foundation

/// A response with what is needed to ask whether it still holds.
struct StoredResponse: Equatable {
    struct Header: Codable, Equatable {
        var name: String
        var value: String
    }

    /// What was asked, free of secrets; see `CacheKey`.
    var key: String
    var headers: [Header]
    var body: [UInt8]

    var entityTag: String? { first("ETag") }
    var lastModified: String? { first("Last-Modified") }

    private func first(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

// MARK: Bytes on disk

extension StoredResponse {
    /// The first line of every file; the number rises when the form changes.
    private static let mark = Array("plimsoll-response 1\n".utf8)

    private struct Head: Codable {
        var key: String
        var headers: [Header]
        var bodyBytes: Int
        var checksum: UInt64
    }

    /// A line that names the form, a line of JSON, the body.
    func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let head = Head(key: key, headers: headers, bodyBytes: body.count, checksum: checksum)
        return Self.mark + (try encoder.encode(head)) + [UInt8(ascii: "\n")] + body
    }

    /// Nil when the bytes are of another form or damaged in any place.
    init?(bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark) else { return nil }
        let rest = bytes[Self.mark.count...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: Data(rest[..<end])),
            rest.endIndex - end - 1 == head.bodyBytes
        else { return nil }
        self.init(key: head.key, headers: head.headers, body: Array(rest[(end + 1)...]))
        guard checksum == head.checksum else { return nil }
    }

    private var checksum: UInt64 {
        let heads = headers.flatMap { [$0.name, $0.value] }
        var sum = ([key] + heads).reduce(fowlerNollVo([])) { fowlerNollVo(Array($1.utf8) + [0], from: $0) }
        sum = fowlerNollVo(body, from: sum)
        return sum
    }
}

/// The 64-bit FNV-1a sum (draft-eastlake-fnv): it finds accidents, and is no proof against a forger.
func fowlerNollVo(_ bytes: [UInt8], from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
