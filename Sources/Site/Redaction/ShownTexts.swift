import Analysis

/// Texts that a site shows although strangers chose them, such as titles of issues, and that look like a count in it:
/// `Lost 437 events while syncing`, `Users: 69`, `Total` at the beginning of a row.
///
/// Only where such a text is, and only where the owner did not write the same, it is none. What the rest of the site
/// says is searched as ever.
struct ShownTexts: Sendable {
    /// A count within a text.
    private struct Place: Sendable {
        let text: [UInt8]
        let range: Range<Int>
    }

    /// By their first digits.
    private var places: [[UInt8]: [Place]] = [:]
    /// Those that are a label and a number.
    private var lines: Set<LabelledLine> = []
    /// Those that are a label.
    private var labels: Set<String> = []

    /// Nothing is shown.
    init() {}

    /// - Parameters:
    ///   - facts: the texts that are shown, and the counts that are not.
    ///   - ownerTexts: what the owner wrote, which may hold counts that are no part of a text of a stranger.
    init(_ facts: SensitiveFacts, ownerTexts: OwnerTexts) {
        let owner = OwnerWords(ownerTexts)
        for text in Set(facts.known.flatMap { [$0] + $0.split(whereSeparator: \.isNewline).map(String.init) })
        {
            if let line = LabelledLine(text[...]), isCount(line.value, under: line.label), !owner.hold(line) {
                lines.insert(line)
            }
            let label = plain(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")[...])
                .lowercased()
            if isCountLabel(label), !owner.hold(label: label) { labels.insert(label) }
            addPlaces(of: text, facts, owner)
        }
    }

    private mutating func addPlaces(of text: String, _ facts: SensitiveFacts, _ owner: OwnerWords) {
        guard text.utf8.contains(where: isDigit) else { return }
        let form = PlainForm(of: text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        form.withLetters { letters in
            let bytes = letters.bytes
            for index in bytes.indices
            where isDigit(bytes[index]) && (index == 0 || !isWordByte(bytes[index - 1])) {
                var ends: [Int] = []
                if let thing = countedThing(in: letters, of: form, at: index),
                    facts.smallCounts.contains(thing.count) || facts.counts.contains(thing.count)
                {
                    ends.append(thing.end)
                }
                let numbers = [NumberForm.text, .mixed].flatMap { number(in: bytes, of: form, at: index, $0) }
                let digits = endOfDigits(in: bytes, at: index)
                if numbers.contains(where: facts.counts.contains) { ends.append(digits) }
                if let pointed = PointedNumber(in: bytes, at: index), facts.counts.contains(pointed.value) {
                    ends.append(pointed.end)
                }
                for end in ends where !owner.hold(letters.small[index..<end]) {
                    places[Array(bytes[index...].prefix(while: isDigit)), default: []].append(
                        Place(text: form.bytes, range: index..<end))
                }
            }
        }
    }

    /// Whether a count of a plain form is part of such a text, which may be cut behind it.
    func hold(_ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !places.isEmpty else { return false }
        let digits = Array(bytes[range.lowerBound...].prefix(while: isDigit))
        return places[digits]?.contains { place in
            let start = range.lowerBound - place.range.lowerBound
            guard start >= 0, start == 0 || !isWordByte(bytes[start - 1]) else { return false }
            let same = zip(bytes[start...], place.text).prefix { $0 == $1 }.count
            let end = start + same
            guard same >= place.range.upperBound, end >= range.upperBound else { return false }
            return same == place.text.count
                ? end == bytes.count || !isWordByte(bytes[end]) : bytes[end...].starts(with: "...".utf8)
        } == true
    }

    /// Whether a value under a label is such a text: a whole line, or the row of a text that is a label.
    func hold(_ value: LabelledValue) -> Bool {
        switch value.place {
        case .line: lines.contains(LabelledLine(label: value.label, value: value.value))
        case .row(let heading):
            namingHeadings.contains(heading.lowercased())
                && labels.contains(plain(value.label[...]).lowercased())
        case .other: false
        }
    }
}

/// The headings of columns whose cells are names that others chose, in lower case.
private let namingHeadings: Set = ["app", "device", "group", "issue", "name", "release"]

/// The index behind digits and commas.
private func endOfDigits(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    bytes[start...].firstIndex { !isDigit($0) && $0 != UInt8(ascii: ",") } ?? bytes.count
}

/// What an owner wrote, as counts in it may be written.
private struct OwnerWords {
    private var plain: [[UInt8]] = []
    private var lines: Set<LabelledLine> = []
    private var rows = ""

    init(_ texts: OwnerTexts) {
        for passage in texts.passages.union(texts.own) {
            plain.append(PlainForm(Array(passage.utf8), .text).small)
            plain.append(PlainForm(of: passage).small)
            for line in passage.split(whereSeparator: \.isNewline) {
                if let line = LabelledLine(line) { lines.insert(line) }
                if line.contains("|") || line.contains("<t") { rows += line.lowercased() + "\n" }
            }
        }
    }

    func hold(_ words: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        plain.contains { text in
            text.indices.contains { text[$0] == words.first && text[$0...].starts(with: words) }
        }
    }

    func hold(_ line: LabelledLine) -> Bool { lines.contains(line) }

    /// Whether a row of a table of the owner's may begin with a label.
    func hold(label: String) -> Bool { rows.contains(label) }
}
