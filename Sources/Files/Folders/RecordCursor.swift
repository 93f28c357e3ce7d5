/// A place in a listing, between two of its records.
struct RecordCursor {
    private var paths: Slice<UnsafeBufferPointer<UInt8>>
    private var numbers: Slice<UnsafeRawBufferPointer>

    init(_ paths: UnsafeBufferPointer<UInt8>, _ numbers: UnsafeRawBufferPointer) {
        (self.paths, self.numbers) = (paths[...], numbers[...])
    }

    /// Whether nothing follows; false also where the two runs do not fit each other.
    var isAtEnd: Bool { paths.isEmpty && numbers.isEmpty }

    /// The record that follows; nil at the end, and where the two runs do not fit each other.
    mutating func next() -> FolderListing.Record? {
        guard numbers.count >= FolderListing.size, let end = paths.firstIndex(of: 0) else { return nil }
        let record = FolderListing.Record(
            UnsafeRawBufferPointer(rebasing: numbers.prefix(FolderListing.size)),
            UnsafeBufferPointer(rebasing: paths[..<end]))
        paths = paths[(end + 1)...]
        numbers = numbers.dropFirst(FolderListing.size)
        return record
    }

    /// How many records are passed before the one with a path, of a few that follow; nil when it is none of them.
    fileprivate func distance(to path: UnsafeBufferPointer<UInt8>) -> Int? {
        var ahead = self
        return (0..<Self.horizon).first { _ in
            guard let record = ahead.next() else { return false }
            return isEqual(record.path, path)
        }
    }

    private static let horizon = 64
}

/// What two listings do not both have: of things with one path both, unless they are alike. Nil when one of the
/// listings is damaged.
///
/// Most of the time both have nearly the same paths in the same order, so that they are gone through next to each other;
/// a path that is found in neither soon is in both results, where another one may have it.
func differences(
    _ before: RecordCursor, _ after: RecordCursor
) -> (before: [FolderListing.Item], after: [FolderListing.Item])? {
    var (own, other) = (before, after)
    var found: (before: [FolderListing.Item], after: [FolderListing.Item]) = ([], [])
    /// Whether the next of some records are texts, as they are added.
    func add(
        _ count: Int, of cursor: inout RecordCursor, to items: inout [FolderListing.Item]
    ) -> Bool {
        for _ in 0..<count {
            guard let item = cursor.next()?.item else { return false }
            items.append(item)
        }
        return true
    }
    while true {
        var (nextOwn, nextOther) = (own, other)
        guard let first = nextOwn.next(), let second = nextOther.next() else { break }
        if isEqual(first.path, second.path) {
            if !first.isLike(second) {
                guard add(1, of: &own, to: &found.before), add(1, of: &other, to: &found.after) else {
                    return nil
                }
            }
            (own, other) = (nextOwn, nextOther)
        } else if let passed = other.distance(to: first.path) {
            guard add(passed, of: &other, to: &found.after) else { return nil }
        } else {
            guard add(own.distance(to: second.path) ?? 1, of: &own, to: &found.before) else { return nil }
        }
    }
    while !own.isAtEnd { guard add(1, of: &own, to: &found.before) else { return nil } }
    while !other.isAtEnd { guard add(1, of: &other, to: &found.after) else { return nil } }
    return found
}

private func isEqual(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
    first.count == second.count && first.elementsEqual(second)
}
