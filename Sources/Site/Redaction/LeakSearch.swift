package import Analysis

/// Finds texts and counts that must not stand in a file, in one pass over its bytes.
///
/// Texts are found by a filter of their first three bytes and a table of their first eight (or three); counts by
/// reading every number, those that mean nothing alone only where a word next to them says what was counted.
package struct LeakSearch: Sendable {
    private let patterns: [LeakPattern]
    private let filter: [UInt64]
    private let long: [UInt64: [Int]]
    private let short: [UInt64: [Int]]
    private let counts: Set<Int>
    private let smallCounts: Set<Int>
    private let ownText: String

    /// - Parameters:
    ///   - facts: what must not stand in a file.
    ///   - ownText: what the program and its theme say on every site; a text in it is no secret.
    init(_ facts: SensitiveFacts, ownText: String) {
        let sorted = facts.texts.sorted {
            ($0.text, $0.rule.rawValue, $0.app ?? "") < ($1.text, $1.rule.rawValue, $1.app ?? "")
        }
        let secret = sorted.filter { fact in
            !ownText.contains(fact.text) && !facts.known.contains { $0.contains(fact.text) }
        }
        var seen: Set<[UInt8]> = []
        patterns = secret.flatMap(LeakPattern.patterns).filter { seen.insert($0.bytes).inserted }
        var filter = [UInt64](repeating: 0, count: 1 << 18)
        var (long, short): ([UInt64: [Int]], [UInt64: [Int]]) = ([:], [:])
        for (index, pattern) in patterns.enumerated() {
            let key = pattern.bytes.withUnsafeBufferPointer { word($0, at: 0, count: min(8, $0.count)) }
            let start = Int(key & 0xFF_FFFF)
            filter[start >> 6] |= 1 << UInt64(start & 63)
            if pattern.bytes.count >= 8 {
                long[key, default: []].append(index)
            } else {
                short[key & 0xFF_FFFF, default: []].append(index)
            }
        }
        (self.filter, self.long, self.short, self.counts) = (filter, long, short, facts.counts)
        (smallCounts, self.ownText) = (facts.smallCounts, ownText)
    }

    /// The first thing in a file that must not stand there; nil when the file is clean.
    ///
    /// - Parameter form: how numbers are written in it.
    func leak(in bytes: [UInt8], _ form: NumberForm) -> Leak? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                if let pattern = pattern(in: bytes, at: index) {
                    return Leak(pattern.fact, line: line(of: index, in: bytes))
                }
                guard hasCounts, isDigit(bytes[index]) else {
                    index += 1
                    continue
                }
                if index > 0, isDigit(bytes[index - 1]) {
                    index += 1
                    continue
                }
                if let count = number(in: bytes, at: index, form).first(where: counts.contains) {
                    return Leak(
                        SensitiveText(.count, "\(count)", app: nil), line: line(of: index, in: bytes))
                }
                if let thing = countedThing(in: bytes, at: index), smallCounts.contains(thing.count),
                    !ownText.contains(thing.text)
                {
                    return Leak(
                        SensitiveText(.count, thing.text, app: nil), line: line(of: index, in: bytes))
                }
                index += 1
            }
            return nil
        }
    }

    private var hasCounts: Bool { !counts.isEmpty || !smallCounts.isEmpty }

    private func pattern(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> LeakPattern? {
        guard index + 3 <= bytes.count else { return nil }
        let start = Int(word(bytes, at: index, count: 3))
        guard filter[start >> 6] & (1 << UInt64(start & 63)) != 0 else { return nil }
        let candidates =
            (short[UInt64(start)] ?? [])
            + (index + 8 <= bytes.count ? long[word(bytes, at: index, count: 8)] ?? [] : [])
        return candidates.lazy.map { patterns[$0] }.first { $0.occurs(in: bytes, at: index) }
    }
}

/// Something in a file that must not stand there.
package struct Leak: Hashable, Sendable {
    /// What it is.
    package let fact: SensitiveText
    /// The line of the file, from 1.
    package let line: Int

    init(_ fact: SensitiveText, line: Int) {
        (self.fact, self.line) = (fact, line)
    }
}

/// Up to eight bytes as a number, the first one lowest.
private func word(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, count: Int) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<count { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
    return word
}

private func line(of index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes[..<index].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
}
