import Analysis
import AppHealth
import Charts
import Estimates

extension AppScope {
    /// The crash-free rate of the app by day, with band, levels and release marks, on the app's basis unless
    /// another is given.
    func stabilityChart(
        _ stability: StabilitySection, _ releases: ReleasesSection, _ activity: ActivitySection,
        span: Int = AppFacts.chartSpan, basis: Basis? = nil
    ) -> ChartView {
        let basis = basis ?? facts.basis
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        let course = stability.rates(basis, on: dates(in: domain))
        return ChartView(
            figure: LineChart(
                name: "crash-free-\(basis.rawValue)",
                title: "Crash-free \(basis.rawValue), \(span) days", unit: .rate, domain: domain,
                points: points(course),
                rules: levels, releases: releaseMarks(releases),
                events: eventMarks(activity),
                adoption: adoptionBands(releases, in: domain, stability),
                trend: activity.openStabilityAlert.map(SeriesTrend.alert)
                    ?? course.trend.map(SeriesTrend.init)))
    }

    /// The crash-free rate of the days that lists span or, where no day has one, the crashes or events, with the shape of the
    /// verdict at its end.
    func stabilitySparkline(
        _ stability: StabilitySection, _ events: ReportedEvents?, _ last: DaySection
    ) -> ChartView {
        let span = AppFacts.listSpan
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        let name = "spark-\(app.id)"
        if stability.isCounted || events != nil {
            let (days, isOfCrashes) = (dates(in: domain), stability.isCounted)
            let counts = days.map { isOfCrashes ? stability.crashes[$0] : events?[$0] }
            return ChartView(
                Sparkline(
                    name: name, title: countTitle("\(isOfCrashes ? "Crashes" : "Events"), \(span) days"),
                    unit: .count, values: shown(counts.map { $0.map(Double.init) }), isFromZero: true))
        }
        return ChartView(
            Sparkline(
                name: name, title: "Crash-free \(facts.basis.rawValue), \(span) days", unit: .rate,
                values: stabilityPoints(stability, in: domain).map(\.value),
                leastHeight: facts.targets.target - facts.targets.critical,
                endMark: endMark(last.status(on: facts.basis))))
    }

    /// The crash-free sessions of a release by day, or its users where no sessions are counted.
    func releaseChart(_ label: String, _ days: [HealthDay], _ stability: StabilitySection) -> ChartView? {
        guard let first = days.first?.date, let last = days.last?.date else { return nil }
        let domain = DateDomain(first, through: last)
        let basis = days.basisOfRelease
        let course = stability.rates(of: days, basis, on: dates(in: domain))
        return ChartView(
            figure: LineChart(
                name: "release-crash-free-\(basis.rawValue)",
                title: "Crash-free \(basis.rawValue) of \(label)", unit: .rate,
                domain: domain, points: points(course), rules: levels, releases: [],
                trend: course.trend.map(SeriesTrend.init)))
    }

    /// Counts by day as bars.
    ///
    /// - Parameter alert: the first day of an alert on them that is open.
    func countChart(
        name: String, title: String, _ course: CountCourse, alertSince alert: CivilDate? = nil
    ) -> ChartView {
        let domain = DateDomain(
            last: course.days.last?.date ?? facts.lastCompleteDay, count: course.days.count)
        let expected = course.days.compactMap { day in
            day.expected.flatMap {
                ExpectedRange(day.date, lower: $0.lower, mean: $0.mean, upper: $0.upper)
            }
        }
        let (points, ranges) = shown(points(course), expected)
        return ChartView(
            figure: BarChart(
                name: name, title: countTitle(title), domain: domain, points: points, expectation: ranges,
                trend: alert.map(SeriesTrend.alert) ?? course.trend.map(SeriesTrend.init)))
    }

    /// Counts by day, with the reason where there is none.
    func points(_ course: CountCourse) -> [ChartPoint] {
        course.days.map { day in
            day.count.map { ChartPoint(day.date, Double($0), provisional: day.isProvisional) }
                ?? ChartPoint(day.date, absent: day.absence.mark)
        }
    }

    /// The crash-free rate by day on the app's basis.
    func stabilityPoints(_ stability: StabilitySection, in domain: DateDomain) -> [ChartPoint] {
        points(stability.rates(facts.basis, on: dates(in: domain)))
    }

    /// Rates by day, with the reason where there is none.
    func points(_ course: RateCourse) -> [ChartPoint] { course.days.map(point) }

    /// A day as a point of a rate.
    func point(_ day: RateDay) -> ChartPoint {
        guard let free = day.crashed?.complement else {
            return ChartPoint(day.date, absent: day.absence.mark)
        }
        return ChartPoint(
            day.date, free.value, interval: free.interval, provisional: day.isProvisional)
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
            facts.release.releaseDay.map { ReleaseMark($0, label: facts.label) }
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
}

extension ActivitySection {
    /// The first day of a Stability Alert that is open, on rates or on crashes; nil when none is.
    var openStabilityAlert: CivilDate? {
        let open = events.filter { event in
            switch event {
            case .stability(let alert): alert.episode.state.isOpen
            case .crashes(let alert): alert.episode.state.isOpen
            default: false
            }
        }
        return open.map(\.occasion.day).min()
    }
}

/// The days of a time axis.
func dates(in domain: DateDomain) -> [CivilDate] {
    (0..<domain.count).map { domain.first.advanced(by: $0) }
}

/// The days of a chart that ends with a day.
func chartDays(through day: CivilDate) -> [CivilDate] {
    dates(in: DateDomain(last: day, count: AppFacts.chartSpan))
}

extension DayAbsence {
    /// How a chart shows it.
    var mark: ChartPoint.Absence {
        switch self {
        case .notCollected: .notCollected
        case .failed: .failed
        case .missing: .missing
        case .nothingCounted: .noSessions
        }
    }
}

extension SeriesTrend {
    /// The trend of a course as a chart says it.
    init(_ trend: CourseTrend) {
        self =
            switch trend {
            case .rising: .rising
            case .falling: .falling
            case .flat: .flat
            }
    }
}
