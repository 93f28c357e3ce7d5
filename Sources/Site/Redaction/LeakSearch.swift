package import Analysis

/// Finds texts and counts that must not stand in a file, in one pass over its plain form.
///
/// Counts are found by reading every number, those that mean nothing alone only where a word next to them says what was
/// counted.
package struct LeakSearch: Sendable {
    private let patterns: LeakPatterns
    private let counts: Set<Int>
    private let smallCounts: Set<Int>
    /// The counts that the owner wrote with points between thousands: elsewhere such a number is a fraction.
    private let pointedCounts: Set<Int>
    /// What the program and its theme say, in small letters.
    private let ownText: String
    /// What is shown although a stranger chose it.
    let shown: ShownTexts

    /// - Parameters:
    ///   - facts: what must not stand in a file.
    ///   - ownText: what the program and its theme say on every site; a text in it is no secret.
    ///   - ownerTexts: what the owner wrote and every file may repeat. What strangers chose is looked for in the files
    ///     only where these quote it: otherwise anyone could keep a site from being built by sending an event that is
    ///     called `2026-11-19`, or whatever else its pages say by themselves. Nil looks for everything.
    init(_ facts: SensitiveFacts, ownText: String, ownerTexts: OwnerTexts? = nil) {
        let all = LeakPatterns(facts, ownText: ownText)
        let quoted = ownerTexts?.quoted(all)
        patterns = LeakPatterns(
            all.filter { number, pattern in
                !pattern.fact.rule.isOfStrangers || quoted?.contains(number) ?? true
            })
        (counts, smallCounts, self.ownText) = (facts.counts, facts.smallCounts, ownText.lowercased())
        pointedCounts = ownerTexts?.pointedNumbers.intersection(facts.counts) ?? []
        shown = ownerTexts.map { ShownTexts(facts, ownerTexts: $0) } ?? ShownTexts()
    }

    /// The first thing in a file that must not stand there; nil when the file is clean.
    ///
    /// - Parameter form: how numbers are written in it.
    func leak(in bytes: [UInt8], _ form: NumberForm) -> Leak? {
        let file = PlainForm(bytes, form)
        return file.withLetters { letters in
            let bytes = letters.bytes
            var isInTag = false
            for index in bytes.indices {
                if bytes[index] == PlainForm.tagStart { isInTag = true }
                if bytes[index] == PlainForm.tagEnd { isInTag = false }
                if let number = patterns.first(in: letters, at: index) {
                    return Leak(patterns[number].fact, line: file.line(of: index))
                }
                guard hasCounts, isDigit(bytes[index]), index == 0 || !isWordByte(bytes[index - 1]) else {
                    continue
                }
                if let count = number(in: bytes, of: file, at: index, form, isInTag: isInTag).first(
                    where: counts.contains), !shown.hold(index..<(index + 1), of: bytes)
                {
                    return Leak(SensitiveText(.count, "\(count)", app: nil), line: file.line(of: index))
                }
                if form.isText, let pointed = PointedNumber(in: bytes, at: index), !pointed.isShare,
                    pointedCounts.contains(pointed.value), !shown.hold(index..<(index + 1), of: bytes)
                {
                    return Leak(
                        SensitiveText(.count, "\(pointed.value)", app: nil), line: file.line(of: index))
                }
                if let thing = countedThing(in: letters, of: file, at: index),
                    smallCounts.contains(thing.count) || counts.contains(thing.count),
                    !ownText.contains(thing.text),
                    !shown.hold(index..<thing.end, of: bytes)
                {
                    return Leak(SensitiveText(.count, thing.text, app: nil), line: file.line(of: index))
                }
            }
            return nil
        }
    }

    private var hasCounts: Bool { !counts.isEmpty || !smallCounts.isEmpty }
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
