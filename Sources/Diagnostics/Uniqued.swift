extension Sequence {
    /// The elements with each key once, the first of each, in their order: what is said once is said where it is first.
    package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, in the order of the first of each.
    package func uniqued() -> [Element] { uniqued(by: { $0 }) }
}
