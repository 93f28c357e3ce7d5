import AppHealth
import Diagnostics

/// A path of names in backquotes, `a`.`b`; nil when one of them cannot be a name, whatever quotes it.
///
/// Source: GoogleSQL, lexical structure: a quoted identifier may hold any character but a backquote; a backslash begins
/// an escape in it.
func bigQueryName(_ path: String, parts: ClosedRange<Int> = 1...15) -> String? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.contains(names.count) ? bigQueryName(names) : nil
}

/// The same of names that may have dots in them, such as an old project's.
func bigQueryName(_ names: [String]) -> String? {
    let isName = names.allSatisfy { name in
        !name.isEmpty && name.utf8.count <= 1_024
            && name.unicodeScalars.allSatisfy { scalar in
                scalar != "`" && scalar != "\\" && scalar.properties.generalCategory != .control
            }
    }
    return isName ? names.map { "`\($0)`" }.joined(separator: ".") : nil
}

// A value as the service binds it, by its type.
extension WarehouseParameter {
    /// The name of its type in BigQuery.
    var bigQueryType: String {
        switch self {
        case .text: "STRING"
        case .date: "DATE"
        case .instant: "TIMESTAMP"
        case .number: "INT64"
        }
    }

    /// The value as a request carries it.
    var bigQueryValue: String {
        switch self {
        case .text(let text): text
        case .date(let date): date.description
        case .instant(let seconds):
            Instant(secondsSinceEpoch: seconds).description
                .replacing("T", with: " ").replacing("Z", with: "+00:00")
        case .number(let number): String(number)
        }
    }
}

/// A query that only reads, with the names of its parameters, `@name`.
struct BigQueryText: Hashable, Sendable {
    /// Why a text is no query that may be sent.
    enum Fault: Error, Hashable {
        /// A quote, a comment or a bracket does not end.
        case open(String)
        /// More than one statement.
        case several
        /// Something else than a query.
        case noQuery
    }

    /// The text without a semicolon at its end.
    let text: String
    /// The parameters in their order, each once.
    let parameters: [String]

    /// Reads a whole query.
    init(_ text: String) throws(Fault) {
        let scan = try BigQueryScan(text)
        guard ["SELECT", "WITH", "FROM", "("].contains(scan.firstWord.uppercased()) else { throw .noQuery }
        self.text = scan.text
        parameters = scan.parameters
    }

    /// Reads a condition, which is part of a query.
    init(condition text: String) throws(Fault) {
        let scan = try BigQueryScan(text)
        // What follows must not be part of a comment.
        self.text = scan.text + "\n"
        parameters = scan.parameters
    }
}

/// A walk through a text in SQL that knows what is quoted and what is a comment.
private struct BigQueryScan {
    private(set) var text = ""
    private(set) var parameters: [String] = []
    private(set) var firstWord = ""

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    init(_ text: String) throws(BigQueryText.Fault) {
        scalars = Array(text.unicodeScalars)
        var end = scalars.count
        while place < end {
            switch scalars[place] {
            case "'", "\"", "`": try skipQuote()
            case "#": skipLine()
            case "-" where starts("--"): skipLine()
            case "/" where starts("/*"): try skipComment()
            case "@": takeParameter()
            case ";":
                // The last sign of a statement may stay; nothing but comments may follow it.
                end = place
                place += 1
                try skipBlank()
                guard place == scalars.count else { throw .several }
            case "(", ")":
                if firstWord.isEmpty { firstWord = String(scalars[place]) }
                depth += depth < 0 ? 0 : scalars[place] == "(" ? 1 : -1
                place += 1
            default: takeWord()
            }
        }
        if depth != 0 { throw .open("bracket") }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: scalars[..<end])
        self.text = String(kept)
    }

    private func starts(_ sign: String, at start: Int? = nil) -> Bool {
        let (sign, start) = (Array(sign.unicodeScalars), start ?? place)
        return start + sign.count <= scalars.count && Array(scalars[start..<start + sign.count]) == sign
    }

    private mutating func takeWord() {
        let start = place
        while place < scalars.count, isWordSign(scalars[place]) { place += 1 }
        if start == place {
            if firstWord.isEmpty, !scalars[place].properties.isWhitespace {
                firstWord = String(scalars[place])
            }
            place += 1
        } else if firstWord.isEmpty {
            firstWord = scalars[start..<place].map(String.init).joined()
        }
    }

    /// `@name`; `@@name` is a variable of the service.
    private mutating func takeParameter() {
        let start = place + 1
        place = start
        if place < scalars.count, scalars[place] == "@" { place += 1 }
        while place < scalars.count, isWordSign(scalars[place]) { place += 1 }
        let name = scalars[start..<place].map(String.init).joined()
        if !name.isEmpty, !name.hasPrefix("@"), !parameters.contains(name) { parameters.append(name) }
    }

    /// A text in one or three quotes, or a name in backquotes. A backslash keeps the next sign from ending it, in raw
    /// texts too.
    private mutating func skipQuote() throws(BigQueryText.Fault) {
        let quote = scalars[place]
        let three = String(repeating: String(quote), count: 3)
        let isLong = quote != "`" && starts(three)
        place += isLong ? 3 : 1
        while place < scalars.count {
            if scalars[place] == "\\" {
                place += 2
            } else if isLong ? starts(three) : scalars[place] == quote {
                place += isLong ? 3 : 1
                return
            } else if !isLong, scalars[place] == "\n" {
                throw .open("quote")
            } else {
                place += 1
            }
        }
        throw .open("quote")
    }

    private mutating func skipBlank() throws(BigQueryText.Fault) {
        while place < scalars.count {
            if scalars[place].properties.isWhitespace {
                place += 1
            } else if scalars[place] == "#" || starts("--") {
                skipLine()
            } else if starts("/*") {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipLine() {
        while place < scalars.count, scalars[place] != "\n" { place += 1 }
    }

    private mutating func skipComment() throws(BigQueryText.Fault) {
        place += 2
        while place < scalars.count, !starts("*/") { place += 1 }
        guard place < scalars.count else { throw .open("comment") }
        place += 2
    }
}

private func isWordSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
}

/// What the values of a column are, by the type that the service names; nil for one that no column may have.
func bigQueryKind(of type: String, mode: String?) -> WarehouseColumn.Kind? {
    guard mode != "REPEATED" else { return nil }
    return switch type {
    case "DATE": .date
    case "TIMESTAMP": .instant
    case "INTEGER", "INT64": .count
    case "STRING": .text
    default: nil
    }
}
