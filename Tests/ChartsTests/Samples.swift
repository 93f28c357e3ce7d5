import AppHealth
import Charts
import Statistics

/// The last day of all sample charts.
let today = CivilDate(daysSinceEpoch: 20_776)

/// Charts to draw: one for each thing that can be particular.
enum Samples {
    static let lines: [(name: String, chart: LineChart)] =
        ([
            ("line-full", full), ("line-empty", line([])), ("line-one-point", line([0.993], days: 1)),
            ("line-one-of-many", line([nil, nil, nil, 0.993, nil, nil])),
            ("line-all-equal", line(.init(repeating: 0.99, count: 20))),
            ("line-all-perfect", line(.init(repeating: 1, count: 20))),
            ("line-all-missing", line(.init(repeating: nil, count: 30))), ("line-tiny-app", tiny),
            ("line-negative", line([-4, -2, 3, -0.5, 0], unit: .count)),
            ("line-huge", line([1e15, 9.99e14, 1e15 + 1, 3], unit: .count)),
            ("line-not-numbers", line([.nan, .infinity, -.infinity, 1e19, 5, .nan, 7, 8], unit: .count)),
            ("line-impossible-rates", line([1.2, -0.1, 0.9, 0.95])), ("line-many-releases", manyReleases),
            ("line-comparison", comparison), ("line-foreign-text", foreign),
        ] as [(name: String, chart: LineChart)]).map { ($0.0, $0.1.trended) }

    static let bars: [(name: String, chart: BarChart)] =
        ([
            ("bar-full", bar(counts(60), provisional: 2)), ("bar-empty", bar([])), ("bar-one", bar([3])),
            ("bar-zeros", bar([0, 0, 0, 0])), ("bar-few", bar([0, 1, nil, 2, -1])),
            ("bar-huge", bar([1e15, 1, nil, .nan, 5e14])), ("bar-all-missing", bar([nil, nil, nil])),
        ] as [(name: String, chart: BarChart)]).map { ($0.0, $0.1.trended) }

    static let sparklines: [(name: String, chart: Sparkline)] = [
        ("spark-plain", spark([0.99, 0.992, nil, 0.991, 0.995])), ("spark-empty", spark([])),
        ("spark-one", spark([0.5])),
        ("spark-all-equal", spark([1, 1, 1])), ("spark-all-missing", spark([nil, nil])),
        ("spark-stale", spark([0.99, 0.98, nil], .warning)),
        ("spark-critical", spark([0.99, 0.98, 0.9], .critical)),
        ("spark-not-numbers", spark([.nan, .infinity, 0.2, 0.4])),
    ]

    /// Rates of a busy app with everything that a chart can carry.
    static let full = LineChart(
        name: "crash-free-sessions", title: "Crash-free sessions", unit: .rate,
        domain: DateDomain(last: today, count: 90), points: rates(days: 90, sessions: 9_000),
        rules: [.target(0.995), .critical(0.98)],
        releases: [
            ReleaseMark(today.advanced(by: -70), label: "4.1.0"),
            ReleaseMark(today.advanced(by: -38), label: "4.2.0"),
            ReleaseMark(today.advanced(by: -35), label: "4.2.1"),
            ReleaseMark(today.advanced(by: -3), label: "4.3.0"),
        ])

    /// Ten years of days.
    static let decade = LineChart(
        name: "decade", title: "Ten years", unit: .rate, domain: DateDomain(last: today, count: 3650),
        points: rates(days: 3650, sessions: 100_000), rules: [.target(0.995)])

    private static let tiny = LineChart(
        name: "tiny", title: "Tiny app", unit: .rate, domain: DateDomain(last: today, count: 30),
        points: rates(days: 30, sessions: 20), rules: [.target(0.995)])

    private static let comparison = LineChart(
        name: "comparison", title: "Against the release before", unit: .rate,
        domain: DateDomain(last: today, count: 14),
        points: rates(days: 14, sessions: 4_000),
        comparison: ComparisonLine(
            label: "4.1.0",
            points: rates(days: 14, sessions: 6_000).map { point in
                ChartPoint(point.date, point.value.map { $0 - 0.002 })
            }))

    private static let manyReleases = LineChart(
        name: "many", title: "Many releases", unit: .rate, domain: DateDomain(last: today, count: 60),
        points: rates(days: 60, sessions: 50_000),
        releases: (0..<30).map { ReleaseMark(today.advanced(by: -2 * $0), label: "2026.11.\($0)-beta") })

    private static let foreign = LineChart(
        name: "a b/\"<é", title: "</title><script>alert('x')</script>\u{0}\u{202E}&\n\u{FFFE}end",
        unit: .rate,
        domain: DateDomain(last: today, count: 3), points: [ChartPoint(today, 0.5)],
        rules: [LevelRule(.target, 0.6, label: "<b>\u{1}&")],
        releases: [ReleaseMark(today, label: "\"><svg onload=x>")],
        comparison: ComparisonLine(label: "'<i>'", points: [ChartPoint(today, 0.4)]))

    /// Days with rates from a fixed sequence; some lack a value, the last two are provisional.
    static func rates(days: Int, sessions: Int) -> [ChartPoint] {
        var state: UInt64 = 20_26
        func next() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 40)
        }
        return (0..<days).map { index in
            let date = today.advanced(by: index + 1 - days)
            let total = sessions + next() % max(sessions, 1)
            let crashed =
                total * (30 + next() % 40 + (index % 37 == 30 ? 60 : 0)) / 10_000
                + (sessions < 100 ? next() % 3 : 0)
            switch index % 30 {
            case 9: return ChartPoint(date, absent: .failed)
            case 17, 18, 19: return ChartPoint(date, absent: .missing)
            case 21: return ChartPoint(date, absent: .noSessions)
            default:
                let interval = wilsonInterval(successes: total - crashed, of: total)
                let rate = Double(total - crashed) / Double(total)
                return ChartPoint(date, rate, interval: interval, provisional: index >= days - 2)
            }
        }
    }

    private static func counts(_ days: Int) -> [Double?] {
        (0..<days).map { day -> Double? in
            let count: Int = (day * 7919) % 400 + (day % 7) * 90
            return day % 13 == 5 ? nil : Double(count)
        }
    }

    static func line(_ values: [Double?], unit: ChartUnit = .rate, days: Int? = nil) -> LineChart {
        LineChart(
            name: "line", title: "A line", unit: unit,
            domain: DateDomain(last: today, count: days ?? max(values.count, 7)),
            points: points(values))
    }

    static func bar(_ values: [Double?], provisional: Int = 0) -> BarChart {
        BarChart(
            name: "bars", title: "Crashed sessions", domain: DateDomain(last: today, count: values.count),
            points: points(values, provisional: provisional))
    }

    static func spark(_ values: [Double?], _ mark: Sparkline.EndMark = .plain) -> Sparkline {
        Sparkline(name: "spark", title: "Crash-free", unit: .rate, values: values, endMark: mark)
    }

    private static func points(_ values: [Double?], provisional: Int = 0) -> [ChartPoint] {
        values.enumerated().map { index, value in
            ChartPoint(
                today.advanced(by: index + 1 - values.count), value,
                provisional: index >= values.count - provisional)
        }
    }
}
