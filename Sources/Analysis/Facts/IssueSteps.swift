import AppHealth
import Statistics

/// What an issue counts by day: users where its source tells them, else events.
struct IssueDayCounts {
    /// The days of the evidence.
    let days: [CivilDate]
    /// Sessions by day; nil for a gap, and 1 for a covered day of an app that tells no sessions at all.
    let sessions: [Int?]
    /// Whether sessions are known.
    let knowsSessions: Bool
    /// Counts by day of each issue that is listed.
    let counts: [String: [Int]]

    /// Takes the counts of the last `span` days out of the evidence; issues that reach `least` on no three days
    /// in a row are left out, so that a long list of rare ones costs nothing.
    init(_ evidence: HistoryIndex, least: Int, span: Int = .max) {
        let days = Array(evidence.days.suffix(span))
        let isOver = days.map {
            evidence.isOver($0, for: evidence.stability) && evidence.isOver($0, for: evidence.issues)
        }
        let told = zip(days, isOver).map { $1 ? evidence.health[$0]?.sessions : nil }
        knowsSessions = told.contains { ($0 ?? 0) > 0 }
        let covered = zip(days, isOver).map { $1 && evidence.health[$0] != nil ? 1 : nil }
        sessions = evidence.withoutPartialDays(
            (knowsSessions ? told : covered).map { $0.map { min(max($0, 0), 1 << 49) } }, of: days,
            from: evidence.stability, total: { $0 })
        self.days = days
        let places = Dictionary(days.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var counts: [String: [Int]] = [:]
        for id in evidence.issuesByID.keys {
            let found = Self.perDay(of: id, evidence).filter { places[$0.date] != nil }
            guard Self.reaches(least, found) else { continue }
            var row = [Int](repeating: 0, count: days.count)
            for (date, count) in found { if let place = places[date] { row[place] = count } }
            counts[id] = row
        }
        self.counts = counts
    }

    private static func reaches(_ least: Int, _ found: [(date: CivilDate, count: Int)]) -> Bool {
        found.indices.contains { place in
            let last = found[place].date
            let near = found[max(0, place - 2)...place].filter { $0.date.days(to: last) < 3 }
            return near.reduce(0) { $0 + $1.count } >= least
        }
    }

    private static func perDay(of id: String, _ evidence: HistoryIndex) -> [(date: CivilDate, count: Int)] {
        let whole = evidence.issueDays[id] ?? []
        if !whole.isEmpty {
            let tellsUsers = whole.allSatisfy { ($0.events ?? 0) == 0 || $0.users != nil }
            return whole.map { ($0.date, bounded(tellsUsers ? $0.users : $0.events)) }
        }
        // Users of several releases overlap, events do not.
        let byDay = Dictionary(grouping: evidence.issueReleaseDays[id] ?? [], by: \.date)
        return byDay.map { ($0, $1.reduce(0) { $0 + bounded($1.events) }) }.sorted { $0.0 < $1.0 }
    }

    private static func bounded(_ count: Int?) -> Int { min(max(count ?? 0, 0), 1 << 40) }
}
