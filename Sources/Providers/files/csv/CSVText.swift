/// A text of comma-separated values (RFC 4180), read without a trap on any bytes.
///
/// Beyond the RFC: any kind of line break ends a record, a byte order mark is dropped, empty lines are passed
/// over, and a line that begins with `#` is a comment. A record that breaks the rules costs itself.
struct CSVText: Equatable, Sendable {
    /// One record with the line on which it begins, from 1.
    struct Record: Equatable, Sendable {
        var line: Int
        var fields: [String]
    }

    /// A comment without its `#`.
    struct Comment: Equatable, Sendable {
        var line: Int
        var text: String
    }

    /// A record that was left out; the column counts Unicode scalars from 1.
    struct Fault: Equatable, Sendable {
        enum Problem: Sendable {
            /// A quotation mark in a field that does not begin with one.
            case quoteInside
            /// Something else than a comma or a line break after the quotation mark that ends a field.
            case textAfterQuote
            /// No quotation mark ends the field.
            case unended
            /// More fields than any table of this kind has.
            case tooManyFields
        }

        var line: Int
        var column: Int
        var problem: Problem
    }

    /// The most fields of a record.
    static let mostFields = 64
    /// After so many faults the text is not read on.
    static let mostFaults = 1000

    private(set) var records: [Record] = []
    private(set) var comments: [Comment] = []
    private(set) var faults: [Fault] = []

    init(_ bytes: [UInt8]) {
        var scanner = CSVScanner(bytes)
        while let item = scanner.next(), faults.count < Self.mostFaults {
            switch item {
            case .record(let record): records.append(record)
            case .comment(let comment): comments.append(comment)
            case .fault(let fault): faults.append(fault)
            }
        }
    }
}
