import AppHealth

/// The sources of use. Each number is from the first one that has it: the figures of a store are new users alone.
extension [SourceHistory] {
    /// Those that report use, in their order.
    var ofUsage: [SourceHistory] {
        filter { $0.capturedAt != nil && $0.source.capabilities.contains(.usage) }
    }

    /// The first that has active users of any day.
    var ofActiveUsers: SourceHistory? { ofUsage.first { $0.usage.contains { $0.activeUsers != nil } } }

    /// The first that has sessions of any day.
    var ofSessionsOfUse: SourceHistory? { ofUsage.first { $0.usage.contains { $0.sessions != nil } } }

    /// The first that has new users of any day.
    var ofNewUsers: SourceHistory? { ofUsage.first { $0.usage.contains { $0.newUsers != nil } } }

    /// The last day of which use is known and has come in.
    ///
    /// - Parameter lastDay: The last one of the report.
    func lastUsageDay(through lastDay: CivilDate, asOf: Instant) -> CivilDate? {
        let known = ofActiveUsers ?? ofUsage.first
        return known.wholeUsage(through: known?.lastWholeDay(at: asOf) ?? lastDay).last?.date
    }
}

extension SourceHistory? {
    /// Its days of use that are over and have come in.
    func wholeUsage(through last: CivilDate) -> [UsageDay] {
        wholeDays(self?.usage ?? [], self?.usageSettlement, through: last)
    }

    /// Those of its days up to the last whole one that have come in.
    ///
    /// A service that takes days to count, by its own statement, has a part of its last day each night. Such a day has not
    /// come in while it holds less than four fifths of what the same weekday usually does. How late it was captured
    /// counts, not how late the source was last fetched. A source that states a day only once that is there to its end has
    /// low days, not parts of days.
    func wholeDays(
        _ days: [UsageDay], _ settlement: [CivilDate: DayFinality]?, through last: CivilDate
    ) -> [UsageDay] {
        let over = days.filter { $0.date <= last }
        guard let source = self, let capturedAt = source.capturedAt, source.source.takesDaysToCount else {
            return over
        }
        let counts = Dictionary(over.map { ($0.date, $0.use) }, uniquingKeysWith: { first, _ in first })
        let coming = source.daysComingIn(
            counts.compactMapValues(\.self), settlement, capturedAt: capturedAt)
        return over.filter { !coming.contains($0.date) }
    }
}

extension UsageDay {
    /// How much it was used, by what is counted of it.
    fileprivate var use: Int? { activeUsers ?? sessions }
}
