extension Address {
    /// The address with segments added to its path, each percent-encoded whole: a slash in a name does not
    /// begin a new segment. An empty last segment leaves a slash at the end. The query is dropped.
    package func appending(_ segments: String...) throws(AddressError) -> Address {
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            guard segment != ".", segment != "..", isLast || !segment.isEmpty else { throw .segment(segment) }
        }
        let base = withoutQuery.hasSuffix("/") ? String(withoutQuery.dropLast()) : withoutQuery
        return try Address(([base] + segments.map(percentEncoded)).joined(separator: "/"))
    }

    /// The address with parameters added after those it has, in the order given; names may repeat.
    package func adding(query items: [(String, String)]) throws(AddressError) -> Address {
        guard !items.isEmpty else { return self }
        let all = [query, formText(items)].compactMap { $0 }.filter { !$0.isEmpty }
        return try Address("\(withoutQuery)?\(all.joined(separator: "&"))")
    }

    private var withoutQuery: String {
        String(text.prefix { $0 != "?" })
    }
}
