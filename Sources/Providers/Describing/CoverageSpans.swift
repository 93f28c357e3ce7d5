import AppHealth

/// What is stated of single days, put together to runs of days of one coverage, oldest first. Days that nothing is
/// known of are not stated.
func coverageSpans(_ fact: CoveredFact, _ days: [CivilDate: Coverage]) -> [CoverageSpan] {
    var spans: [CoverageSpan] = []
    for (day, coverage) in days.sorted(by: { $0.key < $1.key }) where coverage.isKnown {
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
///   - all: How many issues the source told of.
///   - isWhole: Whether it told of all that it has.
func coverage(counted: Int, of all: Int, isWhole: Bool) -> Coverage {
    if isWhole, counted >= all { return .complete }
    return counted == 0 ? .unknown : .partial(counted: counted, of: isWhole ? all : nil)
}

/// What the issues' days cover on some dates: all issues that a source told of, or so many of them.
///
/// - Parameter isWhole: Whether the source told of all issues that it has.
func dayCoverage(
    _ days: [IssueDay], of issues: Int, isWhole: Bool, on dates: [CivilDate]
) -> [CivilDate: Coverage] {
    var counted: [CivilDate: Int] = [:]
    for day in days where day.events != nil { counted[day.date, default: 0] += 1 }
    return Dictionary(
        dates.map { ($0, coverage(counted: counted[$0] ?? 0, of: issues, isWhole: isWhole)) }
    ) { first, _ in first }
}
