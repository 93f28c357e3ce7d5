package import AppHealth

/// What all pages of an app share: the app, what it is judged by, and how far its figures reach.
package struct AppFacts: Hashable, Codable, Sendable {
    /// The app.
    package let app: App
    /// Its target and critical level; of what is past, those by which it was judged.
    package private(set) var targets: Targets
    /// The same by day, where it is not past.
    package private(set) var levels: TargetPeriods
    /// What its rates are counted in.
    package let basis: Basis
    /// The instant of the report.
    package internal(set) var asOf: Instant
    /// The last day that was complete at that instant.
    package internal(set) var lastCompleteDay: CivilDate
    /// The last complete day for which there is any figure, or the last complete day when there is none.
    package internal(set) var lastDay: CivilDate
    /// The days that have a page, in order.
    package internal(set) var days: [CivilDate]
    /// The same days.
    package internal(set) var listedDays: DaySet
    /// The labels of the releases that have a page.
    package private(set) var listedReleases: Set<String>
    /// How fresh and whole the figures are.
    package internal(set) var freshness: Freshness
    /// When the newest of its figures was captured; nil when there is none.
    package internal(set) var capturedAt: Instant?
    /// Over which time its issues are counted where a list has no days.
    package let issueTotals: IssueTotals
    /// Who reads: no text, name or link that is hidden from them is in any section, and their rates are coarse where counts
    /// are hidden.
    package internal(set) var audience = Audience.team

    /// How many days lists of issues span.
    package static let listSpan = 28
    /// How many days the large charts span.
    package static let chartSpan = 90

    init(_ index: HistoryIndex, releases: [Release], sources: SourcesSection) {
        self.app = index.app
        self.targets = index.levels[index.figureDays.last]
        self.levels = index.levels
        self.basis = index.rates.basis
        self.asOf = index.asOf
        self.lastCompleteDay = index.lastDay
        self.lastDay = index.figureDays.last
        self.days = index.days
        self.listedDays = DaySet(days)
        self.listedReleases = Set(releases.map(\.version.label))
        self.freshness = Freshness(index, sources)
        self.capturedAt = index.captures.newest
        self.issueTotals = index.issues.source?.source.issueTotals ?? .unstated
    }

    /// What a page about something past takes from these: nothing that another night moves.
    ///
    /// - Parameter day: the last day that the page is about; it knows of the days up to the next one.
    package func past(through day: CivilDate) -> AppFacts {
        var past = self
        let next = day.advanced(by: 1)
        past.asOf = end(of: day)
        past.targets = levels[day]
        past.levels = TargetPeriods(past.targets)
        (past.lastCompleteDay, past.lastDay) = (day, day)
        past.days = [days.first.map { max($0, day.advanced(by: -1)) }, days.last.map { min($0, next) }]
            .compactMap(\.self)
        past.listedDays = listedDays.through(next)
        past.freshness = freshness.ofThePast
        past.capturedAt = nil
        return past
    }

    /// What a row about something past takes from these: of what has a page, some releases alone.
    ///
    /// - Parameters:
    ///   - day: the last day that the row is about.
    ///   - labels: the releases that it links to, where they have a page.
    package func row(through day: CivilDate, linking labels: [String]) -> AppFacts {
        var row = past(through: day)
        (row.days, row.listedDays) = ([], DaySet([]))
        row.listedReleases = Set(labels.filter(listedReleases.contains))
        return row
    }

    /// The same without its releases, which are the same whatever the last day is, and may be hundreds.
    package var withoutReleases: AppFacts {
        var facts = self
        facts.listedReleases = []
        return facts
    }

    /// The instant at which a day is over, in UTC.
    package func end(of day: CivilDate) -> Instant { Instant(startOf: day.advanced(by: 1)) }
}

/// How fresh and whole the figures of an app are.
package struct Freshness: Hashable, Codable, Sendable {
    /// The last day with a figure; nil when there is none.
    package private(set) var lastDay: CivilDate?
    /// How far each kind of figure reaches, where they differ; else empty.
    package private(set) var reaches: [Reach]
    /// The zone of the days of stability: that of the last one.
    package let zone: String
    /// Whether that last day may still change.
    package private(set) var isProvisional: Bool
    /// How much of that last day's users and sessions was reported.
    package private(set) var coverage: Coverage
    /// The share of what its users are counted from that names one; nil when all does, or the source does not say.
    package private(set) var namedShare: Double?
    /// The sources whose newest fetch failed.
    package private(set) var failed: [Slug]
    /// The sources that brought nothing new in time.
    package private(set) var overdue: [Slug]
    /// Those of which some figures stopped while others go on.
    package private(set) var stopped: [Stopped]

    init(_ index: HistoryIndex, _ sources: SourcesSection) {
        let last = index.hasFigures ? index.figureDays.last : nil
        let all = index.reaches
        self.reaches = Set(all.map(\.day)).count > 1 ? all : []
        let source = index.leading
        self.lastDay = last
        self.zone = last.flatMap { source?.zone(of: $0) } ?? source?.source.zone ?? "UTC"
        self.isProvisional =
            last.map {
                index.rates.source == nil
                    ? source.isSettling($0) : index.rates.settlement[$0]?.doubt != nil
            } ?? false
        let day = last.flatMap { index.rates.health[$0] }
        self.coverage = day.map(index.rates.coverage) ?? .unknown
        self.namedShare = day?.namedShare
        self.failed = sources.all.filter { $0.lastAttempt?.failure != nil }.map(\.source.id)
        let overdue = sources.all.filter { $0.isOverdue && !$0.isEnded }
        self.overdue = overdue.filter { $0.idleFigure == nil }.map(\.source.id)
        self.stopped = overdue.compactMap { facts in
            facts.idleFigure.map { Stopped(source: facts.source.id, figure: $0) }
        }
    }
}

extension Freshness {
    /// The zone of the days alone.
    fileprivate var ofThePast: Freshness {
        var past = self
        (past.lastDay, past.reaches, past.failed, past.overdue, past.stopped) = (nil, [], [], [], [])
        (past.isProvisional, past.coverage, past.namedShare) = (false, .unknown, nil)
        return past
    }
}

extension Freshness {
    /// A kind of figure that stopped coming from a source.
    package struct Stopped: Hashable, Codable, Sendable {
        /// The source.
        package let source: Slug
        /// What stopped.
        package let figure: DailyFigure
    }

    /// The last day of one kind of figure.
    package struct Reach: Hashable, Codable, Sendable {
        /// A kind of figure.
        package enum Kind: Hashable, Codable, Sendable {
            case rates, crashes, issues, use
        }

        /// What reaches so far.
        package let kind: Kind
        /// The last day of it.
        package let day: CivilDate
    }
}

extension HistoryIndex {
    /// How far each kind of figure reaches that a source gives by day.
    fileprivate var reaches: [Freshness.Reach] {
        let rated = rates.health.filter { rates.basis.crashedShare(of: $0.value) != nil }.keys.max()
        let days: [(Freshness.Reach.Kind, CivilDate?)] = [
            (.rates, rated), (.crashes, rated == nil ? crashes.counts.keys.max() : nil),
            (.issues, issues.lastKnownDay),
            (.use, sources.lastUsageDay(through: lastDay, asOf: asOf)),
        ]
        return days.compactMap { kind, day in day.map { Freshness.Reach(kind: kind, day: $0) } }
    }
}
