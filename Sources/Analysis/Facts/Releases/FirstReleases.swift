import AppHealth

/// In which release each issue was first seen: as its source says, or as the days of issues and releases show.
struct FirstReleases {
    private let starts: IssueStarts?
    private let begins: ReleaseBegins
    /// What the days show of issues whose source names no first version, by id.
    private var shown: [String: Version] = [:]
    /// The first day of such issues in each release, by id and label.
    private var firstDays: [String: [String: CivilDate]] = [:]

    init(_ index: HistoryIndex) {
        let unnamed = index.issues.byID.all.filter { $0.firstVersion == nil }
        guard !index.issues.releaseDays.isEmpty, !unnamed.isEmpty else {
            (starts, begins) = (nil, ReleaseBegins())
            return
        }
        let starts = IssueStarts(index)
        let begins = ReleaseBegins(index)
        for issue in unnamed {
            for row in index.issues.releaseDays[issue.id] ?? [] where row.isSeen {
                guard let label = row.version, firstDays[issue.id]?[label] == nil else { continue }
                firstDays[issue.id, default: [:]][label] = row.date
            }
            guard let day = starts.first(of: issue)?.day,
                let label = index.issues.firstLabel(of: issue.id, since: day)
            else { continue }
            if begins.latest(label).map({ $0 <= day }) == true { shown[issue.id] = Version(label) }
        }
        (self.starts, self.begins) = (starts, begins)
    }

    /// An issue with the version in which it was first seen, as far as that is known.
    func withFirstVersion(_ issue: Issue) -> Issue {
        guard issue.firstVersion == nil, let first = shown[issue.id] else { return issue }
        var issue = issue
        issue.firstVersion = first
        return issue
    }

    /// Whether an issue was first seen in a release; nil when that is not known.
    func isNew(_ issue: Issue, in label: String) -> Bool? {
        if let first = issue.firstVersion ?? shown[issue.id] { return first.label == label }
        let days = firstDays[issue.id] ?? [:]
        guard let own = days[label] else { return false }
        // It was in another one before.
        if days.values.contains(where: { $0 < own }) { return false }
        guard let known = starts?.firstKnown(of: issue), let begin = begins.earliest(label) else {
            return nil
        }
        return known < begin ? false : nil
    }
}

extension IssueIndex {
    /// The label of the first release in which an issue was seen, where all is known of it since a day: of several on one
    /// day the oldest.
    fileprivate func firstLabel(of issue: String, since day: CivilDate) -> String? {
        let seen = (releaseDays[issue] ?? []).lazy.filter(\.isSeen)
        guard let first = seen.first?.date, first >= day,
            (0..<min(day.days(to: first), HistoryIndex.longestSpan)).allSatisfy({
                releaseCoverage(on: day.advanced(by: $0)).isComplete
            })
        else { return nil }
        let rows = seen.prefix { $0.date == first }
        guard knowsAllReleases(of: issue, on: first, rows.reduce(0) { $0 &+ ($1.events ?? 0) }) else {
            return nil
        }
        return rows.compactMap { $0.version.map { Version($0) } }.inOrder.min()?.label
    }

    /// Whether the events of an issue on a day are those of some releases, so many, and of no other.
    private func knowsAllReleases(of issue: String, on day: CivilDate, _ events: Int) -> Bool {
        if releaseCoverage(on: day).isComplete { return true }
        return days[issue]?.rows(on: day).first?.events.map { $0 <= events } ?? false
    }
}

/// When releases came out, as far as that is known: on the day that the source says, or with their first use.
private struct ReleaseBegins {
    private var stated: [String: CivilDate] = [:]
    private var used: [String: CivilDate] = [:]
    /// The first day on which any was used.
    private var start: CivilDate?

    /// Those of no release.
    init() {}

    init(_ index: HistoryIndex) {
        for release in index.releases.newestFirst.map(index.releases.withoutDayToCome) {
            stated[release.version.label] = release.releaseDay
        }
        let health = index.releases.counts.health.lazy.filter { ($1.sessions ?? $1.users ?? 0) > 0 }
        for (key, _) in health { add(key.version, key.date) }
        for row in index.issues.releaseDays.values.joined() where row.isSeen {
            if let label = row.version { add(label, row.date) }
        }
        start = used.values.min()
    }

    private mutating func add(_ label: String, _ day: CivilDate) {
        used[label] = min(used[label] ?? day, day)
    }

    /// The day on which a release was out at the latest.
    func latest(_ label: String) -> CivilDate? { [stated[label], used[label]].compactMap(\.self).min() }

    /// The same where it was not out before; nil where it may have been, as it was used on the first day of all.
    func earliest(_ label: String) -> CivilDate? {
        guard let used = used[label], used == start else { return latest(label) }
        return stated[label].map { min($0, used) }
    }
}

extension [Version] {
    /// Those of which it is known which came first: numbers where there are any, as a label without one has no place among
    /// them.
    var inOrder: [Version] {
        let numbers = filter(\.isNumber)
        return numbers.isEmpty ? self : numbers
    }
}
