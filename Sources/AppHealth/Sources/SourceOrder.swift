/// Which source has a day of a kind of data. The order of the configuration decides.
///
/// A source that ended has the days from its first one up to the last one that it has, gaps included. It takes no day from
/// a source that comes before it in that order and had reported the day at the time: while the ended one was there, and
/// not only when it was fetched for the first time, of a day that the ended one had reported by then. So what was never
/// shown of a source is not shown because it ends, and what a later source brings of earlier days replaces nothing.
struct SourceOrder {
    private let fact: JoinedFact
    /// All sources in the order of the configuration, ended ones with their days.
    private let sources: [SourceHistory]
    private let instant: Instant

    init(of fact: JoinedFact, in sources: [SourceHistory], asOf instant: Instant) {
        (self.fact, self.sources, self.instant) = (fact, sources, instant)
    }

    /// Whether an ended source comes before one that goes on, among the sources of the time of the former.
    func places(_ ended: SourceHistory, before other: SourceHistory) -> Bool {
        let ofItsTime = sources.filter { source in
            ended.source.until.flatMap { last in source.source.until.map { $0 >= last } } ?? true
        }
        let order = fact.order(of: ofItsTime).map(\.source.id)
        guard let place = order.firstIndex(of: ended.source.id) else { return false }
        return order.firstIndex(of: other.source.id).map { place < $0 } ?? true
    }

    /// The days that an ended source takes from those that go on longer, in order.
    ///
    /// - Parameters:
    ///   - isOver: Whether its last day is over; before that it takes nothing from those that come before it.
    ///   - isAwaited: Whether more days of it are awaited up to its last one: they are no other's.
    func days(
        of ended: SourceHistory, from others: [SourceHistory], isOver: Bool, isAwaited: Bool
    ) -> [ClosedRange<CivilDate>] {
        let earlier = others.filter { !places(ended, before: $0) }
        guard isOver || earlier.isEmpty, let end = ended.source.until else { return [] }
        let known = fact.isOfDays ? ended.days(with: fact) : [end]
        let last = isAwaited && earlier.isEmpty ? end : min(end, known.max() ?? end)
        guard let first = known.min(), first <= last else { return [] }
        return earlier.reduce([first...last]) { ranges, other in
            ranges.flatMap { range in
                guard let kept = days(in: range, reportedBy: other, inTheTimeOf: ended) else {
                    return [range]
                }
                return range.without(kept)
            }
        }
    }

    /// The days between the first and the last one that a source had reported while another one was there; nil without any.
    private func days(
        in range: ClosedRange<CivilDate>, reportedBy other: SourceHistory, inTheTimeOf ended: SourceHistory
    ) -> ClosedRange<CivilDate>? {
        let (captures, ofEnded) = (other.firstCaptures(of: fact), ended.firstCaptures(of: fact))
        guard let began = captures.values.min() else { return nil }
        let end = ended.end(of: ended.source.until ?? range.upperBound)
        let known = fact.isOfDays ? other.days(with: fact) : Set(captures.keys)
        let inTime = known.filter { day in
            guard range.contains(day), let capture = captures[day], capture <= end else { return false }
            return ofEnded[day].map { began < $0.advanced(bySeconds: Self.oneNight) } ?? true
        }
        guard let first = inTime.min(), var last = inTime.max() else { return nil }
        // A service that takes days to count is no later than it was; what comes after the end does not move it.
        let arrivals = DayArrivals(captures.filter { $0.value <= end }, end: other.end)
        let wait = arrivals.awaitedHours * 3600
        while last < range.upperBound {
            let due = other.end(of: last).advanced(bySeconds: wait)
            guard let capture = captures[last.advanced(by: 1)] else {
                return first...(instant < due ? range.upperBound : last)
            }
            guard capture < due else { break }
            last = last.advanced(by: 1)
        }
        return first...last
    }

    /// Fetches that are not further apart are of one night.
    private static let oneNight = 12 * 3600
}

extension JoinedFact {
    /// The sources that provide it, the one that has its days first. Releases are of the source of the sessions, or of the
    /// users where none counts sessions, if that provides them.
    func order(of sources: [SourceHistory]) -> [SourceHistory] {
        let providing = sources.filter(isProvided)
        guard self == .releaseHealth,
            let own = [JoinedFact.sessions, .users].lazy.compactMap({ sources.first(where: $0.isProvided) })
                .first
        else { return providing }
        return providing.filter { $0.source.id == own.source.id }
            + providing.filter { $0.source.id != own.source.id }
    }

    /// What it is a part of, of the kinds whose captures are kept apart.
    fileprivate var figure: DailyFigure? {
        switch self {
        case .users, .sessions, .releaseHealth: .rates
        case .activeUsers, .newUsers, .usedSessions: .use
        case .releases, .issues, .issueDays: nil
        }
    }
}

extension SourceHistory {
    /// The first capture of each day that was over, of a fact where that is known.
    fileprivate func firstCaptures(of fact: JoinedFact) -> [CivilDate: Instant] {
        fact.figure.flatMap { captures.firstOf[$0] } ?? captures.first
    }
}

extension ClosedRange<CivilDate> {
    /// What is before and after some days of it.
    fileprivate func without(_ days: ClosedRange<CivilDate>) -> [ClosedRange<CivilDate>] {
        let before = lowerBound < days.lowerBound ? [lowerBound...days.lowerBound.advanced(by: -1)] : []
        let after = days.upperBound < upperBound ? [days.upperBound.advanced(by: 1)...upperBound] : []
        return before + after
    }
}
