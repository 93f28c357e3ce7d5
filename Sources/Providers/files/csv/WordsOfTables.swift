import AppHealth

/// What the tables of one instant say of their source, each in comments of its own: one source says all of it, in whatever
/// order they are read.
struct WordsOfTables {
    private let session: String
    private let user: String
    private let delay: String
    private let areExact: Bool

    init(_ sources: [Source]) {
        func all(_ text: KeyPath<Source, String>) -> String {
            let texts = Set(sources.map { $0[keyPath: text] }).subtracting([""]).sorted()
            return String(texts.joined(separator: "; ").prefix(LineBound.scalars))
        }
        (session, user, delay) = (all(\.sessionDefinition), all(\.userDefinition), all(\.delay))
        areExact = sources.allSatisfy(\.hasExactCounts)
    }

    func describe(_ source: inout Source) {
        (source.sessionDefinition, source.userDefinition, source.delay) = (session, user, delay)
        source.hasExactCounts = areExact
    }
}
