package import AppHealth

/// An issue as pages of releases list it: what is shown of it there, so that they stay as they are when the rest moves.
package struct ListedIssue: Hashable, Codable, Sendable {
    /// The issue with its state, without what changes each time it is seen.
    package let issue: Issue
    /// Its users in the release; nil when they are not known.
    package let users: Int?
    /// Its events of each day of the window of lists; nil when the source has no days of it or no row shows them.
    package let values: [Double?]?
    /// The versions it was seen in.
    package let versions: SeenVersions
    /// What marks it.
    package let signals: [IssueSignal]

    /// An issue of which only the name and the state are listed.
    fileprivate init(_ facts: IssueFacts) {
        (issue, users, values) = (facts.issue.stated, nil, nil)
        (versions, signals) = (SeenVersions(first: nil, last: nil), [])
    }

    /// An issue that has a row: up to the end of a release that is over, else as lists have it.
    fileprivate init(
        _ facts: IssueFacts, inRelease label: String, through end: CivilDate?, _ section: IssuesSection
    ) {
        (issue, users, versions) = (facts.issue.stated, facts.users(inRelease: label), facts.versions)
        values = end.map { section.values(of: facts, through: $0) } ?? facts.window.values
        signals = end.map { facts.signals(on: $0) } ?? facts.signals
    }
}

/// The issues that the pages of a release, or of two, list.
package struct ListedIssues: Hashable, Codable, Sendable {
    /// Whether the source counts any issue by release.
    package let countsReleases: Bool
    /// Whether it says of any issue in which release it was first seen.
    package let knowsFirstReleases: Bool
    /// Why there are no issues at all; nil when a source knows them.
    package let lack: Nothing?
    private let byID: [String: ListedIssue]

    /// An issue by the source's id.
    package subscript(id: String) -> ListedIssue? { byID[id] }

    /// How many new issues a page of a release shows.
    package static let newLimit = 20
    /// How many top issues it shows.
    package static let topLimit = 10

    /// The issues of a release.
    ///
    /// - Parameter end: the last day of a release that is over; nil of one in use.
    init(_ release: ReleaseFacts, _ section: IssuesSection, through end: CivilDate?) {
        let rows = Set(
            release.newIssues.prefix(Self.newLimit).map(\.id)
                + release.topIssues.prefix(Self.topLimit).map(\.id)
                + release.regressedIssues.map(\.id))
        let ids = rows.union(release.issues.map(\.id))
        (countsReleases, lack) = (section.countsReleases, section.lack)
        knowsFirstReleases = section.knowsFirstReleases
        byID = section.chosen(ids) { id, facts in
            rows.contains(id)
                ? ListedIssue(facts, inRelease: release.label, through: end, section) : ListedIssue(facts)
        }
    }

    /// The issues of two releases.
    init(_ pair: PairFacts, _ section: IssuesSection) {
        (countsReleases, lack) = (section.countsReleases, section.lack)
        knowsFirstReleases = section.knowsFirstReleases
        byID = section.chosen(Set((pair.onlyLater + pair.both + pair.onlyEarlier).map(\.id))) {
            ListedIssue($1)
        }
    }
}

extension IssuesSection {
    fileprivate var knowsFirstReleases: Bool { all.contains { $0.issue.firstVersion != nil } }

    fileprivate func chosen(
        _ ids: Set<String>, _ listed: (String, IssueFacts) -> ListedIssue
    ) -> [String: ListedIssue] {
        Dictionary(
            ids.compactMap { id in self[id].map { (id, listed(id, $0)) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Issue {
    /// Its mention with its state.
    fileprivate var stated: Issue {
        var issue = mention
        issue.state = state
        return issue
    }
}
