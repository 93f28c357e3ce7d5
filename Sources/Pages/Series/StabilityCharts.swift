import Analysis
import AppHealth
import Charts
import Statistics

extension AppScope {
    /// The crash-free rate of the app by day, with band, levels and release marks, on the app's basis unless
    /// another is given.
    func stabilityChart(
        _ stability: StabilitySection, _ releases: ReleasesSection, _ activity: ActivitySection,
        span: Int = AppFacts.chartSpan, basis: Basis? = nil
    ) -> ChartView {
        let basis = basis ?? facts.basis
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        return ChartView(
            figure: LineChart(
                name: "crash-free-\(basis.rawValue)",
                title: "Crash-free \(basis.rawValue), \(span) days", unit: .rate, domain: domain,
                points: dates(in: domain).map { point(on: $0, stability.health[$0], basis, in: stability) },
                rules: levels, releases: releaseMarks(releases),
                events: eventMarks(activity),
                adoption: adoptionBands(releases, in: domain, stability)))
    }

    /// The crash-free rate of 28 days, small.
    func stabilitySparkline(_ stability: StabilitySection, _ last: DaySection) -> ChartView {
        let domain = DateDomain(last: facts.lastCompleteDay, count: AppFacts.listSpan)
        return ChartView(
            Sparkline(
                name: "spark-\(app.id)",
                title: "Crash-free \(facts.basis.rawValue), \(AppFacts.listSpan) days",
                unit: .rate, values: stabilityPoints(stability, in: domain).map(\.value),
                endMark: endMark(last.verdict)))
    }

    /// The crash-free sessions of a release by day.
    func releaseChart(_ label: String, _ days: [HealthDay], _ stability: StabilitySection) -> ChartView? {
        guard let first = days.first?.date, let last = days.last?.date else { return nil }
        let domain = DateDomain(first, through: last)
        let byDate = Dictionary(days.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        let points = dates(in: domain).map { point(on: $0, byDate[$0], .sessions, in: stability) }
        return ChartView(
            figure: LineChart(
                name: "release-crash-free-sessions", title: "Crash-free sessions of \(label)", unit: .rate,
                domain: domain, points: points, rules: levels, releases: []))
    }

    /// Counts by day as bars; nil when there is none at all.
    func countChart(
        name: String, title: String, span: Int = AppFacts.chartSpan, _ stability: StabilitySection,
        expectation: ([ChartPoint]) -> [ExpectedRange] = { _ in [] },
        isProvisional: (CivilDate) -> Bool, _ value: (CivilDate) -> Int?
    ) -> ChartView {
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        let points = countPoints(in: domain, stability, isProvisional: isProvisional, value)
        let (days, expected) = shown(points, expectation(points))
        return ChartView(
            figure: BarChart(
                name: name, title: countTitle(title), domain: domain, points: days, expectation: expected))
    }

    /// Counts by day, with the reason where there is none.
    func countPoints(
        in domain: DateDomain, _ stability: StabilitySection, isProvisional: (CivilDate) -> Bool,
        _ value: (CivilDate) -> Int?
    ) -> [ChartPoint] {
        dates(in: domain).map { day in
            value(day).map { ChartPoint(day, Double($0), provisional: isProvisional(day)) }
                ?? ChartPoint(day, absent: stability.absence(of: day).mark)
        }
    }

    /// The crash-free rate by day on the app's basis.
    func stabilityPoints(_ stability: StabilitySection, in domain: DateDomain) -> [ChartPoint] {
        dates(in: domain).map { point(on: $0, stability.health[$0], facts.basis, in: stability) }
    }

    /// A day of health as a point of a rate.
    func point(
        on day: CivilDate, _ health: HealthDay?, _ basis: Basis, in stability: StabilitySection
    ) -> ChartPoint {
        guard let health else { return ChartPoint(day, absent: stability.absence(of: day).mark) }
        guard let crashed = basis.crashedShare(of: health) else {
            return ChartPoint(day, absent: health.sessions == 0 || health.users == 0 ? .noSessions : .missing)
        }
        let free = crashed.complement
        return ChartPoint(
            day, shown(rate: free.value),
            interval: shown(wilsonInterval(successes: free.numerator, of: free.denominator)),
            provisional: stability.isProvisional(day))
    }

    /// The target and the critical level.
    var levels: [LevelRule] {
        [
            LevelRule(.target, facts.targets.target, label: "target"),
            LevelRule(.critical, facts.targets.critical, label: "critical"),
        ]
    }

    private func releaseMarks(_ releases: ReleasesSection) -> [ReleaseMark] {
        releases.all.compactMap { facts in
            facts.release.releasedAt.map { ReleaseMark($0.date, label: facts.label) }
        }
    }

    /// What a reader of the app's chart should know of: alerts on its stability, recoveries, notes.
    private func eventMarks(_ activity: ActivitySection) -> [EventMark] {
        activity.events.compactMap { event in
            let kind: EventMark.Kind? =
                switch event.kind {
                case .stability, .velocity, .regressed: .alert
                case .recovery: .recovery
                case .newNote: .note
                default: nil
                }
            return kind.map {
                EventMark(event.occasion.day, $0, text: event.sentence(counts: audience.counts))
            }
        }
    }

    /// The shape that says what a verdict says.
    func endMark(_ verdict: Verdict) -> Sparkline.EndMark {
        switch verdict {
        case .critical: .critical
        case .misses: .warning
        case .meets, .notEnoughData, .unknown: .plain
        }
    }

    func dates(in domain: DateDomain) -> [CivilDate] {
        (0..<domain.count).map { domain.first.advanced(by: $0) }
    }
}

extension DayAbsence {
    /// How a chart shows it.
    var mark: ChartPoint.Absence {
        switch self {
        case .notCollected: .notCollected
        case .failed: .failed
        case .missing: .missing
        }
    }
}
