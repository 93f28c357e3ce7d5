import AppHealth
import Foundation
import GRDB

extension RevisionReader {
    /// The zones that the source stated, each from its first snapshot on, oldest first.
    func zones() throws -> [StatedZone] { try statedZones(of: source, upTo: asOf, in: database) }
}

/// The zones that a source stated up to an instant or ever, each from its first snapshot on, oldest first.
func statedZones(
    of source: Int64, upTo instant: Instant? = nil, in database: Database
) throws -> [StatedZone] {
    let statement = """
        SELECT zone, captured_at FROM source_description WHERE source_id = ? AND captured_at <= ?
        ORDER BY captured_at
        """
    let cursor = try database.cursor(statement, [source, instant?.secondsSinceEpoch ?? Int.max])
    var zones: [StatedZone] = []
    while let row = try cursor.next() {
        var columns = ColumnReader(row: row)
        guard let name = try? columns.text(), let since = try? columns.instant(),
            zones.last?.name != name
        else { continue }
        zones.append(StatedZone(name: name, since: since))
    }
    return zones
}

extension ZoneOffsets {
    /// Those of the zones that a source stated, for the years of a report and the days after it; nil when none is known.
    ///
    /// A name that is not known states nothing: the zone before it goes on, or UTC where there is none.
    ///
    /// What ended before a source stated another zone ended in the zone of then, or else all that was reported of it
    /// would have another time.
    init?(of zones: [StatedZone], until asOf: Instant) {
        let known = zones.filter { TimeZone(identifier: $0.name) != nil }
        guard let first = known.first else { return nil }
        let zones = zones.prefix(1).filter { $0.since < first.since } + known
        let start = asOf.advanced(bySeconds: -ReportSpan.longest * 86_400)
        let end = asOf.advanced(bySeconds: 2 * 86_400)
        var offsets: [Change] = []
        for (place, zone) in zones.enumerated() {
            let next = place + 1 < zones.count ? zones[place + 1].since : end
            let since = place == 0 ? start : max(start, zone.since)
            guard since < next else { continue }
            offsets += Self.offsets(of: TimeZone(identifier: zone.name) ?? .gmt, from: since, to: next)
        }
        self.init(seconds: offsets.first?.seconds ?? 0, changes: Array(offsets.dropFirst()))
    }

    /// How far the clocks of a zone are from UTC at an instant, and after each change of them before another one.
    private static func offsets(of zone: TimeZone, from start: Instant, to end: Instant) -> [Change] {
        var at = Date(timeIntervalSince1970: Double(start.secondsSinceEpoch))
        let end = Date(timeIntervalSince1970: Double(end.secondsSinceEpoch))
        var changes = [Change(start: start, seconds: zone.secondsFromGMT(for: at))]
        while let next = zone.nextDaylightSavingTimeTransition(after: at), next > at, next < end {
            let start = Instant(secondsSinceEpoch: Int(next.timeIntervalSince1970.rounded(.up)))
            changes.append(Change(start: start, seconds: zone.secondsFromGMT(for: next)))
            at = next
        }
        return changes
    }
}
