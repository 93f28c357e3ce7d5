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
                index.issues.coverage(on: day).isComplete && !index.issues.areProvisional(on: day)
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
        let counted = [index.issues.days[id] ?? [], index.issues.releaseDays[id] ?? []].compactMap { rows in
            (rows.last { $0.events != 0 || ($0.users ?? 0) > 0 } ?? rows.first)?.date
        }
        return (counted + [index.issues.byID[id]?.lastSeenDay].compactMap(\.self)).max()
    }
}

extension IssueIndex {
    /// Whether the issues of a day may still change: with the stability that their source reports, or by the age of
    /// the day where it reports none.
    func areProvisional(on day: CivilDate) -> Bool {
        guard let source, let capturedAt = source.capturedAt else { return false }
        return source.source.isProvisional(day, source.healthSettlement, capturedAt: capturedAt)
    }
}

extension CrashDays {
    /// Whether the crashes of each day are settled: as their source reports of its days, or by the age of the day.
    var settlement: [CivilDate: DayFinality] {
        guard let source, let capturedAt = source.capturedAt else { return [:] }
        return Dictionary(
            counts.keys.map { day in
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
