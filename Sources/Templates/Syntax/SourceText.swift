/// The bytes of a template, with the way from an offset to a line and a column.
struct SourceText: Sendable {
    /// How many mistakes of one kind are worth telling in one file; finding their places takes time.
    static let errorLimit = 100

    let source: TemplateSource
    let bytes: [UInt8]

    init(_ source: TemplateSource) {
        self.source = source
        bytes = Array(source.text.utf8)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The line of an offset, from 1.
    func line(at offset: Int) -> Int { 1 + bytes[..<offset].count { $0 == 0x0A } }

    /// A mistake at an offset; the column counts Unicode scalars.
    func error(_ problem: TemplateProblem, at offset: Int) -> TemplateError {
        let lineStart = (bytes[..<offset].lastIndex(of: 0x0A) ?? -1) + 1
        let column = 1 + bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 }
        return TemplateError(problem: problem, path: source.path, line: line(at: offset), column: column)
    }
}
