import AppHealth

/// The days on which the source of an issue could know it, where that source replaced another one or was replaced: on other
/// days nothing is known of the issue.
package struct IssueSpan: Hashable, Codable, Sendable {
    /// The first of them; nil where no source came before.
    let first: CivilDate?
    /// The last of them; nil where no source came after.
    let last: CivilDate?

    /// Whether its source could know the issue on a day.
    func contains(_ day: CivilDate) -> Bool {
        first.map { day >= $0 } ?? true && last.map { day <= $0 } ?? true
    }
}

/// The spans of all issues that have one, by id.
struct IssueSpans: Sendable {
    private let all: [String: IssueSpan]

    init(_ succession: SourceSuccession) {
        let (firsts, lasts) = (succession.firstDaysOfIssues, succession.lastDaysOfIssues)
        let ids = Set(firsts.keys).union(lasts.keys)
        all = Dictionary(
            ids.map { ($0, IssueSpan(first: firsts[$0], last: lasts[$0])) },
            uniquingKeysWith: { first, _ in first })
    }

    /// That of an issue; nil where no source replaced another one.
    subscript(issue: String) -> IssueSpan? { all[issue] }

    /// Whether its source could know an issue on a day.
    func contains(_ day: CivilDate, of issue: String) -> Bool { all[issue]?.contains(day) ?? true }
}
