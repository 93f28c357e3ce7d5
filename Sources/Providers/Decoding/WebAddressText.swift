extension String {
    /// The text, when it is an address of the web without blanks: a page must not link to `javascript:`.
    var asWebAddress: String? {
        let lower = prefix(8).lowercased()
        let isPlain = unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return isPlain && (lower.hasPrefix("https://") || lower.hasPrefix("http://")) ? self : nil
    }
}
