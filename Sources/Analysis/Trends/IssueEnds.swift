import AppHealth

/// The day with which what is shown of an issue ends: its figures do not change when nothing happens to it any more,
/// whatever else the nights bring.
struct IssueEnds {
    /// How many known days in a row without an event make an issue quiet: as far as any figure of it looks back.
    static let silence = IssueTrends.Settings().lookBack

    private let quiet: [String: CivilDate]
    private let lastDay: CivilDate

    init(_ index: HistoryIndex) {
        lastDay = index.lastDay
        quiet = quietIssues(index)
    }

    /// The last day of an issue; the last complete day where it is not quiet.
    subscript(id: String) -> CivilDate { quiet[id] ?? lastDay }
}

/// The day on which each quiet issue had been silent for as long as it takes, where every day of that is known.
private func quietIssues(_ index: HistoryIndex) -> [String: CivilDate] {
    guard let first = index.days.first else { return [:] }
    var known = 0
    // For each day how many days up to it are known in a row.
    let runs = index.days.map { day in
        known = index.issueCoverage(on: day).isComplete ? known + 1 : 0
        return known
    }
    var next: Int?
    // For each day the first day from it on that ends a long enough run.
    let ends = Array(
        runs.indices.reversed().map { place -> Int? in
            if runs[place] >= IssueEnds.silence { next = place }
            return next
        }.reversed())
    return index.issueDays.compactMapValues { rows in
        let last = rows.last { $0.events != 0 || ($0.users ?? 0) > 0 } ?? rows.first
        guard let last else { return nil }
        let place = first.days(to: last.date) + IssueEnds.silence
        guard ends.indices.contains(place) else { return nil }
        return ends[place].map { index.days[$0] }
    }
}
