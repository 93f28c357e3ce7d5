import AppHealth

/// The counts of issues on single days, all releases together, one day after the other.
///
/// It holds where the rows of a day lie in the history: sorting all of them by day would take as much memory as they do.
struct IssueRows {
    private let rows: [IssueDay]
    private let places: [CivilDate: [Int32]]

    /// The rows of a history up to the last complete day.
    init(_ issues: IssueIndex) {
        rows = issues.source?.issueDays ?? []
        var places: [CivilDate: [Int32]] = [:]
        if let last = issues.lastDay {
            for (place, row) in rows.enumerated() where row.version == nil && row.date <= last {
                places[row.date, default: []].append(Int32(clamping: place))
            }
        }
        self.places = places
    }

    /// The days that have rows, in any order.
    var days: some Collection<CivilDate> { places.keys }

    /// The rows of a day.
    func callAsFunction(on day: CivilDate) -> [IssueDay] { (places[day] ?? []).map { rows[Int($0)] } }
}
