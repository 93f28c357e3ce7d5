import Foundation
import Statistics

/// The false alarms for spreading issues where only days are known, from the hourly series in which nothing
/// harmful happens.
///
/// The hours of each day are added up, as an archive of days has them; what is found in the days from the first
/// possible report on is false. The series are a few weeks long, so this is the rate of a young archive, and
/// hardly more than a bound.
struct DailyVelocity: Sendable {
    /// How many issues were reported; one that is reported again within four weeks counts once.
    private(set) var reports = 0
    /// How many days of one app were judged.
    private(set) var days = 0

    /// The bounds (95%) of false alarms in a year of one app.
    var perYear: Interval? {
        let years = Double(days) / 365.25
        return countInterval(of: Double(reports)).map {
            Interval(lower: $0.lower / years, upper: $0.upper / years)
        }
    }

    /// Takes in a series of hours.
    mutating func add(_ scenario: Scenario) {
        guard let n = scenario.n, case .rows(let x)? = scenario.x,
            let series = IssueSeries(sessions: sums(n), affected: x.map(sums))
        else { return }
        let pace = VelocityPace.daily
        let findings = IssueVelocityDetector(pace: pace).findings(in: series)
        for issue in series.affected.indices {
            reports +=
                episodes(of: findings.filter { $0.issue == issue }, quietDays: 28, day: { $0.hour }).count
        }
        days += max(0, series.sessions.count - pace.firstReport)
    }

    private func sums(_ hours: [Int]) -> [Int] {
        stride(from: 0, to: hours.count - hours.count % 24, by: 24).map { hours[$0..<$0 + 24].reduce(0, +) }
    }
}
