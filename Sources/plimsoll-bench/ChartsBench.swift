import AppHealth
import Charts
import Estimates
import Foundation
import Markup
import Platform
import Statistics

/// Measures how many charts one core draws in a second.
enum ChartsBench {
    static func run() {
        print("\ncharts of 90 days that one core draws in a second of CPU, in memory")
        measure(
            "line with an interval band and two levels", goal: 20_000,
            lines.map { chart in { chart.drawing() } })
        measure("sparkline", goal: nil, sparklines.map { chart in { chart.drawing() } })
    }

    /// Draws charts in turn, so that none is what was drawn just before.
    private static func measure(_ name: String, goal: Double?, _ charts: [() -> Drawing]) {
        for chart in charts { _ = chart() }
        var (count, bytes) = (0, 0)
        let start = ownSeconds()
        while ownSeconds() - start < 2 {
            for chart in charts {
                bytes += chart().inline.text.utf8.count
                count += 1
            }
        }
        line(name, Double(count) / (ownSeconds() - start), "charts/s", least: goal)
        line("bytes of each", Double(bytes) / Double(max(count, 1)), "B")
    }

    /// Crash-free sessions of apps of different size.
    private static let lines = (1...50).map { number in
        LineChart(
            name: "crash-free-sessions", title: "Crash-free sessions", unit: .rate, domain: domain,
            points: days.enumerated().map { place, day in
                let sessions = number * 400 + place * 7
                let free = sessions - sessions * (3 + (place * number) % 11) / 1_000
                return ChartPoint(
                    day, Double(free) / Double(sessions),
                    interval: wilsonInterval(successes: free, of: sessions))
            }, rules: [.target(0.995), .critical(0.98)])
    }

    private static let sparklines = (1...50).map { number in
        Sparkline(
            name: "events", title: "Events", unit: .count,
            values: days.indices.map { Double(($0 * number) % 37) })
    }

    private static let domain = DateDomain(last: CivilDate(daysSinceEpoch: 20_776), count: 90)
    private static let days = (0..<90).map { domain.first.advanced(by: $0) }
}

/// The CPU seconds that this process took so far.
private func ownSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
