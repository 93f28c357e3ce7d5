/// A number with the word behind it that says what was counted, such as `1,204 users`.
struct CountPhrase {
    let count: Int
    /// Number and word as they are written.
    let text: String
}

/// What is counted by the digits from an index on; nil for other numbers and for parts of fractions.
func countedThing(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> CountPhrase? {
    if start > 1, bytes[start - 1] == UInt8(ascii: ".") || bytes[start - 1] == UInt8(ascii: ","),
        isDigit(bytes[start - 2])
    {
        return nil
    }
    var (index, count) = (start, 0)
    while index < bytes.count, index - start < 20 {
        if isDigit(bytes[index]) {
            count = count &* 10 &+ Int(bytes[index] - 48)
        } else if bytes[index] != UInt8(ascii: ",") || index + 1 == bytes.count || !isDigit(bytes[index + 1])
        {
            break
        }
        index += 1
    }
    guard let word = endOfSpace(in: bytes, at: index).flatMap({ countedWord(in: bytes, at: $0) }) else {
        return nil
    }
    return CountPhrase(
        count: count, text: String(decoding: bytes[start..<index], as: UTF8.self) + " " + word)
}

/// The index behind one space, whether it may break or not; nil where there is none.
private func endOfSpace(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    if index < bytes.count, bytes[index] == 0x20 { return index + 1 }
    if index + 1 < bytes.count, bytes[index] == 0xC2, bytes[index + 1] == 0xA0 { return index + 2 }
    return nil
}

/// The words that follow counts of what a public site does not count.
private let countedWords = ["users", "sessions", "events", "crashes", "user-days", "daily users"]

private func countedWord(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> String? {
    countedWords.first { word in
        let end = index + word.utf8.count
        guard end <= bytes.count, zip(bytes[index..<end], word.utf8).allSatisfy({ $0 == $1 }) else {
            return false
        }
        return end == bytes.count || (bytes[end] | 0x20) < 97 || (bytes[end] | 0x20) > 122
    }
}
