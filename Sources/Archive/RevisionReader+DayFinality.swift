import AppHealth
import GRDB

extension RevisionReader {
    /// Whether each day with health of all releases together is settled.
    mutating func healthSettlement(_ age: SettlingAge) throws -> [CivilDate: DayFinality] {
        let all = """
            SELECT date, version_id, \(RevisionTable.health.values.joined(separator: ", ")), captured_at
            FROM health_day WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2
            ORDER BY date, captured_at
            """
        let looks = try rows(all, of: .health, counts: false) { columns in
            let day = try HealthDay(&columns)
            return (day.date, DayObservation(day, capturedAt: try columns.instant()))
        }
        return settlement(of: looks, covered: try covered(.healthDays), age)
    }

    /// Whether each day with use is settled.
    mutating func usageSettlement(_ age: SettlingAge) throws -> [CivilDate: DayFinality] {
        let all = """
            SELECT date, \(RevisionTable.usage.values.joined(separator: ", ")), captured_at
            FROM usage_day WHERE source_id = ?1 AND captured_at <= ?2 ORDER BY date, captured_at
            """
        let looks = try rows(all, of: .usage, counts: false) { columns in
            let day = try UsageDay(&columns)
            return (day.date, DayObservation(day, capturedAt: try columns.instant()))
        }
        return settlement(of: looks, covered: try covered(.usageDays), age)
    }
}

/// Judges each day by the last two snapshots that cover it.
///
/// - Parameters:
///   - looks: The revisions of each day, by date, then by capture time.
///   - covered: The days that snapshots told of, those of the newest snapshot first.
private func settlement(
    of looks: [(date: CivilDate, look: DayObservation)],
    covered: [(capturedAt: Instant, run: ClosedRange<Int>)], _ age: SettlingAge
) -> [CivilDate: DayFinality] {
    var captures = LastCaptures(of: looks.map(\.date.daysSinceEpoch))
    for snapshot in covered where !captures.areComplete { captures.add(snapshot.capturedAt, snapshot.run) }
    var settlement: [CivilDate: DayFinality] = [:]
    var start = 0
    for end in 1..<max(looks.count + 1, 1) where end == looks.count || looks[end].date != looks[start].date {
        let (date, revisions) = (looks[start].date, looks[start..<end].map(\.look))
        start = end
        // A revision alone also proves that its snapshot told of the day.
        let known = captures.of(date.daysSinceEpoch) + revisions.suffix(2).map(\.capturedAt)
        let last = Set(known).sorted(by: >).prefix(2).compactMap { instant in
            revisions.last { $0.capturedAt <= instant }.map { $0.repeated(at: instant) }
        }
        guard let latest = last.first else { continue }
        settlement[date] = DayFinality(
            of: date, latest: latest, previous: last.count > 1 ? last[1] : nil, age: age)
    }
    return settlement
}

/// For each of some days the capture times of the last two snapshots that tell of it.
private struct LastCaptures {
    private let first: Int
    private var captures: [[Instant]]
    /// How many days still lack one of the two.
    private var open: Int

    /// No capture yet for the days from the first to the last.
    init(of days: [Int]) {
        first = days.min() ?? 0
        let count = (days.max() ?? -1) - first + 1
        captures = Array(repeating: [], count: max(0, days.isEmpty ? 0 : count))
        open = captures.count
    }

    var areComplete: Bool { open == 0 }

    func of(_ day: Int) -> [Instant] { captures[day - first] }

    /// Adds a snapshot that is not newer than those before.
    mutating func add(_ instant: Instant, _ run: ClosedRange<Int>) {
        let (low, high) = (max(run.lowerBound - first, 0), min(run.upperBound - first, captures.count - 1))
        guard low <= high else { return }
        for day in low...high where captures[day].count < 2 && captures[day].last != instant {
            captures[day].append(instant)
            if captures[day].count == 2 { open -= 1 }
        }
    }
}
