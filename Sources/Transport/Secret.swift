/// A token or password that prints as `<redacted>`, however it is printed.
package struct Secret: Hashable, Sendable {
    /// What stands in the place of a secret in every text.
    package static let mask = "<redacted>"

    let text: String

    /// The secret without white space at its ends (a file's last line break, say); nil when nothing is left
    /// or when a control character is inside, which no header could carry.
    package init?(_ text: String) {
        let blank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let scalars = text.unicodeScalars.drop(while: blank)
        guard let last = scalars.lastIndex(where: { !blank($0) }) else { return nil }
        let kept = scalars[...last]
        guard kept.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        self.text = String(String.UnicodeScalarView(kept))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    package var description: String { Self.mask }
    /// Always `<redacted>`.
    package var debugDescription: String { Self.mask }
    /// Shows no part of the secret to `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
