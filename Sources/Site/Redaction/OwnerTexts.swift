/// What the owner of a site wrote and its files may repeat, passage by passage.
struct OwnerTexts: Sendable {
    /// The passages that may quote something hidden.
    let passages: Set<String>
    /// Those that were there before whatever they hold was hidden, also ones that are gone.
    let own: Set<String>
    /// The numbers that they write with points between thousands, in passages that were there before too.
    let pointedNumbers: Set<Int>

    init(_ texts: [String], own: Set<String> = []) {
        let all = Set(texts.flatMap(Site.passages))
        passages = all.subtracting(own)
        pointedNumbers = all.reduce(into: []) { $0.formUnion(Site.pointedNumbers(in: $1)) }
        self.own = own
    }

    /// The numbers of the patterns that are quoted: nothing that the owner had written first is.
    func quoted(_ patterns: LeakPatterns) -> Set<Int> {
        let found = numbers(of: patterns, in: passages)
        return found.isEmpty ? [] : found.subtracting(numbers(of: patterns, in: own))
    }
}

/// The numbers of the patterns that are in any of some passages, whether what looks like a tag in them is one or, as in
/// code, is not.
func numbers(of patterns: LeakPatterns, in passages: some Sequence<String>) -> Set<Int> {
    passages.reduce(into: []) { found, passage in
        found.formUnion(patterns.all(in: PlainForm(Array(passage.utf8), .text)))
        if passage.utf8.contains(UInt8(ascii: "<")) {
            found.formUnion(patterns.all(in: PlainForm(of: passage)))
        }
    }
}

/// The numbers with points between thousands in a text, but for shares.
private func pointedNumbers(in text: String) -> [Int] {
    guard text.utf8.contains(where: isDigit) else { return [] }
    return PlainForm(Array(text.utf8), .text).withLetters { letters in
        letters.bytes.indices.compactMap { index in
            guard isDigit(letters.bytes[index]), index == 0 || !isWordByte(letters.bytes[index - 1]),
                let number = PointedNumber(in: letters.bytes, at: index), !number.isShare
            else { return nil }
            return number.value
        }
    }
}

/// The passages of a text: what is between blank lines.
func passages(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .split { $0.allSatisfy(\.isWhitespace) }
        .map { $0.joined(separator: "\n") }
}
