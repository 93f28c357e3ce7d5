import Markup

/// The values of tables and of lists of terms.
func labelledHTML(_ bytes: [UInt8]) -> [LabelledValue] {
    var reader = LabelledHTML(bytes: bytes)
    for tag in markupTags(bytes) { reader.read(tag) }
    return reader.values
}

/// Reads the tags in their order; end tags of cells may be left out.
private struct LabelledHTML {
    let bytes: [UInt8]
    var values: [LabelledValue] = []
    private var headings: [String] = []
    private var cells: [String] = []
    private var term = ""
    /// The element whose text is being read, and where the text begins.
    private var open: (name: String, isHeading: Bool, start: Int)?

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ tag: MarkupTag) {
        guard ["table", "tr", "th", "td", "dt", "dd", "dl", "thead", "tbody"].contains(tag.name) else {
            return
        }
        close(before: tag)
        switch (tag.name, tag.isEnd) {
        case ("table", _):
            endRow(tag.line)
            headings = []
        case ("tr", _): endRow(tag.line)
        case ("th", false):
            open = (tag.name, tag["scope"] == "col", tag.range.upperBound)
        case ("td", false), ("dt", false), ("dd", false):
            open = (tag.name, false, tag.range.upperBound)
        default: break
        }
    }

    private mutating func endRow(_ line: Int) {
        values += labelledRow(cells, under: headings, line: line)
        cells = []
    }

    private mutating func close(before tag: MarkupTag) {
        guard let element = open else { return }
        open = nil
        let text = plainText(bytes[element.start..<max(element.start, tag.range.lowerBound)])
        switch element.name {
        case "dt": term = text
        case "dd": values.append(LabelledValue(label: term, value: text, line: tag.line))
        case _ where element.isHeading: headings.append(text)
        default: cells.append(text)
        }
    }
}

/// The text between tags, its white space as single spaces.
private func plainText(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isTag = false
    for byte in bytes {
        if byte == UInt8(ascii: "<") { isTag = true }
        if !isTag { text.append(byte) }
        if byte == UInt8(ascii: ">") { isTag = false }
    }
    return resolvedEntities(String(decoding: text, as: UTF8.self)).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
}
