/// How many days of a span are known.
package struct KnownDays: Hashable, Codable, Sendable {
    /// Those that are.
    package let known: Int
    /// All of them.
    package let all: Int

    /// So many of all.
    package init(known: Int, all: Int) {
        self.known = known
        self.all = all
    }

    /// Whether all are.
    package var isWhole: Bool { known >= all }
}
