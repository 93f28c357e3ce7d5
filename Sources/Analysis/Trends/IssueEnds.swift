import AppHealth

/// The day with which the page of an issue ends: the last one with an event or, when enough settled days without one
/// have followed, a later one. So the page changes when something happens to its issue, and not with each night.
struct IssueEnds {
    /// After how many settled days without an event the page goes on to the last of them. After the most no figure of
    /// the issue looks back to an event.
    static let steps = [0, 3] + Array(stride(from: 7, through: IssueTrends.Settings().lookBack, by: 7))

    private let index: HistoryIndex
    /// For each of the steps and each day the first day from it on that ends so many settled days.
    private let ends: [[Int?]]

    init(_ index: HistoryIndex) {
        self.index = index
        var settled = 0
        let runs = index.days.map { day in
            settled =
                index.issueCoverage(on: day).isComplete && !index.areIssuesProvisional(on: day)
                ? settled + 1 : 0
            return settled
        }
        ends = Self.steps.map { step in
            var next: Int?
            return Array(
                runs.indices.reversed().map { place in
                    if runs[place] >= step { next = place }
                    return next
                }.reversed())
        }
    }

    /// The last day of the page of an issue; the last complete day where nothing says when it was seen.
    subscript(id: String) -> CivilDate {
        guard let first = index.days.first, let seen = lastSeen(of: id) else { return index.lastDay }
        let place = max(first.days(to: seen), -1)
        for (step, ends) in zip(Self.steps, ends).reversed() where ends.indices.contains(place + step) {
            if let end = ends[place + step] { return index.days[end] }
        }
        return index.lastDay
    }

    /// The last day with an event, as days count it or as the source says: of a list that was cut off it may have seen
    /// the issue on a day that does not count it.
    private func lastSeen(of id: String) -> CivilDate? {
        let counted = [index.issueDays[id] ?? [], index.issueReleaseDays[id] ?? []].compactMap { rows in
            (rows.last { $0.events != 0 || ($0.users ?? 0) > 0 } ?? rows.first)?.date
        }
        return (counted + [index.issuesByID[id]?.lastSeenDay].compactMap(\.self)).max()
    }
}

extension HistoryIndex {
    /// Whether the issues of a day may still change: with the stability that their source reports, or by the age of
    /// the day where it reports none.
    func areIssuesProvisional(on day: CivilDate) -> Bool {
        guard let issues, let capturedAt = issues.capturedAt else { return false }
        return issues.source.isProvisional(day, issues.healthSettlement, capturedAt: capturedAt)
    }

    /// Whether the crashes of each day are settled: as their source reports of its days, or by the age of the day.
    var crashSettlement: [CivilDate: DayFinality] {
        guard let source = crashSource, let capturedAt = source.capturedAt else { return [:] }
        return Dictionary(
            crashes.keys.map { day in
                let known = source.healthSettlement[day]
                return (day, known ?? source.source.finality(of: day, capturedAt: capturedAt))
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension Source {
    /// Whether the issues of a day may still change.
    ///
    /// - Parameters:
    ///   - finality: whether each day is settled, where the source says so.
    ///   - capturedAt: when its newest snapshot was captured.
    func isProvisional(
        _ day: CivilDate, _ finality: [CivilDate: DayFinality], capturedAt: Instant
    ) -> Bool {
        (finality[day] ?? self.finality(of: day, capturedAt: capturedAt)).doubt != nil
    }

    /// Whether a day is settled by its age alone.
    fileprivate func finality(of day: CivilDate, capturedAt: Instant) -> DayFinality {
        let end = Instant(startOf: day.advanced(by: 1))
        return end.seconds(to: capturedAt) < settling.settlesAfterHours * 3600
            ? .provisional(.early(settlesAfterHours: settling.settlesAfterHours)) : .settled
    }
}
