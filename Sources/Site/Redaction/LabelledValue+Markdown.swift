/// The values of tables with bars, and of lines such as `- Users: 69`.
func labelledMarkdown(_ bytes: [UInt8]) -> [LabelledValue] {
    var values: [LabelledValue] = []
    var headings: [String] = []
    for (index, line) in String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
        guard line.hasPrefix("|") else {
            headings = []
            values += labelledLine(line, index + 1)
            continue
        }
        let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast().map(
            plain)
        if headings.isEmpty {
            headings = cells
        } else {
            values += labelledRow(cells, under: headings, line: index + 1)
        }
    }
    return values
}

private func labelledLine(_ line: Substring, _ number: Int) -> [LabelledValue] {
    guard let colon = line.firstIndex(of: ":") else { return [] }
    return [
        LabelledValue(
            label: plain(line[..<colon]), value: plain(line[line.index(after: colon)...]), line: number)
    ]
}

/// Without the marks of lists and of emphasis at its ends.
private func plain(_ text: Substring) -> String {
    func isMark(_ character: Character) -> Bool { " *_-`\r".contains(character) }
    let start = text.drop(while: isMark)
    return String(start.reversed().drop(while: isMark).reversed())
}
