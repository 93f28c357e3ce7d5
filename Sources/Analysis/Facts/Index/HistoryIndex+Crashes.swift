import AppHealth

extension HistoryIndex {
    /// Whether the crashes of a day are not known as some of its events belong to no issue that their source lists.
    func lacksIssuesOfCrashes(on day: CivilDate) -> Bool {
        crashes.source != nil && crashes.source?.source.id == issues.source?.source.id
            && crashes.counts[day] == nil
            && issues.coverage(on: day).isPartial && !issues.countsShareOfUsers(on: day)
    }

    /// The crashes of each day that is over and whole, or of a steady share where no whole ones are known; nil for every
    /// other day, and before the app was there: that nothing crashed then says nothing of what is usual.
    var crashCounts: [Int?] {
        let first = firstSign
        return days.map { day in
            guard let first, day >= first, crashes.judgedSource.isOver(day) else { return nil }
            if crashes.areShared { return crashes.shared[day] }
            return crashes.whole.contains(day) ? crashes.counts[day] : nil
        }
    }

    /// The first day of which it is known that somebody had the app; nil when there is none. A source may report days from
    /// before that.
    private var firstSign: CivilDate? {
        let released = sources.flatMap(\.releases).compactMap(\.releaseDay)
        return [figureDays.firstUse, released.min()].compactMap(\.self).min()
    }

    /// Whether crashes are judged by their number on each day: where no rate is known lately, as that says more.
    var daysByCrashes: [Bool] {
        var last: CivilDate?
        return days.map { day in
            if rates.health[day]?.hasRate == true { last = day }
            return last.map { $0.days(to: day) >= Self.latelySpan } ?? true
        }
    }
}
