/// The keys of the objects that are open in a JSON text, to find one that stands twice.
struct KeyStack {
    private struct Level {
        /// Where its keys begin among all.
        var start: Int
        /// All of its keys, once they are many.
        var many: Set<ArraySlice<UInt8>> = []
    }

    /// So many are compared one by one, which is quicker than to hash them.
    private static let few = 24
    private let bytes: [UInt8]
    private var ranges: [Range<Int>] = []
    private var levels: [Level] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Begins a level within the last.
    mutating func open() { levels.append(Level(start: ranges.count)) }

    /// Ends the last level.
    mutating func close() {
        guard let level = levels.popLast() else { return }
        ranges.removeSubrange(level.start...)
    }

    /// Adds the key that lies there to the last level; false when it has it already.
    mutating func insert(_ key: Range<Int>) -> Bool {
        guard let level = levels.last else { return true }
        guard ranges.count - level.start >= Self.few else {
            if ranges[level.start...].contains(where: { isEqual($0, key) }) { return false }
            ranges.append(key)
            return true
        }
        let last = levels.count - 1
        if level.many.isEmpty { levels[last].many = Set(ranges[level.start...].map { bytes[$0] }) }
        return levels[last].many.insert(bytes[key]).inserted
    }

    private func isEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy { bytes[$0] == bytes[$1] }
    }
}
