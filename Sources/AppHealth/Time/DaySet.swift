/// Days, held as spans without a gap: as small as the days of an app are few gaps apart.
package struct DaySet: Hashable, Codable, Sendable {
    /// Days without a gap.
    package struct Span: Hashable, Codable, Sendable {
        /// The first of them.
        package fileprivate(set) var first: CivilDate
        /// The last of them.
        package fileprivate(set) var last: CivilDate
    }

    /// In order, with a day between each two of them that is not in the set.
    package private(set) var spans: [Span] = []

    /// The set of some days, in any order.
    package init(_ days: some Sequence<CivilDate>) {
        for day in days.sorted() {
            if let last = spans.last?.last, day <= last.advanced(by: 1) {
                spans[spans.count - 1].last = max(day, last)
            } else {
                spans.append(Span(first: day, last: day))
            }
        }
    }

    /// Whether a day is one of them.
    package func contains(_ day: CivilDate) -> Bool { intersects(day...day) }

    /// Whether any of successive days is one of them.
    package func intersects(_ days: ClosedRange<CivilDate>) -> Bool {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].last < days.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].first <= days.upperBound
    }

    /// The days from the first to the last; nil when there is none.
    package var span: ClosedRange<CivilDate>? {
        guard let first = spans.first, let last = spans.last else { return nil }
        return first.first...last.last
    }

    /// The days that either has.
    package func union(_ other: DaySet) -> DaySet {
        DaySet(
            (spans + other.spans).flatMap { span in
                (0...span.first.days(to: span.last)).map { span.first.advanced(by: $0) }
            })
    }

    /// Those from a day on.
    package func since(_ day: CivilDate) -> DaySet {
        var some = self
        some.spans = spans.filter { $0.last >= day }.map { Span(first: max($0.first, day), last: $0.last) }
        return some
    }

    /// Those up to a day.
    package func through(_ day: CivilDate) -> DaySet {
        var some = self
        some.spans = spans.prefix { $0.first <= day }.map { Span(first: $0.first, last: min($0.last, day)) }
        return some
    }
}
