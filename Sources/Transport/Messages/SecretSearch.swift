/// Finds secrets in bytes: as they are, in base64 wherever they are in what was encoded, and all of it with the escapes of
/// URLs, JSON and HTML, in upper and lower case and also twice over.
struct SecretSearch {
    private let needles: Set<SecretForm>
    /// The longest secret, in bytes of a text.
    let reach: Int

    /// - Parameter least: forms of fewer bytes are not searched for.
    init(_ secrets: Set<Secret>, least: Int = 1) {
        needles = Set(secrets.flatMap(SecretForm.all).filter { $0.bytes.count >= least })
        reach = (needles.map(\.bytes.count).max() ?? 0) * EscapedText.longest
    }

    /// The parts that are secrets, from the first to the last; none overlaps another.
    func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        guard !needles.isEmpty else { return [] }
        let found = unsafe bytes.withUnsafeBufferPointer { unsafe ranges(in: EscapedText($0)) }
        var merged: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private func ranges(in text: EscapedText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for needle in needles {
            guard let first = needle.bytes.first else { continue }
            forEach(first, in: text) { place in
                if let range = needle.range(in: text, at: place) { found.append(range) }
            }
        }
        var isFirst = [Bool](repeating: false, count: 256)
        for needle in needles { if let first = needle.bytes.first { isFirst[Int(first)] = true } }
        for sign in EscapedText.signs {
            forEach(sign, in: text) { place in
                // Most escapes are of characters that no secret begins with.
                guard text.canBeginEscape(at: place) else { return }
                let canBegin = EscapedText.depths.contains { times in
                    let unit = text.unit(at: place, undone: times)
                    return (unit?.byte ?? unit?.bytes.first).map { isFirst[Int($0)] } ?? false
                }
                for needle in needles where canBegin {
                    if let range = needle.range(in: text, at: place) { found.append(range) }
                }
            }
        }
        return found
    }

    private func forEach(_ byte: UInt8, in text: EscapedText, _ body: (Int) -> Void) {
        var start = 0
        while let place = text.next(byte, from: start) {
            body(place)
            start = place + 1
        }
    }
}

/// One way to write a secret.
private struct SecretForm: Hashable {
    let bytes: [UInt8]
    var isBase64 = false
    /// Whether the character of base64 before it, or behind it, has bits of the secret and others.
    var sharesFirst = false, sharesLast = false

    /// Shorter ones have forms in base64 that are parts of ordinary words.
    private static let leastInBase64 = 4

    static func all(of secret: Secret) -> [SecretForm] {
        let text = Array(secret.text.utf8)
        // Forms write a space as `+`.
        let plain = [SecretForm(bytes: text), SecretForm(bytes: text.map { $0 == 0x20 ? 0x2B : $0 })]
        return text.count < leastInBase64 ? plain : plain + (0...2).flatMap { base64(text, behind: $0) }
    }

    /// The characters of base64 that are of the secret alone where so many bytes of three are before it, in both alphabets.
    private static func base64(_ text: [UInt8], behind count: Int) -> [SecretForm] {
        let all = base64Text(Array(repeating: 0, count: count) + text)
        let shared = [0, 2, 3][count]
        let endsWithin = !((count + text.count) * 8).isMultiple(of: 6)
        return [all, all.replacing("+", with: "-").replacing("/", with: "_")].map {
            SecretForm(
                bytes: Array($0.utf8.dropFirst(shared)), isBase64: true, sharesFirst: count > 0,
                sharesLast: endsWithin)
        }
    }

    /// The part of a text from a place on that is this form, with all characters that have bits of it; nil for none.
    func range(in text: EscapedText, at start: Int) -> Range<Int>? {
        guard let (end, times) = end(in: text, at: start) else { return nil }
        var range = start..<(isBase64 ? endOfBase64(in: text, from: end, undone: times) : end)
        if sharesFirst { range = startOfLetter(in: text, before: start)..<range.upperBound }
        // Half an escape would break the text that it is in.
        let backslashes = (0..<range.lowerBound).reversed().prefix { text[$0] == UInt8(ascii: "\\") }.count
        return range.lowerBound - backslashes % 2..<range.upperBound
    }

    /// Where it ends, and how many times escapes are undone for it.
    private func end(in text: EscapedText, at start: Int) -> (end: Int, times: Int)? {
        var (equal, index, hasSign) = (0, start, false)
        while index < text.count, equal < bytes.count {
            hasSign = hasSign || isSign(text[index])
            guard text[index] == bytes[equal] else { break }
            (equal, index) = (equal + 1, index + 1)
        }
        var longest = equal == bytes.count ? (end: index, times: 0) : nil
        // Without a sign up to the first difference it is nothing else either.
        guard hasSign else { return longest }
        for times in EscapedText.depths {
            if let end = end(in: text, at: start, undone: times), end > longest?.end ?? 0 {
                longest = (end, times)
            }
        }
        return longest
    }

    private func end(in text: EscapedText, at start: Int, undone times: Int) -> Int? {
        var (index, rest) = (start, bytes[...])
        while !rest.isEmpty {
            guard let unit = text.unit(at: index, undone: times) else { return nil }
            index = unit.next
            if let byte = unit.byte {
                guard rest.popFirst() == byte else { return nil }
            } else {
                let part = unit.bytes
                guard !part.isEmpty, rest.starts(with: part) else { return nil }
                rest = rest.dropFirst(part.count)
            }
        }
        return index
    }

    private func endOfBase64(in text: EscapedText, from end: Int, undone times: Int) -> Int {
        var end = end
        if sharesLast, let unit = text.unit(at: end, undone: times), isLetterOfBase64(unit) {
            end = unit.next
        }
        for _ in 0..<2 {
            guard let unit = text.unit(at: end, undone: times), unit.is("=") else { break }
            end = unit.next
        }
        return end
    }

    /// Where the character of base64 before a place begins; the place itself where there is none.
    private func startOfLetter(in text: EscapedText, before end: Int) -> Int {
        // `\/`, `%2B`, `%252B`, `\u002B`, `\\u002B`.
        for length in [2, 3, 5, 6, 7] where end >= length && isSign(text[end - length]) {
            for times in EscapedText.depths {
                if let unit = text.unit(at: end - length, undone: times), unit.next == end,
                    isLetterOfBase64(unit)
                {
                    return end - length
                }
            }
        }
        guard end > 0, let unit = text.unit(at: end - 1, undone: 0), isLetterOfBase64(unit) else {
            return end
        }
        return end - 1
    }
}

private func isLetterOfBase64(_ unit: EscapedText.Unit) -> Bool {
    switch unit.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: unit.is("+") || unit.is("/") || unit.is("-") || unit.is("_")
    }
}

/// Base64 (RFC 4648) without its padding, and without the last character when it depends on what follows.
private func base64Text(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    var (buffer, bits) = (UInt32(0), 0)
    for byte in bytes {
        buffer = buffer << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
            bits -= 6
            result.append(letters[Int(buffer >> UInt32(bits)) & 63])
        }
        buffer &= (1 << UInt32(bits)) - 1
    }
    return String(decoding: result, as: UTF8.self)
}
