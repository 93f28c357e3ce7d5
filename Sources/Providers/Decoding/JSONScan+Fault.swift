extension JSONScan {
    /// What keeps the bytes from being JSON, or nil.
    static func fault(in bytes: [UInt8]) -> NotJSON? {
        if let early = beforeParsing(bytes) { return early }
        var scan = JSONScan(bytes)
        do {
            try scan.document()
            return nil
        } catch {
            return scan.describe(error)
        }
    }

    private static func beforeParsing(_ bytes: [UInt8]) -> NotJSON? {
        guard let first = bytes.firstIndex(where: { !JSONScan.isBlank($0) }) else { return .empty }
        if bytes[first] == UInt8(ascii: "<") { return .html }
        if let offset = firstInvalidUTF8(bytes) {
            return .notUTF8(at: TextPosition(offset: offset, in: bytes))
        }
        return nil
    }

    private func describe(_ fault: Fault) -> NotJSON {
        let position = TextPosition(offset: offset, in: bytes)
        switch fault {
        case .truncated: return .truncated(at: TextPosition(offset: bytes.count, in: bytes))
        case .tooDeep: return .tooDeep(limit: Self.deepest, at: position)
        case .syntax:
            let rest = bytes[min(offset, bytes.count)...].prefix(80).prefix { $0 != UInt8(ascii: "\n") }
            return .syntax(found: quoted(String(decoding: rest, as: UTF8.self), limit: 20), at: position)
        }
    }
}

/// The offset of the first byte at which the bytes stop being UTF-8, or nil.
private func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
    var iterator = bytes.makeIterator()
    var codec = UTF8()
    var offset = 0
    while true {
        switch codec.decode(&iterator) {
        case .scalarValue(let scalar): offset += UTF8.width(scalar)
        case .emptyInput: return nil
        case .error: return offset
        }
    }
}
