/// How much of a kind of fact a source reported for one day.
///
/// A zero is shown only where coverage is complete: what has no value on a day that is partly covered, or of which
/// nothing was stated, is not known.
package enum Coverage: Hashable, Codable, Sendable {
    /// Everything the source has: what has no value had nothing.
    case complete
    /// Everything the source has, with different ones counted approximately: the relative standard error of such a count,
    /// more than 0.
    case approximate(deviation: Double)
    /// So many of so many parts, such as issues of a list that was cut off; nil where the number is not known. What was
    /// counted may be counted approximately as well: its relative standard error, 0 where it is exact.
    case partial(counted: Int?, of: Int?, deviation: Double = 0)
    /// Nothing was stated, or the day was never requested.
    case unknown

    /// Whether what has no value had nothing.
    package var isComplete: Bool {
        switch self {
        case .complete, .approximate: true
        case .partial, .unknown: false
        }
    }

    /// The relative standard error of a count of different ones; 0 where it is exact, as far as it is stated.
    package var deviation: Double {
        switch self {
        case .approximate(let deviation), .partial(_, _, let deviation): deviation
        case .complete, .unknown: 0
        }
    }

    /// Whether a part alone was reported, so that counts are too low.
    package var isPartial: Bool { if case .partial = self { true } else { false } }

    /// Whether a part alone was reported of which nothing says how much it is.
    package var isOfUnknownSize: Bool { self == .partial(counted: nil, of: nil) }

    /// Whether the source reported anything for the day.
    package var isKnown: Bool { self != .unknown }
}

/// A kind of fact whose coverage is stated.
package enum CoveredFact: String, Hashable, Codable, Sendable, CaseIterable {
    /// Sessions and crashed sessions by day.
    case sessions
    /// Users and affected users by day.
    case users
    /// Crash events by day, all issues together.
    case crashes
    /// Health by day for each release.
    case releaseHealth
    /// Events by day of each issue.
    case issueDays
    /// Users by day of each issue.
    case issueUsers
    /// Counts by day of each issue in each release.
    case issueReleases
    /// Active and new users by day.
    case usage
}

/// What a snapshot states of the coverage of successive days.
package struct CoverageSpan: Hashable, Codable, Sendable {
    /// The kind of fact.
    package var fact: CoveredFact
    /// The days, in the source's zone.
    package var days: ClosedRange<CivilDate>
    /// How much of each of them was reported.
    package var coverage: Coverage

    /// States the coverage of days.
    package init(_ fact: CoveredFact, _ days: ClosedRange<CivilDate>, _ coverage: Coverage = .complete) {
        self.fact = fact
        self.days = days
        self.coverage = coverage
    }

    /// Each of the days; of very many the newest: no report goes further back, and a wrong date costs no endless table.
    package var boundedDays: [CivilDate] {
        let count = min(days.lowerBound.days(to: days.upperBound), ReportSpan.longestStated - 1)
        return (0...max(count, 0)).reversed().map { days.upperBound.advanced(by: -$0) }
    }
}

/// The coverage of every day as it is known.
package struct CoverageHistory: Hashable, Codable, Sendable {
    private var byFact: [CoveredFact: [CivilDate: Coverage]] = [:]

    /// Makes a history in which nothing is stated.
    package init() {}

    /// Makes a history of spans; a later one overrides the earlier ones.
    package init(_ spans: [CoverageSpan]) {
        for span in spans { state(span) }
    }

    /// The coverage of a kind of fact on a day.
    package func callAsFunction(_ fact: CoveredFact, on day: CivilDate) -> Coverage {
        byFact[fact]?[day] ?? .unknown
    }

    /// The days of which anything is known of a kind of fact, ascending.
    package func days(of fact: CoveredFact) -> [CivilDate] {
        (byFact[fact] ?? [:]).filter { $0.value.isKnown }.keys.sorted()
    }

    /// The same as runs of successive days with one coverage: by kind of fact, then by day.
    package var spans: [CoverageSpan] {
        CoveredFact.allCases.flatMap { fact in
            (byFact[fact] ?? [:]).sorted { $0.key < $1.key }.reduce(into: []) { runs, entry in
                guard let last = runs.last, last.coverage == entry.value,
                    last.days.upperBound.advanced(by: 1) == entry.key
                else { return runs.append(CoverageSpan(fact, entry.key...entry.key, entry.value)) }
                runs[runs.count - 1].days = last.days.lowerBound...entry.key
            }
        }
    }

    /// Whether anything at all is stated of a kind of fact.
    package func states(_ fact: CoveredFact) -> Bool { byFact[fact]?.isEmpty == false }

    /// Without what is stated of later days.
    func through(_ last: CivilDate) -> CoverageHistory {
        var history = self
        history.byFact = byFact.mapValues { $0.filter { $0.key <= last } }
        return history
    }

    /// Takes what another history states of some kinds of facts on some days in place of its own.
    mutating func take(_ facts: [CoveredFact], from other: CoverageHistory, on days: ClosedRange<CivilDate>) {
        for fact in facts {
            let own = (byFact[fact] ?? [:]).filter { !days.contains($0.key) }
            byFact[fact] = (other.byFact[fact] ?? [:]).filter { days.contains($0.key) }.merging(own) { $1 }
        }
    }

    /// Adds what is stated of a span; it overrides what was stated before.
    package mutating func state(_ span: CoverageSpan) {
        for day in span.boundedDays { byFact[span.fact, default: [:]][day] = span.coverage }
    }
}
