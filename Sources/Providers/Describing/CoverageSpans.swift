import AppHealth

/// The coverage of single days as spans: successive days that are covered alike are one.
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
