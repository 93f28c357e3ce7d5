/// Puts the values of custom properties in the place of `var()`.
struct StyleVariables {
    /// The values by name, without dashes.
    let values: [String: String]

    /// How many values one text may take: some that name each other would take more than there is time.
    private static let most = 500

    /// The value of a token without `var()`; nil where it or one that it needs has none.
    func text(of token: String) -> String? {
        var rest = Self.most
        return text(of: token, within: [], &rest)
    }

    private func text(of token: String, within open: Set<String>, _ rest: inout Int) -> String? {
        guard rest > 0, !open.contains(token), let value = values[token] else { return nil }
        rest -= 1
        return replaced(value, within: open.union([token]), &rest)
    }

    private func replaced(_ text: String, within open: Set<String>, _ rest: inout Int) -> String? {
        var result = ""
        var tail = text[...]
        while let call = VariableCall(in: tail) {
            guard
                let value = self.text(of: call.token, within: open, &rest)
                    ?? call.fallback.flatMap({ replaced($0, within: open, &rest) })
            else { return nil }
            result += tail[..<call.range.lowerBound] + value
            tail = tail[call.range.upperBound...]
        }
        return result + tail
    }
}

/// The first `var()` of a text.
private struct VariableCall {
    /// Without dashes.
    let token: String
    /// What holds where the token has no value.
    let fallback: String?
    let range: Range<Substring.Index>

    init?(in text: Substring) {
        var start = text.startIndex
        while let found = text[start...].firstRange(of: /var\(/.ignoresCase()) {
            start = found.upperBound
            let before = text[..<found.lowerBound].last
            guard !(before.map { $0.isLetter || $0.isNumber || "-_".contains($0) } ?? false) else { continue }
            guard let end = closing(of: text[start...]) else { return nil }
            let inside = text[start..<end]
            let comma = inside.firstIndex(of: ",")
            let name = String(inside[..<(comma ?? end)]).trimmed
            guard name.hasPrefix("--") else { return nil }
            token = String(name.dropFirst(2))
            fallback = comma.map { String(inside[inside.index(after: $0)...]) }
            range = found.lowerBound..<text.index(after: end)
            return
        }
        return nil
    }
}

/// Where the parenthesis closes that is open before a text.
private func closing(of text: Substring) -> Substring.Index? {
    var depth = 1
    return text.indices.first { index in
        if text[index] == "(" { depth += 1 }
        if text[index] == ")" { depth -= 1 }
        return depth == 0
    }
}
