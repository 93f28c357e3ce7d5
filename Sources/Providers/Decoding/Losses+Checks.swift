import Diagnostics

extension Losses {
    /// Whether a part is at most its whole; unknown counts pass.
    mutating func isPart(
        _ part: Count?, of whole: Count?, at path: @autoclosure () -> String, _ words: String
    ) -> Bool {
        guard let part, let whole, part.value > whole.value else { return true }
        refuse(path(), expected: "at most the \(whole.value) \(words)", found: String(part.value))
        return false
    }

    /// Whether the key was not met before in this list.
    mutating func isFirst<Key: Hashable>(
        _ key: Key, in seen: inout Set<Key>, at path: @autoclosure () -> String, _ words: String
    ) -> Bool {
        if seen.insert(key).inserted { return true }
        refuse(path(), expected: "one entry for \(words)", found: "another one")
        return false
    }

    /// A word that is none of the known ones.
    mutating func refuse(word: String, at path: String, among known: [String]) {
        let nearest = nearestName(to: String(word.prefix(60)), among: known).map {
            "; perhaps \($0) was meant"
        }
        refuse(
            path, expected: "one of \(known.joined(separator: ", "))",
            found: quoted(word, limit: 40) + (nearest ?? ""))
    }

    /// The web address, or nil with a warning when it is none: a page must not link to `javascript:`.
    mutating func webAddress(_ text: String?, at path: String) -> String? {
        guard let text else { return nil }
        let lower = text.prefix(8).lowercased()
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        if isPlain, lower.hasPrefix("https://") || lower.hasPrefix("http://") { return text }
        refuse(
            path, expected: "an address that begins with https:// or http://",
            found: quoted(text, limit: 40))
        return nil
    }
}
