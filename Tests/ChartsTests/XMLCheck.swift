/// A small check that every element is closed and no bare `<` or `&` stands in text.
enum XMLCheck {
    static func isWellFormed(_ text: String) -> Bool {
        var open: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return false }
            guard hasOnlyReferences(rest[..<start]) else { return false }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
            guard !tag.dropFirst().contains("<"), hasOnlyReferences(tag) else { return false }
            guard tag.count(where: { $0 == "\"" }) % 2 == 0 else { return false }
        }
        return open.isEmpty && rest.isEmpty
    }

    private static func hasOnlyReferences(_ text: Substring) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.firstMatch(of: /^(amp|lt|gt|quot|#39);/) != nil
        }
    }
}
