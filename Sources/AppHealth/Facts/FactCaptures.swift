/// When the newest figures of days, issues and releases were captured. A later capture that repeats them does not
/// count, so that what is shown of a day stays as it is until one of its figures is revised.
package struct FactCaptures: Hashable, Codable, Sendable {
    /// By day: its health, its use, the counts of its issues.
    package private(set) var days: [CivilDate: Instant] = [:]
    /// By day: the first capture that reported anything of it after it was over.
    package private(set) var first: [CivilDate: Instant] = [:]
    /// The same of one kind of figure.
    package private(set) var firstOf: [DailyFigure: [CivilDate: Instant]] = [:]
    /// By the id of an issue: its description and its days.
    package private(set) var issues: [String: Instant] = [:]
    /// By the label of a release: its description, its health, the counts of its issues.
    package private(set) var releases: [String: Instant] = [:]

    /// No capture.
    package init() {}

    /// The newest of them all; nil when there is none.
    package var newest: Instant? {
        [days.values.max(), issues.values.max(), releases.values.max()].compactMap(\.self).max()
    }

    /// Adds that a capture reported of days, and which of their figures; what it had of days that were not over does not
    /// count.
    package mutating func add(_ instant: Instant, days: ClosedRange<CivilDate>, of figure: DailyFigure? = nil)
    {
        let last = min(days.upperBound, instant.date.advanced(by: -1))
        guard last >= days.lowerBound else { return }
        for back in 0...min(days.lowerBound.days(to: last), ReportSpan.longestStated) {
            let day = last.advanced(by: -back)
            keepEarlier(instant, &first[day])
            if let figure { keepEarlier(instant, &firstOf[figure, default: [:]][day]) }
        }
    }

    /// Adds those of another source.
    mutating func add(_ other: FactCaptures) {
        days.merge(other.days) { max($0, $1) }
        first.merge(other.first) { min($0, $1) }
        firstOf.merge(other.firstOf) { $0.merging($1) { min($0, $1) } }
        issues.merge(other.issues) { max($0, $1) }
        releases.merge(other.releases) { max($0, $1) }
    }

    /// Gives issues other names.
    mutating func renameIssues(_ name: (String) -> String) {
        issues = Dictionary(issues.map { (name($0), $1) }, uniquingKeysWith: { max($0, $1) })
    }

    /// Adds that a figure of these was captured at an instant.
    package mutating func add(
        _ instant: Instant, day: CivilDate? = nil, issue: String? = nil, release: String? = nil
    ) {
        if let day { keepLater(instant, &days[day]) }
        if let issue { keepLater(instant, &issues[issue]) }
        if let release { keepLater(instant, &releases[release]) }
    }
}

private func keepLater(_ instant: Instant, _ kept: inout Instant?) {
    if kept.map({ $0 < instant }) ?? true { kept = instant }
}

private func keepEarlier(_ instant: Instant, _ kept: inout Instant?) {
    if kept.map({ instant < $0 }) ?? true { kept = instant }
}
