import Analysis
import Diagnostics
import Markup

/// A part of a text that must not be shown, in its plain form.
struct LeakPattern: Sendable {
    /// What is looked for, at least three bytes.
    let bytes: [UInt8]
    /// The same in small letters.
    private let small: [UInt8]
    /// Whether letters and digits next to it make it another word.
    let isWord: Bool
    /// Whether capitals make it another text: those of names do, as many a name is a word too.
    let isExact: Bool
    /// What it is.
    let fact: SensitiveText

    /// Long texts are looked for by parts of so many characters, as a chart or a summary may cut them, and a person may
    /// quote the middle of them.
    private static let longest = 40
    /// Not more parts than this of one text.
    private static let mostParts = 24
    /// Shorter texts, and names of files and people, must stand alone as words.
    private static let leastAnywhere = 12

    /// What to look for of a text; nothing when it is too short to be distinguished from ordinary words.
    static func patterns(of fact: SensitiveText) -> [LeakPattern] {
        let rendered = fact.rule == .note ? [plainText(fromCommonMark: fact.text)[...]] : []
        return (fact.text.split(whereSeparator: \.isNewline) + rendered).flatMap { line in
            parts(of: line.drop(while: \.isWhitespace)).compactMap { part -> LeakPattern? in
                guard isSearchable(part, fact.rule) else { return nil }
                let isName = [.codePlace, .name, .issueID].contains(fact.rule) && part.count < longest
                let form = PlainForm(of: part)
                return LeakPattern(
                    bytes: form.bytes, small: form.small, isWord: isName || part.utf8.count < leastAnywhere,
                    isExact: fact.rule == .name, fact: fact)
            }
        }.flatMap { [$0] + $0.withoutTags }.filter { $0.bytes.count >= 3 }
    }

    /// The same as it is where `Cache<U>` is read as HTML, in which such tags vanish; nothing when it has none.
    private var withoutTags: [LeakPattern] {
        guard bytes.contains(PlainForm.tagStart) else { return [] }
        let form = PlainForm(Array(markedText.utf8), .text)
        guard form.bytes != bytes, isSearchable(String(decoding: form.bytes, as: UTF8.self), fact.rule) else {
            return []
        }
        return [
            LeakPattern(bytes: form.bytes, small: form.small, isWord: isWord, isExact: isExact, fact: fact)
        ]
    }

    private var markedText: String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1}", with: "<").replacing("\u{2}", with: ">")
    }

    /// The beginning, and then one part after the other; the last one reaches back, so that it is as long as the others.
    private static func parts(of line: Substring) -> [String] {
        guard line.count > longest else { return [String(line)] }
        let characters = Array(line)
        let last = characters.count - longest
        let starts = Array(stride(from: 0, to: last, by: longest).prefix(mostParts)) + [last]
        return starts.map { String(characters[$0..<($0 + longest)]) }
    }

    /// Whether it is in a plain form at an index.
    func occurs(in file: Letters, at index: Int) -> Bool {
        guard index + bytes.count <= file.bytes.count else { return false }
        for offset in bytes.indices {
            let isSame =
                isExact
                ? file.bytes[index + offset] == bytes[offset] : file.small[index + offset] == small[offset]
            guard isSame else { return false }
        }
        guard isWord else { return true }
        let end = index + bytes.count
        return (index == 0 || !isWordByte(file.bytes[index - 1]))
            && (end == file.bytes.count || !isWordByte(file.bytes[end]))
    }

    /// Up to eight of its first bytes as a number.
    fileprivate func key(_ count: Int) -> UInt64 {
        small.withUnsafeBufferPointer { word($0, at: 0, count: min(count, $0.count)) }
    }
}

/// The bytes of a plain form, as they are and in small letters.
struct Letters {
    let bytes: UnsafeBufferPointer<UInt8>
    let small: UnsafeBufferPointer<UInt8>
}

extension PlainForm {
    /// Gives access to the bytes.
    func withLetters<Value>(_ work: (Letters) -> Value) -> Value {
        bytes.withUnsafeBufferPointer { bytes in
            small.withUnsafeBufferPointer { work(Letters(bytes: bytes, small: $0)) }
        }
    }
}

