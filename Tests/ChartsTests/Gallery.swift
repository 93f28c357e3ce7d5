import AppHealth
import Charts
import Formatting
import Statistics
import Testing

/// A drawing of each kind, and one for each thing that can be particular.
enum Gallery {
    typealias Sample = (name: String, chart: any Chart)

    static let all: [Sample] =
        full + ages + shares + rows + ranks + calendars + multiples + forecasts + tracks + waterfalls

    /// One of each kind with all that it can carry.
    static let full: [Sample] =
        ([
            ("age-full", age([12, 40, 55, 60], provisional: 2)), ("share-full", share(days: 90)),
            (
                "rows-full",
                bars((1...8).map { ("Issue in Parser+Headers.swift:\($0 * 71)", 900 / $0, 41_000) })
            ),
            ("rank-full", rank(days: 14)), ("calendar-full", calendar(days: 182)),
            ("multiples-full", multiples(["Lighthouse", "Sketchbook", "Tidepool", "Harbour", "Quay"])),
            ("forecast-full", forecast), ("week-before", weekBefore), ("tracks-full", tracksFull),
            ("line-standalone-all", Samples.full), ("waterfall-full", waterfall([-0.0043, -0.0039, 0.0004])),
        ] as [Sample]).map { ($0.0, trended($0.1)) }

    private static let waterfalls: [Sample] = [
        ("waterfall-none", waterfall([])), ("waterfall-tiny", waterfall([-0.000_000_1, 0.000_000_1])),
        ("waterfall-up", waterfall([0.002, 0.001])),
    ]

    private static func waterfall(_ changes: [Double]) -> WaterfallChart {
        let names = ["4.3.0 crashing more", "Sessions moving to </text>4.3.0", "Other releases"]
        let display = PercentFormat(decimals: 2)
        guard
            let chart = WaterfallChart(
                name: "why", title: "Why it dropped", start: .init(label: "Before", rate: 0.9941),
                steps: zip(names, changes).map { .init(label: $0, change: $1) },
                end: .init(label: "After", rate: 0.9941 + changes.reduce(0, +)), display: display),
            WaterfallChart(
                name: "", title: "", start: .init(label: "", rate: 1.2), steps: [],
                end: .init(label: "", rate: .nan), display: display) == nil
        else {
            Issue.record("the ends are rates")
            return waterfall([])
        }
        return chart
    }

    private static let ages: [Sample] = [
        ("age-empty", AgeChart(name: "age", title: "By age", unit: .rate, lines: [])),
        ("age-one-point", age([1])), ("age-one-release", age([20])),
        ("age-all-missing", line([.absent(.missing), .absent(.belowMinimum), .absent(.failed)])),
        ("age-all-equal", line(Array(repeating: .value(0.99, interval: nil), count: 20))),
        (
            "age-huge",
            AgeChart(
                name: "age", title: "Sessions by age", unit: .count,
                lines: [.init(label: "9.9", values: [.value(1e15, interval: nil), .value(3, interval: nil)])])
        ),
    ]

    private static let shares: [Sample] = [
        ("share-empty", share(days: 30, parts: [])), ("share-one-day", share(days: 1)),
        (
            "share-one-part",
            ShareChart(
                name: "share", title: "Shares", domain: DateDomain(last: today, count: 2),
                parts: [.init(label: "1.0", counts: [today: 5])], wholes: [today: 5])
        ),
        (
            "share-all-missing",
            ShareChart(
                name: "share", title: "Shares", domain: DateDomain(last: today, count: 20),
                parts: [.init(label: "1.0", counts: [:])], wholes: [today: 0])
        ),
        (
            "share-odd-counts",
            ShareChart(
                name: "share", title: "</title>", domain: DateDomain(last: today, count: 3),
                parts: [
                    .init(label: "<b>", counts: [today: 50, today.advanced(by: -1): -4]),
                    .init(label: "2", counts: [today: .max]),
                ], wholes: [today: 5, today.advanced(by: -1): .max, today.advanced(by: -2): -1])
        ),
    ]

    private static let rows: [Sample] = [
        ("rows-empty", bars([])), ("rows-one", bars([("One issue", 3, 40)])),
        ("rows-all-equal", bars([("a", 5, 100), ("b", 5, 100), ("c", 5, 100)])),
        ("rows-zero", bars([("a", 0, 100), ("b", 0, 100)])),
        (
            "rows-missing",
            IntervalBars(
                name: "rows", title: "Rows", unit: .count, subject: "issues",
                rows: [
                    .init(label: "a", value: nil, interval: nil), .init(label: "b", value: -3, interval: nil),
                    .init(label: "</text>\u{0}&", value: 7, interval: Interval(lower: 2.8, upper: 14.4)),
                ])
        ),
        (
            "rows-huge",
            IntervalBars(
                name: "rows", title: "Rows", unit: .count, subject: "issues",
                rows: [
                    .init(label: String(repeating: "long name ", count: 30), value: 1e15, interval: nil),
                    .init(label: "b", value: 1, interval: Interval(lower: 0, upper: .infinity)),
                ])
        ),
    ]

