/// How long a kind of foreign text may be, in Unicode scalars.
protocol TextBound: Sendable {
    static var scalars: Int { get }
}

/// Names, ids, labels of versions: 300.
enum NameBound: TextBound { static let scalars = 300 }
/// Headlines, paths of files, addresses: 2,000.
enum LineBound: TextBound { static let scalars = 2_000 }
/// What people write: 20,000.
enum ProseBound: TextBound { static let scalars = 20_000 }

/// Foreign text without NUL, cut to its bound; that it was cut goes to the log of the answer.
struct BoundedText<Bound: TextBound>: WireValue, Sendable, Equatable {
    static var expected: String { "a text" }

    var text: String

    init(from decoder: any Decoder) throws {
        let whole = try decoder.single(String.self, expected: Self.expected)
        // Nearly every text is short and clean and stays as it is.
        if whole.utf8.count <= Bound.scalars, !hasNUL(whole) {
            text = whole
            return
        }
        let scalars = whole.unicodeScalars.lazy.filter { $0 != "\0" }
        var kept = String.UnicodeScalarView(scalars.prefix(Bound.scalars))
        if scalars.dropFirst(Bound.scalars).first != nil {
            decoder.losses?.add(.cut(path: keyPathText(decoder.codingPath), limit: Bound.scalars))
            kept.append("…")
        }
        text = String(kept)
    }
}

/// Whether NUL is among the bytes, which lie in one piece in what was just decoded.
private func hasNUL(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
}

typealias WireName = BoundedText<NameBound>
typealias WireLine = BoundedText<LineBound>
typealias WireProse = BoundedText<ProseBound>

extension BoundedText {
    /// The text, or nil when it is empty: some services send empty texts for nothing.
    var nonEmpty: String? { text.isEmpty ? nil : text }
}
