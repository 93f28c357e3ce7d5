import Diagnostics

/// A key that stands twice in one object, or that no reader knows.
struct OddKey: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Twice in one object; the first one counts.
        case repeated
        /// Not read; perhaps the nearest known key was meant.
        case unknown(nearest: String?)
    }

    /// How many different ones are told of.
    static let most = 20

    var kind: Kind
    var name: String
    /// The byte at which the first one begins.
    var offset: Int
    /// In how many places it was met.
    var times = 1

    /// What to tell; `document` is where the bytes came from.
    func warning(document: String, bytes: [UInt8]) -> Diagnostic {
        let position = TextPosition(offset: offset, in: bytes)
        let place = Location.file(path: document, line: position.line, column: position.column)
        let often = times == 1 ? "" : ", \(times) times"
        let key = quoted(name, limit: 60)
        switch kind {
        case .repeated:
            return .warning(
                "decoding.repeated-key",
                "Key \(key) stands twice in one object\(often); the first one counts",
                at: place, hints: ["remove one of them"])
        case .unknown(let nearest):
            return .warning(
                "decoding.unknown-key", "Key \(key) is not known and was not read\(often)", at: place,
                hints: nearest.map { ["did you mean '\($0)'?"] } ?? [])
        }
    }
}
