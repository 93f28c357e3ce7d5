import Cryptography

/// One of n parts of all apps, so that n machines share the work.
///
/// An app's part follows from its id alone: other apps that come or go do not move it, and each part of many apps has
/// about as many as the others.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// Which part: 1…count.
    package let index: Int
    /// How many parts there are: 1…`most`.
    package let count: Int

    /// The most parts.
    package static let most = 1000

    /// Makes a part; nil unless 1 ≤ index ≤ count ≤ `most`.
    package init?(_ index: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Reads `i/n`, such as `2/7`.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, text.utf8.count <= 9, !text.contains(where: { "+-".contains($0) }),
            let index = Int(numbers[0]), let count = Int(numbers[1])
        else { return nil }
        self.init(index, of: count)
    }

    /// Whether an app belongs to it: each app does to exactly one of the parts.
    package func contains(_ app: Slug) -> Bool {
        let number = digest(of: app.text.utf8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % UInt64(count) == UInt64(index - 1)
    }

    package var description: String { "\(index)/\(count)" }
}
