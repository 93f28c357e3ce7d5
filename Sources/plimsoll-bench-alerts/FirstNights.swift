import Statistics

/// The first nine weeks of Stability Alerts, which the scorer skips: how many alarms are false, and how many changes are found
/// that begin ten nights after the first one that is judged.
struct FirstNights: Sendable {
    /// What is judged.
    let name: String
    /// The days that are reported of sessions and of those that crashed.
    let days: @Sendable (_ sessions: [Int], _ crashed: [Int]) -> [Int]
    private var falseAlarms = 0
    private var nights = 0
    private var changes = 0
    private var found = 0

    private static let judged = CrashRateDropDetector.warmUp..<84
    private static let before = CrashRateDropDetector.warmUp + 10
    private static let inTime = 7

    init(of name: String, days: @escaping @Sendable ([Int], [Int]) -> [Int]) {
        (self.name, self.days) = (name, days)
    }

    /// Takes in a series in which nothing happens, or one change.
    mutating func add(_ scenario: Scenario) {
        guard let sessions = scenario.n, case .row(let crashed)? = scenario.x else { return }
        if let onset = scenario.onset, onset >= Self.before {
            let part = (onset - Self.before)..<min(onset + Self.inTime, sessions.count)
            changes += 1
            let starts = starts(Array(sessions[part]), Array(crashed[part]))
            found += starts.contains { $0 >= Self.before } ? 1 : 0
        } else if scenario.onset == nil {
            let end = min(Self.judged.upperBound, sessions.count)
            nights += max(0, end - Self.judged.lowerBound)
            falseAlarms += starts(Array(sessions[..<end]), Array(crashed[..<end])).count
        }
    }

    /// The first day of each alarm.
    private func starts(_ sessions: [Int], _ crashed: [Int]) -> [Int] {
        episodes(of: days(sessions, crashed), quietDays: 3, day: { $0 }).compactMap(\.first)
    }

    /// What came of it, in a line.
    var summary: String {
        let years = Double(nights) / 365.25
        return "stability in the first \(Self.judged.count) nights, \(name): \(falseAlarms) false alarms, "
            + "\(Double(falseAlarms) / years) a year and app; \(found) of \(changes) changes found"
    }
}

extension FirstNights {
    /// Of rates, and of the crashes alone.
    static let all = [
        FirstNights(of: "rates") { sessions, crashed in
            CrashRateDropDetector().findings(
                in: zip(sessions, crashed).map { DayCount(total: $0, crashed: $1) }
            ).map(\.day)
        },
        FirstNights(of: "crash counts") { CrashCountDetector().findings(in: $1).map(\.day) },
    ]
}