/// Names of people are short; of the others, a single short word may stand in any sentence.
private func isSearchable(_ text: String, _ rule: RedactionRule) -> Bool {
    switch rule {
    case .name: text.utf8.count >= 3 && !calendarWords.contains(text)
    case .codePlace: text.utf8.count >= 5 && text.contains(".")
    case .issueID:
        text.utf8.count >= 6 && !text.allSatisfy(\.isLetter) && Int(text).map { $0 > 99_999_999 } ?? true
    default: text.utf8.count >= 12 || (text.utf8.count >= 6 && !text.allSatisfy(\.isLetter))
    }
}

func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 97 && byte | 0x20 <= 122) || byte >= 0x80 || byte == UInt8(ascii: "_")
}

/// Words of dates that are names of people too.
private let calendarWords: Set = ["April", "May", "June", "Jun", "Jan", "August", "Sun", "Mar"]

extension RedactionRule {
    /// Whether anyone who can send an event to a service, or comment there, chooses these texts: people are called
    /// `Friday` or `Release Verdict` too. The program takes them out of what it makes pages from; they get into a page
    /// only where the owner quotes them.
    var isOfStrangers: Bool { [.title, .codePlace, .issueID, .link, .diagnostic, .name].contains(self) }
}

/// Patterns, found in one pass: by a filter of their first three bytes and a table of their first eight (or three).
struct LeakPatterns: Sendable {
    private let patterns: [LeakPattern]
    private let filter: [UInt64]
    private let long: [UInt64: [Int]]
    private let short: [UInt64: [Int]]

    init(_ patterns: [LeakPattern]) {
        var filter = [UInt64](repeating: 0, count: 1 << 18)
        var (long, short): ([UInt64: [Int]], [UInt64: [Int]]) = ([:], [:])
        for (index, pattern) in patterns.enumerated() {
            let key = pattern.key(8)
            let start = Int(key & 0xFF_FFFF)
            filter[start >> 6] |= 1 << UInt64(start & 63)
            if pattern.bytes.count >= 8 {
                long[key, default: []].append(index)
            } else {
                short[key & 0xFF_FFFF, default: []].append(index)
            }
        }
        (self.patterns, self.filter, self.long, self.short) = (patterns, filter, long, short)
    }

    /// The pattern of a number.
    subscript(number: Int) -> LeakPattern { patterns[number] }

    /// The first pattern at an index that is none of some.
    func first(in file: Letters, at index: Int, except ignored: Set<Int> = []) -> Int? {
        let letters = file.small
        guard index + 3 <= letters.count else { return nil }
        let start = Int(word(letters, at: index, count: 3))
        guard filter[start >> 6] & (1 << UInt64(start & 63)) != 0 else { return nil }
        let candidates =
            (short[UInt64(start)] ?? [])
            + (index + 8 <= letters.count ? long[word(letters, at: index, count: 8)] ?? [] : [])
        return candidates.first { !ignored.contains($0) && patterns[$0].occurs(in: file, at: index) }
    }

    /// The numbers of all patterns that are somewhere in a plain form.
    func all(in form: PlainForm) -> Set<Int> {
        form.withLetters { letters in
            var found: Set<Int> = []
            for index in letters.bytes.indices {
                while let one = first(in: letters, at: index, except: found) { found.insert(one) }
            }
            return found
        }
    }

    /// The patterns whose numbers meet a condition.
    func filter(_ isKept: (Int, LeakPattern) -> Bool) -> [LeakPattern] {
        patterns.enumerated().filter { isKept($0.offset, $0.element) }.map(\.element)
    }
}

extension LeakPatterns {
    /// What to look for of facts.
    ///
    /// - Parameter ownText: what the program and its theme say on every site; a text in it is no secret.
    init(_ facts: SensitiveFacts, ownText: String) {
        let sorted = facts.texts.sorted {
            ($0.text, $0.rule.rawValue, $0.app ?? "") < ($1.text, $1.rule.rawValue, $1.app ?? "")
        }
        let all = LeakPatterns(sorted.flatMap(LeakPattern.patterns).uniqued(by: \.bytes))
        let known = facts.known.sorted().joined(separator: "\n")
        let open = all.all(in: PlainForm(Array(ownText.utf8), .text)).union(all.all(in: PlainForm(of: known)))
        self.init(all.filter { number, _ in !open.contains(number) })
    }
}

/// Up to eight bytes as a number, the first one lowest.
private func word(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, count: Int) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<count { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
    return word
}
