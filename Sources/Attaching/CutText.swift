/// The beginning of a text with no more UTF-16 units than these, at the border of a character.
func cut(_ text: some StringProtocol, to limit: Int) -> String {
    var (result, length) = ("", 0)
    for character in text {
        length += String(character).utf16.count
        if length > limit { break }
        result.append(character)
    }
    return result
}

extension String {
    /// The text without white space at its end.
    func trimmingEnd() -> String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
