import Markup

/// A document as HTML that a mail program shows: tables, inline styles, no pictures, nothing from elsewhere.
func mailHTML(_ blocks: [Block], title: String) -> String {
    var writer = ByteWriter()
    writer.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
    writer.append(title, escapedFor: .html)
    writer.append("</title></head>\n<body style=\"margin:0;padding:16px;background:#ffffff;color:#1d1d1f;")
    writer.append("font:15px/1.45 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif\">\n")
    writer.append("<div style=\"max-width:680px\">\n")
    for block in blocks { writer.appendMail(block) }
    writer.append("</div>\n</body></html>\n")
    return writer.text
}

extension ByteWriter {
    fileprivate mutating func appendMail(_ block: Block) {
        switch block {
        case .heading(let spans, let level):
            append(
                level <= 3
                    ? "<h1 style=\"margin:0 0 12px;font-size:20px;line-height:1.3\">"
                    : "<h2 style=\"margin:20px 0 8px;font-size:16px;line-height:1.3\">")
            appendMail(spans)
            append(level <= 3 ? "</h1>\n" : "</h2>\n")
        case .lines(let lines):
            append("<p style=\"margin:0 0 12px\">")
            for (place, line) in lines.enumerated() {
                if place > 0 { append("<br>\n") }
                appendMail(line)
            }
            append("</p>\n")
        case .list(let entries): appendMailList(entries.map { [.lines([$0])] }, isNumbered: false)
        case .entries(let entries, let start): appendMailList(entries, isNumbered: start != nil)
        case .table(let table): appendMail(table)
        case .folded(let title, let inner):
            appendMail(.heading([.text(title)], level: 4))
            for block in inner { appendMail(block) }
        case .quote(let inner):
            append(
                "<blockquote style=\"margin:0 0 12px;padding:0 0 0 12px;border-left:3px solid #d0d0d5\">\n")
            for block in inner { appendMail(block) }
            append("</blockquote>\n")
        case .code(let code, _):
            append("<pre style=\"margin:0 0 12px;padding:8px;background:#f4f4f6;white-space:pre-wrap\">")
            append(code, escapedFor: .html)
            append("</pre>\n")
        case .rule: append("<hr style=\"border:0;border-top:1px solid #d0d0d5;margin:16px 0\">\n")
        }
    }

    private mutating func appendMailList(_ entries: [[Block]], isNumbered: Bool) {
        append(isNumbered ? "<ol" : "<ul")
        append(" style=\"margin:0 0 12px;padding-left:20px\">\n")
        for entry in entries {
            append("<li>")
            if case .lines(let lines)? = entry.first, entry.count == 1 {
                for (place, line) in lines.enumerated() {
                    if place > 0 { append("<br>\n") }
                    appendMail(line)
                }
            } else {
                for block in entry { appendMail(block) }
            }
            append("</li>\n")
        }
        append(isNumbered ? "</ol>\n" : "</ul>\n")
    }

    private mutating func appendMail(_ table: BlockTable) {
        append(
            "<table cellpadding=\"0\" cellspacing=\"0\" style=\"margin:0 0 12px;border-collapse:collapse\">\n<tr>"
        )
        for column in table.columns {
            append(
                "<th style=\"padding:4px 10px 4px 0;border-bottom:2px solid #d0d0d5;font-size:13px;text-align:"
            )
            append(column.isNumber ? "right\">" : "left\">")
            append(column.title, escapedFor: .html)
            append("</th>")
        }
        append("</tr>\n")
        for row in table.rows {
            append("<tr>")
            for (place, cell) in row.enumerated() {
                let isNumber = table.columns.indices.contains(place) && table.columns[place].isNumber
                append(
                    "<td style=\"padding:4px 10px 4px 0;border-bottom:1px solid #ececf0;vertical-align:top;text-align:"
                )
                append(isNumber ? "right\">" : "left\">")
                appendMail(cell)
                append("</td>")
            }
            append("</tr>\n")
        }
        append("</table>\n")
    }

    private mutating func appendMail(_ spans: [Span]) {
        for span in spans {
            if span.isBreak {
                append("<br>")
                continue
            }
            let address = span.address.flatMap { WebAddress($0) }
            if let address {
                append("<a style=\"color:#0b5cad\" href=\"")
                append(address.text, escapedFor: .html)
                append("\">")
            }
            let (open, close): (StaticString, StaticString) =
                span.isStrong
                ? ("<b>", "</b>")
                : span.isCode ? ("<code>", "</code>") : span.isEmphasised ? ("<i>", "</i>") : ("", "")
            append(open)
            append(span.text, escapedFor: .html)
            append(close)
            if address != nil { append("</a>") }
        }
    }
}
