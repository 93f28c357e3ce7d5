/// Cuts bytes into records, one at a time; never reads beyond the end.
struct CSVScanner {
    enum Item {
        case record(CSVText.Record)
        case comment(CSVText.Comment)
        case fault(CSVText.Fault)
    }

    private struct Stop: Error {
        var problem: CSVText.Fault.Problem
        var offset: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    private let separator: UInt8

    /// Whether the bytes ended with a record instead of a line end.
    private(set) var hasEndedInRecord = false

    /// Takes UTF-8 without a mark.
    init(_ bytes: [UInt8], _ separator: CSVSeparator) {
        self.bytes = bytes
        self.separator = separator.rawValue
    }

    /// The next record, comment or fault; nil at the end.
    mutating func next() -> Item? {
        while isLineBreak { breakLine() }
        guard let byte = here else { return nil }
        if byte == UInt8(ascii: "#") { return .comment(comment()) }
        let (startLine, start) = (line, lineStart)
        do throws(Stop) {
            let record = CSVText.Record(line: startLine, fields: try fields())
            hasEndedInRecord = here == nil
            return .record(record)
        } catch {
            return .fault(recover(from: error, startLine: startLine, start: start))
        }
    }

    private var here: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var isLineBreak: Bool { here == UInt8(ascii: "\n") || here == UInt8(ascii: "\r") }

    /// Goes behind `\n`, `\r` or both.
    private mutating func breakLine() {
        let isReturn = here == UInt8(ascii: "\r")
        index += 1
        if isReturn, here == UInt8(ascii: "\n") { index += 1 }
        line += 1
        lineStart = index
    }

    private mutating func comment() -> CSVText.Comment {
        let start = index + 1
        while here != nil, !isLineBreak { index += 1 }
        return CSVText.Comment(line: line, text: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func fields() throws(Stop) -> [String] {
        var fields: [String] = []
        while true {
            guard fields.count < CSVText.mostFields else {
                throw Stop(problem: .tooManyFields, offset: index)
            }
            fields.append(here == UInt8(ascii: "\"") ? try quotedField() : try plainField())
            guard here == separator else { return fields }
            index += 1
        }
    }

    private mutating func plainField() throws(Stop) -> String {
        let start = index
        while let byte = here, byte != separator, !isLineBreak {
            guard byte != UInt8(ascii: "\"") else { throw Stop(problem: .quoteInside, offset: index) }
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quotedField() throws(Stop) -> String {
        let start = index
        var text: [UInt8] = []
        var isEnded = false
        index += 1
        while let byte = here {
            if byte == UInt8(ascii: "\"") {
                index += 1
                isEnded = here != byte
                guard !isEnded else { break }
                text.append(byte)
                index += 1
            } else if isLineBreak {
                let breakStart = index
                breakLine()
                text += bytes[breakStart..<index]
            } else {
                text.append(byte)
                index += 1
            }
        }
        guard isEnded else { throw Stop(problem: .unended, offset: start) }
        guard here == nil || here == separator || isLineBreak else {
            throw Stop(problem: .textAfterQuote, offset: index)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The fault with its place; reading goes on after the line on which the fault lies.
    private mutating func recover(from stop: Stop, startLine: Int, start: Int) -> CSVText.Fault {
        if stop.problem == .unended {
            // The field began on the record's line or on a later one that an earlier field reached.
            (index, line, lineStart) = (start, startLine, start)
            while index < stop.offset { if isLineBreak { breakLine() } else { index += 1 } }
        }
        let column = bytes[lineStart..<stop.offset].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        let fault = CSVText.Fault(line: line, column: column, problem: stop.problem)
        while here != nil, !isLineBreak { index += 1 }
        return fault
    }
}