    private static let ranks: [Sample] = [
        ("rank-empty", RankChart(name: "rank", title: "Ranks", days: [], lines: [])),
        ("rank-one-day", rank(days: 1)),
        (
            "rank-all-missing",
            RankChart(
                name: "rank", title: "Ranks", days: [today], lines: [.init(label: "a", ranks: [nil])])
        ),
        (
            "rank-ragged",
            RankChart(
                name: "rank", title: "Ranks", days: [today.advanced(by: -1), today],
                lines: [
                    .init(label: "a", ranks: [1]), .init(label: "b", ranks: [2, 1, 7]),
                    .init(label: "c", ranks: []),
                ],
                limit: 3)
        ),
    ]

    private static let calendars: [Sample] = [
        (
            "calendar-empty",
            CalendarChart(
                name: "calendar", title: "Days", domain: DateDomain(last: today, count: 14), days: [])
        ),
        ("calendar-one-day", calendar(days: 1)), ("calendar-year", calendar(days: 400)),
        ("calendar-month", calendar(days: 28)),
    ]

    private static let multiples: [Sample] = [
        ("multiples-empty", multiples([])), ("multiples-one", multiples(["Lighthouse"])),
        ("multiples-four", multiples(["One", "Two", "Three", "Four"])),
        ("multiples-many", multiples((1...30).map { "App \($0) with a name that is far too long to fit" })),
        (
            "multiples-missing",
            SmallMultiples(
                name: "multiples", title: "Apps", unit: .rate, domain: DateDomain(last: today, count: 28),
                panels: [.init(label: "Silent", points: [ChartPoint(today, absent: .failed)])])
        ),
    ]

    private static let forecasts: [Sample] =
        ([
            (
                "forecast-zero",
                BarChart(
                    name: "forecast", title: "Events", domain: DateDomain(last: today, count: 10),
                    points: (0..<10).map { ChartPoint(today.advanced(by: -$0), 0) },
                    expectation: ranges(10, mean: 0))
            ),
            (
                "forecast-far",
                BarChart(
                    name: "forecast", title: "Events", domain: DateDomain(last: today, count: 10),
                    points: (0..<10).map { ChartPoint(today.advanced(by: -$0), 2) },
                    expectation: ranges(10, mean: 1e9))
            ),
        ] as [Sample]).map { ($0.0, trended($0.1)) }

    private static let tracks: [Sample] =
        ([
            (
                "tracks-all-states",
                LineChart(
                    name: "states", title: "All states", unit: .rate,
                    domain: DateDomain(last: today, count: 40),
                    points: ChartPoint.Absence.allCases.enumerated().flatMap { place, absence in
                        (0..<3).map { ChartPoint(today.advanced(by: -6 * place - $0), absent: absence) }
                            + (3..<6).map { ChartPoint(today.advanced(by: -6 * place - $0), 0.99) }
                    })
            ),
            (
                "tracks-tiny",
                LineChart(
                    name: "tracks", title: "Tiny app", unit: .rate, domain: DateDomain(last: today, count: 1),
                    points: [
                        ChartPoint(today, 0.5, interval: Interval(lower: 0.1, upper: 0.9), provisional: true)
                    ],
                    events: [EventMark(today, .alert, text: "fell"), EventMark(today, .note, text: "<b>")],
                    adoption: [AdoptionBand(label: "1.0", points: [ChartPoint(today, 1)])])
            ),
        ] as [Sample]).map { ($0.0, trended($0.1)) }

    private static let tracksFull = LineChart(
        name: "tracks", title: "Crash-free users, 90 days", unit: .rate, domain: Samples.full.domain,
        points: Samples.full.points, rules: Samples.full.rules, releases: Samples.full.releases,
        events: [-60, -59, -30, -2].map { EventMark(today.advanced(by: $0), .alert, text: "fell") }
            + [-57, -25].map { EventMark(today.advanced(by: $0), .recovery, text: "came back") }
            + [-58, -40, -12].map { EventMark(today.advanced(by: $0), .note, text: "Josh: rolled back") },
        adoption: share(days: 90).parts.prefix(3).map { part in
            AdoptionBand(
                label: part.label,
                points: share(days: 90).wholes.keys.sorted().map { day in
                    ChartPoint(day, Double(part.counts[day] ?? 0) / 10_000)
                })
        })

    private static let weekBefore = LineChart.againstTheWeekBefore(
        name: "active-users", title: "Active users, 60 days", domain: DateDomain(last: today, count: 60),
        points: (0..<67).map { back in
            let day = today.advanced(by: -back)
            let weekend = day.weekday > 5 ? 3_000 : 0
            return back == 20
                ? ChartPoint(day, absent: .missing)
                : ChartPoint(
                    day, Double(9_000 - weekend + (back * 7919) % 700 - back * 20), provisional: back < 2)
        })

    private static let forecast = BarChart(
        name: "issue-events", title: "Events, 90 days", domain: DateDomain(last: today, count: 90),
        points: (0..<90).map { back in
            let spike = back == 12 ? 60 : back == 5 ? 35 : 0
            return ChartPoint(
                today.advanced(by: -back), Double((back * 7919) % 17 + 8 + spike), provisional: back < 2)
        }, expectation: ranges(62, mean: 16))

