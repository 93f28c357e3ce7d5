import AppHealth

extension HistoryIndex {
    /// Whether a day of the last four weeks has a rate, users or sessions with those that crashed, or for as long neither
    /// crashes nor events of issues are known either.
    ///
    /// Users or sessions without those that crashed are use: they take the place of no crashes. A row without anything is of
    /// a source of rates.
    var hasHealthLately: Bool {
        let rated = rates.health.values.filter { day in
            Basis.allCases.contains { $0.isRated(day) } || !day.hasCounts
        }
        guard let last = rated.map(\.date).max() else { return false }
        return (crashes.counts.keys.max() ?? issues.lastKnownDay).map { last.days(to: $0) < Self.latelySpan }
            ?? true
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
