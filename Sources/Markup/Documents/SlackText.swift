import Diagnostics

/// The document as Slack's mrkdwn: no tables, no headings, `*bold*`, `<address|text>`.
func slackText(_ blocks: [Block]) -> String {
    var writer = ByteWriter()
    for (place, block) in blocks.enumerated() {
        if place > 0 { writer.append("\n") }
        writer.appendSlack(block)
    }
    return writer.text
}

extension ByteWriter {
    fileprivate mutating func appendSlack(_ block: Block) {
        switch block {
        case .heading(let spans, _):
            appendSlack(strong: spans.map(\.text).joined())
            append("\n")
        case .lines(let lines): for line in lines { appendSlackLine(line) }
        case .list(let entries): for entry in entries { appendSlackLine([.text("• ")] + entry) }
        case .entries(let entries, let start): appendSlack(entries, start: start)
        case .table(let table):
            guard table.columns.indices.contains(table.name) else { return }
            appendSlackLine(tableTitle(table))
            for row in table.rows { appendSlackLine([.text("• ")] + rowLine(row, of: table)) }
        case .folded(let title, let blocks):
            appendSlackLine([.strong(title)])
            for block in blocks { appendSlack(block) }
        case .quote(let blocks): appendSlack(blocks, first: "> ", others: "> ")
        case .code(let code, _):
            append("```\n")
            appendSlack(code: code)
            append("\n")
            append("```\n")
        case .rule: append("———\n")
        }
    }

    private mutating func appendSlack(_ entries: [[Block]], start: Int?) {
        for (place, entry) in entries.enumerated() {
            appendSlack(entry, first: start.map { "\($0 + place). " } ?? "• ", others: "    ")
        }
    }

    /// Blocks of which every line begins with the marks of what holds them.
    private mutating func appendSlack(_ blocks: [Block], first: String, others: String) {
        var inner = ByteWriter()
        for block in blocks { inner.appendSlack(block) }
        // Code has empty lines.
        var lines = inner.text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (place, line) in lines.enumerated() {
            append(raw: (place == 0 ? first : others) + line)
            append("\n")
        }
    }

    private mutating func appendSlackLine(_ spans: [Span]) {
        for (place, span) in spans.enumerated() {
            let before = place > 0 ? spans[place - 1].text.last : nil
            let after = place + 1 < spans.count ? spans[place + 1].text.first : nil
            if let address = span.address ?? span.picture, !span.text.isEmpty,
                let target = WebAddress(address)
            {
                append("<")
                appendSlack(address: target.text)
                append("|")
                // A vertical bar would end the address, so it becomes a broken one.
                appendSlack(span.text.replacing("|", with: "\u{A6}"))
                append(">")
            } else if span.isStrong {
                appendSlack(partingFrom: before)
                appendSlack(strong: span.text)
                appendSlack(partingFrom: after)
            } else if span.isCode || span.isEmphasised, span.text.first?.isWhitespace == false {
                let mark = span.isCode ? "`" : "_"
                appendSlack(partingFrom: before)
                append(raw: mark)
                appendSlack(span.text)
                append(raw: mark)
                appendSlack(partingFrom: after)
            } else {
                appendSlack(span.text)
            }
        }
        append("\n")
    }

    /// A mark next to a letter or a digit is text to Slack; a zero-width space between them is not seen.
    private mutating func appendSlack(partingFrom neighbor: Character?) {
        if let neighbor, neighbor.isLetter || neighbor.isNumber { append("\u{200B}") }
    }

    private mutating func appendSlack(strong text: String) {
        guard !text.isEmpty else { return }
        append("*")
        appendSlack(text)
        append("*")
    }

    /// What could end the address is percent-encoded, `&` is an entity as in text.
    private mutating func appendSlack(address: String) {
        for byte in address.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"):
                append(raw: percentCode(of: byte))
            default: append(byte: byte)
            }
        }
    }

    /// Code as it is, but for the three characters that Slack wants as entities, and for three backticks in a row: nothing
    /// but the fence itself would be read within it.
    private mutating func appendSlack(code: String) {
        var plain = ByteWriter()
        plain.append(code, escapedFor: .plain)
        var backticks = 0
        for byte in plain.bytes {
            backticks = byte == UInt8(ascii: "`") ? backticks + 1 : 0
            if backticks == 3 {
                append(raw: "\u{200B}")
                backticks = 1
            }
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            default: append(byte: byte)
            }
        }
    }

    /// Text: the three characters that Slack wants as entities, and no format.
    ///
    /// mrkdwn has no escape for `*`, `_`, `~` and the backtick; a zero-width space on both sides keeps them from opening
    /// and closing a format without being seen. One behind `@` and `:` breaks mentions, bare addresses and emoji.
    private mutating func appendSlack(_ text: String) {
        var plain = ByteWriter()
        plain.append(text, escapedFor: .plain)
        let scalars = Array(plain.text.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            let next = place + 1 < scalars.count ? scalars[place + 1] : " "
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\n", "\t", "\u{2028}", "\u{2029}": append(" ")
            case "*", "_", "~", "`": append(raw: "\u{200B}\(scalar)\u{200B}")
            case ":" where !next.properties.isWhitespace, "@": append(raw: "\(scalar)\u{200B}")
            default: append(raw: String(scalar))
            }
        }
    }
}
