package import AppHealth

/// An alert that began on an earlier day and is not known to be over on a day.
package struct LastingAlert: Hashable, Codable, Sendable {
    /// What kind of alert it is.
    package let kind: EventKind
    /// Whether it is about crashes of an app whose rate is not known.
    package let isOnCrashCounts: Bool
    /// Its first day.
    package let since: CivilDate
}

/// The alerts of an app by the days on which they go on after their first one.
struct LastingAlerts {
    private var shown: [CivilDate: [LastingAlert]] = [:]
    private var disturbed: Set<CivilDate> = []

    init(_ activity: Activity, in index: HistoryIndex) {
        let counted = index.countedDays
        // Oldest first.
        for event in activity.shown.reversed() {
            let alert = LastingAlert(
                kind: event.kind, isOnCrashCounts: event.isOnCrashCounts, since: event.occasion.day)
            for day in event.daysAfterTheFirst(through: index.lastDay, counted) {
                shown[day, default: []].append(alert)
            }
        }
        for event in activity.shown + activity.muted.map(\.event) {
            disturbed.formUnion(event.daysAfterTheFirst(through: index.lastDay, counted))
            disturbed.formUnion(index.issues.daysOfSpread(of: event))
        }
    }

    /// Those that are reported of a day, oldest first.
    func alerts(on day: CivilDate) -> [LastingAlert] { shown[day] ?? [] }

    /// Whether a day is one on which something goes on, reported or muted: it is not quiet.
    func disturb(_ day: CivilDate) -> Bool { disturbed.contains(day) }
}

extension Event {
    /// Of a usage anomaly the last day of which it is not decided yet whether it is over.
    private var mayLastThrough: CivilDate? {
        guard case .usage(let anomaly) = self, anomaly.knownOver == nil else { return nil }
        return anomaly.mayLastThrough
    }

    /// The days of an alert that has an end, without its first one. One that is open goes on, also on days without a
    /// figure, as long as it counts among the open ones: until a week of days is known.
    ///
    /// - Parameter counted: the days with figures, in order.
    fileprivate func daysAfterTheFirst(through end: CivilDate, _ counted: [CivilDate]) -> [CivilDate] {
        guard let found = lastDay else { return [] }
        func lastWhileOpen() -> CivilDate {
            let week = counted.lazy.filter { $0 > found }.dropFirst(ActivitySection.signalSpan - 1)
            return week.first?.advanced(by: -1) ?? end
        }
        let last = isOpen ? lastWhileOpen() : max(found, mayLastThrough ?? found)
        let count = occasion.day.days(to: min(last, end))
        return count < 1
            ? [] : (1...min(count, HistoryIndex.longestSpan)).map { occasion.day.advanced(by: $0) }
    }
}

extension IssueIndex {
    /// The days of the week after an Issue Velocity Alert on which its issue is still half as frequent: the alert is
    /// reported once, and what it found goes on.
    fileprivate func daysOfSpread(of event: Event) -> [CivilDate] {
        guard event.kind == .velocity, let id = event.issueID, let rows = days[id] else { return [] }
        let first = event.occasion.day
        guard let events = rows.rows(on: first).last?.events, events > 0 else { return [] }
        return (1..<ActivitySection.signalSpan).map(first.advanced(by:)).filter { day in
            rows.rows(on: day).last?.events.map { $0 * 2 >= events } == true
        }
    }
}