    private static func ranges(_ days: Int, mean: Double) -> [ExpectedRange] {
        (0..<days).compactMap { back in
            let mean = mean + (mean > 0 ? Double((back / 7) % 3) : 0)
            return ExpectedRange(
                today.advanced(by: -back), lower: max(mean - 9, 0), mean: mean, upper: mean + 12)
        }
    }

    private static func age(_ spans: [Int], provisional: Int = 0) -> AgeChart {
        AgeChart(
            name: "age", title: "Crash-free sessions by age of release", unit: .rate,
            lines: spans.enumerated().map { place, span in
                AgeChart.Line(
                    label: "4.\(3 - place).0",
                    values: Samples.rates(days: span, sessions: 900 * (place + 1)).enumerated().map {
                        age, point in
                        if age == 0 { return .absent(.belowMinimum) }
                        guard let value = point.value else { return point.content }
                        return .value(value - 0.001 * Double(place), interval: point.interval)
                    })
            }, rules: [.target(0.995)], provisional: provisional)
    }

    private static func line(_ values: [ChartPoint.Content]) -> AgeChart {
        AgeChart(name: "age", title: "By age", unit: .rate, lines: [.init(label: "1.0", values: values)])
    }

    private static func share(days: Int, parts labels: [String]? = nil) -> ShareChart {
        let names = labels ?? ["4.3.0", "4.2.1", "4.2.0", "4.1.0", "4.0.2-beta", "4.0.1"]
        let starts = [-3, -35, -38, -70, -80, -200]
        var counts = [[CivilDate: Int]](repeating: [:], count: names.count)
        var wholes: [CivilDate: Int] = [:]
        for back in 0..<days where !(back >= 40 && back < 44) {
            let day = today.advanced(by: -back)
            var rest = 10_000
            for place in names.indices {
                let age = -back - starts[place]
                guard age >= 0 else { continue }
                let part = rest * min(age * (place == 4 ? 1 : 9) + 4, place == 4 ? 4 : 92) / 100
                counts[place][day] = part
                rest -= part
            }
            wholes[day] = 10_000
        }
        return ShareChart(
            name: "adoption", title: "Adoption of releases", domain: DateDomain(last: today, count: days),
            parts: zip(names, counts).map { ShareChart.Part(label: $0, counts: $1) }, wholes: wholes,
            absences: [today.advanced(by: -41): .failed])
    }

    private static func bars(_ rows: [(String, Int, Int)]) -> IntervalBars {
        IntervalBars(
            name: "top-issues", title: "Users met by an issue", unit: .rate, subject: "issues",
            rows: rows.map { label, part, whole in
                IntervalBars.Row(
                    label: label, value: Double(part) / Double(whole),
                    interval: wilsonInterval(successes: part, of: whole))
            })
    }

    private static func rank(days: Int) -> RankChart {
        let orders = [
            [0, 1, 2, 3, 4, 5], [0, 2, 1, 3, 5, 4], [2, 0, 1, 6, 3, 5], [2, 6, 0, 1, 3, 7],
            [6, 2, 0, 7, 1, 4],
        ]
        let names = (0..<8).map { "Crash \($0) in Networking+Retry.swift:\($0 * 31 + 9)" }
        return RankChart(
            name: "rank", title: "Ranks", days: (0..<days).map { today.advanced(by: $0 + 1 - days) },
            lines: names.enumerated().map { place, name in
                RankChart.Line(
                    label: name,
                    ranks: (0..<days).map { day in
                        let order = orders[min(day / 3, orders.count - 1)]
                        return order.firstIndex(of: place).map { $0 + 1 }
                    })
            }, limit: 8)
    }

    private static func calendar(days: Int) -> CalendarChart {
        CalendarChart(
            name: "calendar", title: "Verdict of each day", domain: DateDomain(last: today, count: days),
            days: (0..<days).map { back in
                let day = today.advanced(by: -back)
                switch (back * 7919) % 41 {
                case 0, 1: return .init(day, absent: back % 2 == 0 ? .failed : .missing)
                case 2, 3, 4: return .init(day, .misses, detail: "99.1%")
                case 5: return .init(day, .critical, detail: "97.0%")
                case 6...10: return .init(day, .unsure, detail: "99.4%")
                default: return .init(day, .meets, detail: "99.8%")
                }
            })
    }

    private static func multiples(_ names: [String]) -> SmallMultiples {
        SmallMultiples(
            name: "apps", title: "Crash-free users of each app", unit: .rate,
            domain: DateDomain(last: today, count: 28),
            panels: names.enumerated().map { place, name in
                SmallMultiples.Panel(
                    label: name,
                    points: Samples.rates(days: 28, sessions: 5000).map { point in
                        ChartPoint(
                            point.date, point.value.map { $0 - 0.004 * Double(place % 4) },
                            interval: point.interval)
                    }, target: 0.995, endMark: place % 4 == 0 ? .plain : place % 4 == 3 ? .critical : .warning
                )
            })
    }
}
