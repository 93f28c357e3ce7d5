package import AppHealth

extension [SourceHistory] {
    /// Those that count users or sessions and never which of them crashed: the rate is of another one, and they may have
    /// crashes.
    fileprivate var ofUseAlone: [SourceHistory] {
        let unused = unused
        return filter { source in
            let known = source.source.capabilities
            return !known.isDisjoint(with: [.users, .sessions]) && !known.contains(.issues)
                && !unused.contains(source.source.id) && !Basis.allCases.contains(where: source.hasRate)
        }
    }

    /// Those that report neither issues nor users nor sessions: what they have of crashes is not shown with any of these.
    fileprivate var ofCrashesAlone: [SourceHistory] {
        let unused = unused
        return filter {
            $0.source.capabilities.isDisjoint(with: [.issues, .users, .sessions])
                && !unused.contains($0.source.id)
        }
    }

    /// Those that are there in place of another one of the app, perhaps of another platform.
    private var unused: Set<Slug> { Set(UnusedSource.all(in: map(\.source)).map(\.id)) }
}

/// Crash events of an app by day, all issues together, from one source.
package struct CrashDays: Sendable {
    /// Their source; nil when no source has any.
    package let source: SourceHistory?
    /// Crash events of all issues by day, where the total is known.
    package let counts: [CivilDate: Int]
    /// The days whose total is stated to be whole, or is the sum of issues that all are known.
    let whole: Set<CivilDate>
    /// Those of a steady share of everybody, as the source of issues counts them, where no others are known.
    let shared: [CivilDate: Int]
    /// The source of those that are judged by their number.
    let judgedSource: SourceHistory?
    /// Whether their source is that of the issues.
    private let areOfIssues: Bool

    /// Totals of the source of issues, or the sum of its issues on days that are whole; the totals of a source of rates
    /// where the source of issues has none, else those of the first source of neither that has any.
    ///
    /// No capability says that a source counts crashes by day: it does where it has any.
    ///
    /// - Parameter known: All sources that responded, in the order of the configuration.
    init(_ index: IssueIndex, rates: RateSources, others known: [SourceHistory], asOf: Instant) {
        let issues = index.source
        let own = issues.map { Self.totals(of: $0, $0.lastWholeDay(at: asOf)) } ?? [:]
        let summed = issues.map { Self.sums(of: $0, index, $0.lastWholeDay(at: asOf)) } ?? [:]
        let counts = summed.merging(own) { _, total in total }
        let others =
            counts.isEmpty
            ? [rates.users, rates.sessions].compactMap(\.self) + known.ofUseAlone + known.ofCrashesAlone : []
        let other = others.lazy.map { (source: $0, counts: Self.totals(of: $0, $0.lastWholeDay(at: asOf))) }
            .first { !$0.counts.isEmpty }
        self.counts = other?.counts ?? counts
        self.shared =
            self.counts.isEmpty ? issues.map { Self.shared(by: $0, $0.lastWholeDay(at: asOf)) } ?? [:] : [:]
        let source = counts.isEmpty ? other?.source : issues
        self.source = source
        self.whole = Set(
            self.counts.keys.filter {
                source?.coverage(.crashes, on: $0).isComplete == true || (own[$0] == nil && summed[$0] != nil)
            })
        judgedSource = shared.isEmpty ? source : issues
        areOfIssues = source?.source.id == issues?.source.id
    }

    /// Whether crashes are judged by those of a steady share of everybody.
    var areShared: Bool { !shared.isEmpty }

    /// The crash events of a day as the source of issues counted them; nil where only another source did.
    func own(on day: CivilDate) -> Int? { areOfIssues ? counts[day] : nil }

    private static func totals(of source: SourceHistory, _ lastDay: CivilDate) -> [CivilDate: Int] {
        totals(of: source, lastDay) { !$0.isPartial }
    }

    /// Of a part of which it is known how much it is, parts differ from day to day.
    private static func shared(by source: SourceHistory, _ lastDay: CivilDate) -> [CivilDate: Int] {
        guard source.source.countsSteadyShare else { return [:] }
        return totals(of: source, lastDay, where: \.isOfUnknownSize)
    }

    private static func totals(
        of source: SourceHistory, _ lastDay: CivilDate, where counts: (Coverage) -> Bool
    ) -> [CivilDate: Int] {
        var totals: [CivilDate: Int] = [:]
        for day in source.health where day.version == nil && day.date <= lastDay {
            guard let crashes = day.crashes, counts(source.coverage(.crashes, on: day.date)) else { continue }
            totals[day.date] = crashes
        }
        return totals
    }

    private static func sums(
        of source: SourceHistory, _ issues: IssueIndex, _ lastDay: CivilDate
    ) -> [CivilDate: Int] {
        guard source.source.capabilities.contains(.issueDays) else { return [:] }
        let earliest = firstReportDay(until: lastDay)
        let whole = source.coverage.days(of: .issueDays).filter {
            // Where the crashes are stated to be a part, all issues may be there, and which are crashes is not known.
            $0 >= earliest && $0 <= lastDay && source.coverage(.issueDays, on: $0).isComplete
                && !source.coverage(.crashes, on: $0).isPartial
        }
        var sums = Dictionary(whole.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
        var uncounted: Set<CivilDate> = []
        for (id, days) in issues.days where issues.byID[id]?.kind == .crash {
            for day in days where sums[day.date] != nil {
                guard let events = day.events else {
                    uncounted.insert(day.date)
                    continue
                }
                sums[day.date] = PlausibleCount.sum(sums[day.date, default: 0], events)
            }
        }
        // Where sessions or users crashed, none of whose crashes is among the issues, their number is not known.
        for day in source.health where day.version == nil && sums[day.date] == 0 {
            if max(day.crashedSessions ?? 0, day.crashedUsers ?? 0) > 0 { uncounted.insert(day.date) }
        }
        return sums.filter { !uncounted.contains($0.key) }
    }
}
