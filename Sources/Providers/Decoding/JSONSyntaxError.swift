/// What came instead of readable JSON.
package enum JSONSyntaxError: Hashable, Sendable, CustomStringConvertible {
    /// Nothing at all, or only blanks.
    case empty
    /// A web page, such as a proxy's or a login form.
    case html
    /// Bytes that are not UTF-8, from this byte on.
    case notUTF8(at: TextPosition)
    /// The text ends before its last bracket or quote is closed.
    case truncated(at: TextPosition)
    /// More levels of brackets than are read.
    case tooDeep(limit: Int, at: TextPosition)
    /// More keys and values than are read.
    case tooMany(limit: Int, at: TextPosition)
    /// Something that JSON does not admit; `found` is a short excerpt.
    case syntax(found: String, at: TextPosition)
    /// A number that does not fit, at a place that is not known.
    case unreadable

    package var description: String {
        switch self {
        case .empty: "empty response"
        case .html: "an HTML page"
        case .notUTF8(let position): "not UTF-8 at \(position)"
        case .truncated(let position): "unexpected end at \(position)"
        case .tooDeep(let limit, let position): "more than \(limit) nested levels at \(position)"
        case .tooMany(let limit, let position): "more than \(limit) keys and values at \(position)"
        case .syntax(let found, let position): "unexpected \(found) at \(position)"
        case .unreadable: "unreadable value"
        }
    }

    /// Where the fault lies, when it has a place.
    package var position: TextPosition? {
        switch self {
        case .empty, .html, .unreadable: nil
        case .notUTF8(let at), .truncated(let at), .tooDeep(_, let at), .tooMany(_, let at),
            .syntax(_, let at):
            at
        }
    }

    /// What to do about a response that is not what it should be.
    static let hintForServices =
        "check the URL and whether a proxy alters responses; if neither, report an API change"

    func hints(isOfFile: Bool) -> [String] {
        switch self {
        case .html: ["check whether a proxy or login page responded"]
        case .truncated: [isOfFile ? "write the whole file" : "fetch again; it was cut off"]
        case .empty:
            [
                isOfFile
                    ? "check what writes the file"
                    : "fetch again later; if it stays empty, check the service"
            ]
        case .tooMany:
            [isOfFile ? "divide the file, such as into one for each day" : Self.hintForServices]
        case .notUTF8, .tooDeep, .syntax, .unreadable:
            [isOfFile ? "fix the file" : Self.hintForServices]
        }
    }
}

/// A place in a text; line and column count from 1, the column in Unicode scalars.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
    /// The line.
    package var line: Int
    /// The column.
    package var column: Int

    /// The place of a byte in UTF-8 text; an offset past the end means the end.
    package init(offset: Int, in bytes: some Collection<UInt8>) {
        line = 1
        column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    /// `3:14`.
    package var description: String { "\(line):\(column)" }
}
