/// Blocks with the folded parts that raw HTML opens and closes among them.
struct FoldStack {
    private var levels: [(title: String, blocks: [Block])] = [("", [])]

    /// More parts within each other than this are no longer distinguished.
    private static let deepest = 24

    /// Adds blocks to the innermost part that is open.
    mutating func append(_ blocks: [Block]) { levels[levels.count - 1].blocks += blocks }

    /// Reads a block of raw HTML: parts are opened and closed, of anything else the words stay.
    mutating func read(html: String) {
        var words = ""
        var rest = html[...]
        while let open = rest.firstIndex(of: "<") {
            words += rest[..<open]
            let (tag, after) = tag(at: rest[open...])
            rest = after
            switch tag {
            case "details":
                flush(&words)
                if levels.count < Self.deepest { levels.append(("", [])) }
            case "/details":
                flush(&words)
                close()
            case "summary": flush(&words)
            case "/summary":
                if levels.count > 1 { levels[levels.count - 1].title = text(words) } else { flush(&words) }
                words = ""
            default: continue
            }
        }
        words += rest
        flush(&words)
    }

    /// Everything, with parts that were never closed.
    consuming func finished() -> [Block] {
        while levels.count > 1 { close() }
        return levels[0].blocks
    }

    private mutating func close() {
        guard levels.count > 1, let fold = levels.popLast() else { return }
        append([.folded(title: fold.title, fold.blocks)])
    }

    private mutating func flush(_ words: inout String) {
        let text = text(words)
        if !text.isEmpty { append([.lines([[.text(text)]])]) }
        words = ""
    }

    /// The text of HTML without tags, on one line.
    private func text(_ html: String) -> String {
        let plain = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("\u{200B}", ""), ("&amp;", "&"),
        ]
        .reduce(html) { $0.replacing($1.0, with: $1.1) }
        return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// The name of the tag that a text begins with, and what is after it; a quoted value may hold a closing bracket.
private func tag(at text: Substring) -> (name: String, rest: Substring) {
    if text.hasPrefix("<!--") {
        return ("", text.firstRange(of: "-->").map { text[$0.upperBound...] } ?? "")
    }
    var quote: Character?
    for index in text.indices {
        let character = text[index]
        if let open = quote {
            if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
            quote = character
        } else if character == ">" {
            let inside = text[text.index(after: text.startIndex)..<index]
            return (
                inside.prefix { $0.isLetter || $0 == "/" }.lowercased(), text[text.index(after: index)...]
            )
        }
    }
    return ("", "")
}
