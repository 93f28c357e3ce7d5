package import AppHealth

/// The events of all issues of an app by day, as far as its source reports them: what an app without rates is shown by.
///
/// Events are neither users nor sessions: no rate follows from them, and they are never added to either.
package struct ReportedEvents: Hashable, Codable, Sendable {
    /// The events of each of the last days of which they are known, those of the reported issues alone where these are a
    /// part. Of such a day without any, nothing is known.
    package let counts: [CivilDate: Int]
    /// The days of these on which every issue is reported.
    package let wholeDays: DaySet
    /// How much of the issues is reported on the days of the window, where it is the same on all that are not whole.
    package let reported: Coverage
    /// Whether these days are of a steady share of everybody: no issue is missing on them, and users are.
    package let isOfShare: Bool
    /// The window of lists.
    package let window: ClosedRange<CivilDate>
    /// The events of the days of the window; nil when none is known.
    package let events: Int?
    /// On how many days of the window they are known.
    package let days: KnownDays
    /// How they changed from the window before; nil where no day can be compared.
    package let change: WindowChange?
    /// How many issues were first seen in the window; nil where the data does not reach back to its first day.
    package let newIssues: Int?
    /// The same of the window before; nil where the data does not reach back to its first day, or is another source's.
    package let newIssuesBefore: Int?
    /// What each release had in the window, most events first; empty where the source counts none by release.
    package let releases: [EventsOfRelease]
    /// On how many days of the window events by release are known.
    package let releaseDays: KnownDays
    /// The first day of the app with any figure.
    private let firstDay: CivilDate
    /// The days from which on they are from another source than before.
    private let changes: [CivilDate]
    /// What was to be expected of each of the last days.
    private let expected: ExpectedDays

    /// Events against those of the days a window before: the same weekdays, and of both every issue was reported.
    package struct WindowChange: Hashable, Codable, Sendable {
        /// How many days of the window could be compared.
        package let days: KnownDays
        /// How much the events grew, in 0…1 of what they were.
        package let growth: Double
    }

    /// The events in one release.
    package struct EventsOfRelease: Hashable, Codable, Sendable {
        /// The label of the release.
        package let label: String
        /// Its events.
        package let events: Int
        /// How many issues had any.
        package let issues: Int
    }

    /// The events of a day; nil when they are not known.
    package subscript(day: CivilDate) -> Int? { counts[day] }

    /// The events of a day against those of the week before, where every issue of both is reported.
    package func change(on day: CivilDate) -> CountChange? {
        CountChange(on: day, changes) { wholeDays.contains($0) ? counts[$0] : nil }
    }

    /// Whether they are the events of every issue, on all known days of the last ones.
    package var areWhole: Bool { counts.keys.allSatisfy(wholeDays.contains) }

    /// Whether they are the crashes, so that both need not be shown.
    package func areCrashes(_ stability: StabilitySection) -> Bool {
        stability.isCounted && counts.allSatisfy { stability.crashes[$0.key] == $0.value }
    }

    /// The events of some days with what was to be expected. What is a part of all says nothing of what is usual.
    package func course(on days: [CivilDate], _ issues: IssuesSection) -> CountCourse {
        let hasTrouble = issues.source?.trouble != nil
        let last = counts.keys.max()
        let all = days.map { day in
            let isLate = hasTrouble && last.map { day > $0 } == true
            return CountDay(
                date: day, count: counts[day],
                absence: day < firstDay ? .notCollected : isLate ? .failed : .missing,
                isProvisional: counts[day] != nil && issues.isProvisional(day))
        }
        return areWhole
            ? CountCourse(all, expected: { expected[$0] }, changes: changes) : CountCourse(ofAPart: all)
    }
}

