import Foundation

/// A JSON text that was scanned once: its bytes, its tokens, and what is lost while values are made from it.
///
/// A value is named by the number of its token; that of the whole is 0.
final class JSONTape {
    /// The text in UTF-8.
    let bytes: [UInt8]
    let tokens: [JSONToken]
    let log = LossLog(limit: Losses.most)

    /// Scans UTF-8.
    init(_ bytes: [UInt8]) throws(JSONScan.Fault) {
        var scan = JSONScan(bytes)
        try scan.document()
        self.bytes = bytes
        tokens = scan.tokens
    }

    /// The way from the whole to a value.
    func path(_ index: Int) -> [any CodingKey] {
        var path: [AnyKey] = []
        var index = index
        while index > 0 {
            let (parent, place) = (Int(tokens[index].parent), Int(tokens[index].place))
            if tokens[parent].kind == .object {
                path.append(AnyKey(stringValue: text(index - 1) ?? "\u{FFFD}", intValue: nil))
            } else {
                path.append(AnyKey(stringValue: String(place), intValue: place))
            }
            index = parent
        }
        return path.reversed()
    }
}

// MARK: Members

extension JSONTape {
    /// The value that an object has for a key; of two with the same key the first.
    func member(_ key: String, of object: Int) -> Int? {
        var key = key
        return key.withUTF8 { wanted in
            var index = object + 1
            let end = Int(tokens[object].next)
            while index < end {
                if isText(index, wanted) { return index + 1 }
                index = Int(tokens[index + 1].next)
            }
            return nil
        }
    }

    private func isText(_ index: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tokens[index]
        guard token.isPlain else { return text(index)?.utf8.elementsEqual(wanted) == true }
        let start = Int(token.start)
        guard Int(token.end) - start == wanted.count else { return false }
        for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
        return true
    }

    /// The members of an object in their order: the token of each key with that of its value.
    func members(of object: Int) -> some Sequence<(key: Int, value: Int)> {
        sequence(state: object + 1) { [self] index in
            guard index < Int(tokens[object].next) else { return nil }
            defer { index = Int(tokens[index + 1].next) }
            return (index, index + 1)
        }
    }
}

// MARK: Texts

extension JSONTape {
    /// The text or the key; nil when it is not UTF-8, has a control character or an escape that means nothing.
    func text(_ index: Int) -> String? {
        let token = tokens[index]
        return bytes.withUnsafeBufferPointer { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[token.range])
            return token.isPlain ? String(validating: part, as: UTF8.self) : unescapedJSON(part)
        }
    }
}
