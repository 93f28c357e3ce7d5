import AppHealth

/// The issues that came back in releases.
struct RegressedIssues {
    private var byRelease: [String: [String]] = [:]

    /// Reads events that are newest first.
    init(_ events: [Event]) {
        for case .regressed(let regressed) in events {
            let label = regressed.seenIn.label
            guard byRelease[label]?.contains(regressed.issue.id) != true else { continue }
            byRelease[label, default: []].append(regressed.issue.id)
        }
    }

    /// Those of a release, each once, newest first.
    func ids(in label: String) -> [String] { byRelease[label] ?? [] }
}

/// All issues by rank, in which those of a release are found without a pass through all of them.
struct RankedIssues {
    private let ranked: [IssueFacts]
    private var byID: [String: Int] = [:]
    private var byFirstRelease: [String: [Int]] = [:]

    init(_ ranked: [IssueFacts]) {
        self.ranked = ranked
        for place in ranked.indices {
            byID[ranked[place].issue.id] = place
            if let first = ranked[place].issue.firstVersion {
                byFirstRelease[first.label, default: []].append(place)
            }
        }
    }

    /// Those that were first seen in a release or have rows in it.
    func issues(of label: String, _ rows: [String: SeenIssues.Count]) -> [Issue] {
        let places = Set(byFirstRelease[label] ?? []).union(rows.keys.compactMap { byID[$0] })
        return places.sorted().map { ranked[$0].issue }
    }
}

/// The issues of one release.
struct ReleaseIssues {
    let top: [ReleaseIssue]
    let new: [ReleaseIssue]
    let all: [ReleaseIssue]
    private let byID: [String: ReleaseIssue]

    /// Those with some ids, in their order.
    func those(_ ids: [String]) -> [ReleaseIssue] {
        ids.map { byID[$0] ?? ReleaseIssue(id: $0, events: nil, share: nil, isNew: false) }
    }

    /// - Parameters:
    ///   - issues: those that were first seen in the release or have rows in it, by rank.
    ///   - firsts: in which release issues were first seen.
    ///   - back: the ids of those that came back in it: they are not new, unless that is known.
    ///   - share: the events of an issue for each session of the release.
    init(
        _ label: String, _ rows: [String: SeenIssues.Count], _ issues: [Issue], _ firsts: FirstReleases,
        back: Set<String>, share: (SeenIssues.Count) -> Fraction?
    ) {
        all = issues.map { issue in
            let row = rows[issue.id]
            return ReleaseIssue(
                id: issue.id, events: row?.rowEvents, share: row.flatMap(share),
                isNew: firsts.isNew(issue, in: label) ?? (back.contains(issue.id) ? false : nil))
        }
        func ordered(_ issues: [ReleaseIssue]) -> [ReleaseIssue] {
            issues.sorted { first, second in
                let (left, right) = (max(first.events ?? 0, 0), max(second.events ?? 0, 0))
                return left != right ? left > right : first.id < second.id
            }
        }
        byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        top = ordered(all.filter { ($0.events ?? 0) > 0 })
        new = ordered(all.filter { $0.isNew == true })
    }
}
