package import AppHealth

/// The issues of a source by its ids. Of many issues no second copy is held.
package struct IssuesByID: Sendable {
    /// The issues in their order, each once.
    package let all: [Issue]
    private let places: [String: Int]

    /// The issues of a list; of several with the same id the last one.
    init(_ issues: [Issue]) {
        let places = Self.places(of: issues)
        let isUnique = places.count == issues.count
        all = isUnique ? issues : issues.enumerated().filter { places[$1.id] == $0 }.map(\.element)
        self.places = isUnique ? places : Self.places(of: all)
    }

    private static func places(of issues: [Issue]) -> [String: Int] {
        Dictionary(issues.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// An issue by the source's id.
    package subscript(id: String) -> Issue? { places[id].map { all[$0] } }

    /// Their ids, in their order.
    package var ids: some Collection<String> { all.lazy.map(\.id) }
}
