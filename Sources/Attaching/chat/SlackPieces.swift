/// A line of mrkdwn in pieces of so many UTF-16 units: it is broken behind an entry, else at a space, else between two
/// characters, and never in a link or an entity.
///
/// Nothing of it is lost but for the end of a link's text that is longer than a piece.
func slackPieces(of line: String, most: Int) -> [String] {
    guard line.utf16.count > most else { return [line] }
    var (pieces, current): ([String], [Token]) = ([], [])
    var length = 0
    for token in tokens(of: line, most: most) {
        while length + token.length > most {
            let end = lastBreak(in: current)
            pieces.append(current[..<end].map(\.text).joined().trimmingEnd())
            current.removeFirst(end)
            length = current.reduce(0) { $0 + $1.length }
        }
        current.append(token)
        length += token.length
    }
    return (pieces + [current.map(\.text).joined().trimmingEnd()]).filter { !$0.isEmpty }
}

/// What is not broken: a link, an entity or a character.
private struct Token {
    let text: String
    let length: Int

    init(_ text: some StringProtocol) { (self.text, length) = (String(text), text.utf16.count) }
}

/// How many of the tokens are before the best place for a break, at least one.
private func lastBreak(in tokens: [Token]) -> Int {
    let spaces = tokens.indices.dropFirst().filter { tokens[$0].text == " " }
    let entry = spaces.last { tokens[$0 - 1].text == ";" }
    return (entry ?? spaces.last).map { $0 + 1 } ?? tokens.count
}

private func tokens(of line: String, most: Int) -> [Token] {
    var (found, rest) = ([Token](), line[...])
    while let first = rest.first {
        // As text, each of these is an entity.
        let end = first == "<" ? rest.firstIndex(of: ">") : first == "&" ? rest.firstIndex(of: ";") : nil
        let token = end.map { rest[...$0] } ?? rest.prefix(1)
        rest = rest[token.endIndex...]
        found += token.utf16.count > most ? shortened(token, most) : [Token(token)]
    }
    return found
}

/// A link that is longer than a piece, with less of its text; without its address where that alone is too long.
private func shortened(_ link: Substring, _ most: Int) -> [Token] {
    let bar = link.firstIndex(of: "|") ?? link.startIndex
    let text = link[link.index(after: bar)...].dropLast()
    let room = most - link[...bar].utf16.count - 2
    let least = 40
    guard room >= least else { return tokens(of: String(text), most: most) }
    return [Token(link[...bar] + withoutBrokenEntity(cut(text, to: room)) + "…>")]
}

private func withoutBrokenEntity(_ text: String) -> String {
    guard let start = text.lastIndex(of: "&"), !text[start...].contains(";") else { return text }
    return String(text[..<start])
}
