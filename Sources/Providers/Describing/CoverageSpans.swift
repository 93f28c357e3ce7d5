import AppHealth

/// What is stated of single days, put together to runs of days of one coverage, oldest first.
func coverageSpans(_ fact: CoveredFact, _ days: [CivilDate: Coverage]) -> [CoverageSpan] {
    var spans: [CoverageSpan] = []
    for (day, coverage) in days.sorted(by: { $0.key < $1.key }) {
        if let last = spans.last, last.coverage == coverage, last.days.upperBound.advanced(by: 1) == day {
            spans[spans.count - 1].days = last.days.lowerBound...day
        } else {
            spans.append(CoverageSpan(fact, day...day, coverage))
        }
    }
    return spans
}

/// The days as spans that are covered alike.
func coverageSpans(
    _ fact: CoveredFact, _ days: some Sequence<CivilDate>, _ coverage: Coverage = .complete
) -> [CoverageSpan] {
    coverageSpans(fact, Dictionary(days.map { ($0, coverage) }) { first, _ in first })
}

extension ClosedRange<CivilDate> {
    /// Every day of it.
    var all: [CivilDate] { (0...lowerBound.days(to: upperBound)).map { lowerBound.advanced(by: $0) } }
}

/// The coverage of a list of issues on a day of which so many were counted.
///
/// - Parameters:
///   - all: How many issues the source reported of.
///   - isWhole: Whether it reported of all that it has.
func coverage(counted: Int, of all: Int, isWhole: Bool) -> Coverage {
    if isWhole, counted >= all { return .complete }
    return counted == 0 ? .unknown : .partial(counted: counted, of: isWhole ? all : nil)
}

/// What the issues' days cover on some dates: all issues that a source reported of, or so many of them.
///
/// - Parameter isWhole: Whether the source reported of all issues that it has.
func dayCoverage(
    _ days: [IssueDay], of issues: Int, isWhole: Bool, on dates: [CivilDate]
) -> [CivilDate: Coverage] {
    var counted: [CivilDate: Int] = [:]
    for day in days where day.events != nil { counted[day.date, default: 0] += 1 }
    return Dictionary(
        dates.map { ($0, coverage(counted: counted[$0] ?? 0, of: issues, isWhole: isWhole)) }
    ) { first, _ in first }.known
}

/// What the days of issues cover on each date: all issues that may have had an event then, or so many of them.
///
/// - Parameters:
///   - isWhole: Whether no other issue had an event on these dates.
///   - isKnown: Whether the count of an issue on a date is known, zero too.
func activeCoverage(
    of issues: [Issue], isWhole: Bool, on dates: [CivilDate], isKnown: (Issue, CivilDate) -> Bool
) -> [CivilDate: Coverage] {
    Dictionary(
        dates.map { date in
            let active = issues.filter { $0.mayHaveEvents(on: date) }
            let counted = active.count { isKnown($0, date) }
            return (date, coverage(counted: counted, of: active.count, isWhole: isWhole))
        }
    ) { first, _ in first }.known
}

extension Issue {
    /// Whether an event may have been counted on the day; one that arrives at midnight counts on the day after.
    func mayHaveEvents(on day: CivilDate) -> Bool {
        if let firstSeen, firstSeen.date > day { return false }
        if let lastSeen, lastSeen.date.advanced(by: 1) < day { return false }
        return true
    }
}

extension [CivilDate: Coverage] {
    /// The days of which anything is known: nothing is stated of the others.
    var known: Self { filter { $0.value.isKnown } }
}