extension ReportedEvents {
    /// The events of an app without rates; nil for another one, and when no day is known.
    init?(_ index: HistoryIndex, _ stability: StabilitySection, found: [Event]) {
        guard !stability.hasRates, index.issues.countsDays, let firstDay = index.days.first else {
            return nil
        }
        let span = index.lastDay.advanced(by: 1 - AppFacts.chartSpan)...index.lastDay
        let known = EventsByDay(index, on: span)
        guard !known.counts.isEmpty else { return nil }
        let listSpan = AppFacts.listSpan
        let window = index.lastDay.advanced(by: 1 - listSpan)...index.lastDay
        let before = window.lowerBound.advanced(by: -listSpan)...window.lowerBound.advanced(by: -1)
        let counted = known.counts.filter { window.contains($0.key) }
        let parts = Set(counted.keys.map(index.issues.coverage)).filter { !$0.isComplete }
        let begun = found.lazy.filter { $0.kind == .newIssue }.map(\.occasion.day)
        let dates = (0..<listSpan).map { window.lowerBound.advanced(by: $0) }
        let changes = stability.changes.days(of: [.issueDays])
        self.changes = changes
        self.expected = ExpectedDays(wholeOf: index, on: span, changes)
        self.firstDay = firstDay
        self.window = window
        self.counts = known.counts
        self.wholeDays = known.whole
        self.reported =
            parts.isEmpty ? .complete : parts.count == 1 ? parts.first ?? .unknown : .unknown
        self.isOfShare = index.issues.countsShareOfUsers(on: counted.keys)
        self.events = counted.isEmpty ? nil : counted.values.reduce(0, &+)
        self.days = KnownDays(known: counted.count, all: listSpan)
        self.change = WindowChange(known, on: dates, changes)
        self.newIssues = firstDay <= window.lowerBound ? begun.count { window.contains($0) } : nil
        self.newIssuesBefore =
            firstDay <= before.lowerBound && !changes.separate(before.lowerBound, window.upperBound)
            ? begun.count { before.contains($0) } : nil
        self.releases = EventsOfRelease.all(in: index, on: window)
        self.releaseDays = KnownDays(
            known: dates.count { index.issues.releaseCoverage(on: $0).isComplete }, all: listSpan)
    }
}

/// The events of all issues by day.
private struct EventsByDay {
    var counts: [CivilDate: Int] = [:]
    var whole: DaySet

    init(_ index: HistoryIndex, on span: ClosedRange<CivilDate>) {
        var uncounted: Set<CivilDate> = []
        for rows in index.issues.days.values {
            for row in rows.rows(on: span) {
                guard let events = row.events else {
                    uncounted.insert(row.date)
                    continue
                }
                counts[row.date] = PlausibleCount.sum(counts[row.date, default: 0], events)
            }
        }
        let last = index.lastDay(of: index.issues.source)
        let whole = (0...span.lowerBound.days(to: span.upperBound)).map { span.lowerBound.advanced(by: $0) }
            .filter { $0 <= last && index.issues.coverage(on: $0).isComplete && !uncounted.contains($0) }
        for day in whole where counts[day] == nil { counts[day] = 0 }
        self.whole = DaySet(whole)
        counts = counts.filter { [whole = self.whole] in $0.value > 0 || whole.contains($0.key) }
    }
}

extension ExpectedDays {
    /// Those of the events of all issues. A day of which not every issue is reported teaches nothing.
    fileprivate init(wholeOf index: HistoryIndex, on span: ClosedRange<CivilDate>, _ changes: [CivilDate]) {
        let learned = ExpectedDays.firstLearned(for: span.lowerBound)
        let first = min(max(index.days.first ?? learned, learned), span.lowerBound)
        let all = EventsByDay(index, on: first...span.upperBound)
        let days = (0...span.lowerBound.days(to: span.upperBound)).map { span.lowerBound.advanced(by: $0) }
        self.init(of: days, known: first, changes) { all.whole.contains($0) ? all.counts[$0] : nil }
    }
}

extension ReportedEvents.WindowChange {
    fileprivate init?(_ known: EventsByDay, on dates: [CivilDate], _ changes: [CivilDate]) {
        let pairs = dates.compactMap { day -> (now: Int, before: Int)? in
            let earlier = day.advanced(by: -dates.count)
            guard !changes.separate(earlier, day), known.whole.contains(day),
                known.whole.contains(earlier), let now = known.counts[day],
                let before = known.counts[earlier]
            else { return nil }
            return (now, before)
        }
        let before = pairs.reduce(0) { $0 &+ $1.before }
        guard before > 0 else { return nil }
        days = KnownDays(known: pairs.count, all: dates.count)
        growth = Double(pairs.reduce(0) { $0 &+ $1.now }) / Double(before) - 1
    }
}

extension ReportedEvents.EventsOfRelease {
    fileprivate static func all(in index: HistoryIndex, on window: ClosedRange<CivilDate>) -> [Self] {
        var counts: [String: (events: Int, issues: Int)] = [:]
        for rows in index.issues.releaseDays.values {
            var ofIssue: [String: Int] = [:]
            for row in rows.rows(on: window) {
                guard let label = row.version, let events = row.events, events > 0 else { continue }
                ofIssue[label, default: 0] += events
            }
            for (label, events) in ofIssue {
                let all = counts[label] ?? (0, 0)
                counts[label] = (PlausibleCount.sum(all.events, events), all.issues + 1)
            }
        }
        return counts.map { Self(label: $0, events: $1.events, issues: $1.issues) }.sorted { first, second in
            first.events != second.events
                ? first.events > second.events : Version(first.label) > Version(second.label)
        }
    }
}
