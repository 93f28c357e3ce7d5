import Analysis
import AppHealth
import Charts
import Statistics

extension AppReport {
    /// The crash-free rate of the app by day, with band, levels and release marks, on the app's basis unless
    /// another is given.
    func stabilityChart(span: Int = AppReport.chartSpan, basis: Basis? = nil) -> ChartView {
        let basis = basis ?? evidence.basis
        let domain = DateDomain(last: evidence.lastDay, count: span)
        return ChartView(
            figure: LineChart(
                name: "crash-free-\(basis.rawValue)",
                title: "Crash-free \(basis.rawValue), \(span) days", unit: .rate, domain: domain,
                points: dates(in: domain).map { point(on: $0, evidence.health[$0], basis) },
                rules: [
                    LevelRule(.target, targets.target, label: "target"),
                    LevelRule(.critical, targets.critical, label: "critical"),
                ],
                releases: releaseMarks, events: eventMarks, adoption: adoptionBands(in: domain)))
    }

    /// The crash-free rate of 28 days, small.
    func stabilitySparkline() -> ChartView {
        let domain = DateDomain(last: evidence.lastDay, count: Self.issueSpan)
        return ChartView(
            Sparkline(
                name: "spark-\(app.id)",
                title: "Crash-free \(evidence.basis.rawValue), \(Self.issueSpan) days",
                unit: .rate, values: stabilityPoints(in: domain).map(\.value), endMark: endMark))
    }

    /// The crash-free sessions of a release by day.
    func releaseChart(_ version: String) -> ChartView? {
        let days = evidence.releaseHealth.keys.filter { $0.version == version }.map(\.date).sorted()
        guard let first = days.first, let last = days.last else { return nil }
        let domain = DateDomain(first, through: last)
        let points = dates(in: domain).map { day in
            point(on: day, evidence.releaseHealth[.init(date: day, version: version)], .sessions)
        }
        return ChartView(
            figure: LineChart(
                name: "release-crash-free-sessions", title: "Crash-free sessions of \(version)", unit: .rate,
                domain: domain, points: points,
                rules: [
                    LevelRule(.target, targets.target, label: "target"),
                    LevelRule(.critical, targets.critical, label: "critical"),
                ], releases: []))
    }

    /// Counts by day as bars; nil when there is none at all.
    func countChart(
        name: String, title: String, span: Int = AppReport.chartSpan,
        expectation: ([ChartPoint]) -> [ExpectedRange] = { _ in [] },
        isProvisional: (CivilDate) -> Bool, _ value: (CivilDate) -> Int?
    ) -> ChartView {
        let domain = DateDomain(last: evidence.lastDay, count: span)
        let points = countPoints(in: domain, isProvisional: isProvisional, value)
        let (days, expected) = shown(points, expectation(points))
        return ChartView(
            figure: BarChart(
                name: name, title: countTitle(title), domain: domain, points: days, expectation: expected))
    }

    /// Counts by day, with the reason where there is none.
    func countPoints(
        in domain: DateDomain, isProvisional: (CivilDate) -> Bool, _ value: (CivilDate) -> Int?
    ) -> [ChartPoint] {
        dates(in: domain).map { day in
            value(day).map { ChartPoint(day, Double($0), provisional: isProvisional(day)) }
                ?? ChartPoint(day, absent: absence(of: day))
        }
    }

    /// The crash-free rate by day on the app's basis.
    func stabilityPoints(in domain: DateDomain) -> [ChartPoint] {
        dates(in: domain).map { point(on: $0, evidence.health[$0], evidence.basis) }
    }

    func point(on day: CivilDate, _ health: HealthDay?, _ basis: Basis) -> ChartPoint {
        guard let health else { return ChartPoint(day, absent: absence(of: day)) }
        guard let crashed = basis.crashedShare(of: health) else {
            return ChartPoint(day, absent: health.sessions == 0 || health.users == 0 ? .noSessions : .missing)
        }
        let free = crashed.complement
        return ChartPoint(
            day, shown(rate: free.value),
            interval: shown(wilsonInterval(successes: free.numerator, of: free.denominator)),
            provisional: isProvisional(day))
    }

    /// Why a day has no figure: it came after the last good fetch, before the first figure, or was left out.
    func absence(of day: CivilDate) -> ChartPoint.Absence {
        guard let first = evidence.health.keys.min(), day >= first else { return .notCollected }
        let failed = evidence.stability?.lastAttempt?.failure != nil
        return failed && day > lastDay ? .failed : .missing
    }

    private var releaseMarks: [ReleaseMark] {
        releases.compactMap { release in
            release.releasedAt.map { ReleaseMark($0.date, label: release.version.label) }
        }
    }

    func dates(in domain: DateDomain) -> [CivilDate] {
        (0..<domain.count).map { domain.first.advanced(by: $0) }
    }
}
