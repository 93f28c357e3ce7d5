import AppHealth
import Diagnostics
import Foundation

/// The zone in which the days of a file begin: a name of the IANA, or an offset such as `-08:00`.
struct FileZone: Equatable, Sendable {
    /// How far behind UTC the last place is in which a day ends.
    private static let farthestBehind = 12 * 3600

    /// What the source states: the name, or the offset as `UTC-08:00`.
    let name: String
    /// Nil when no zone has the name.
    private let zone: TimeZone?

    init(_ text: String) {
        name = fixedZoneName(text) ?? text
        zone = TimeZone(identifier: name)
    }

    /// What to report of a zone that is not known; nil when it is.
    func warning(at place: Location) -> Diagnostic? {
        guard zone == nil else { return nil }
        let near = nearestName(to: String(name.prefix(60)), among: TimeZone.knownTimeZoneIdentifiers)
        return .warning(
            "files.zone", "files: unknown time zone \(quoted(name, limit: 60))",
            details: ["a day counts once it is over in every zone"], at: place,
            hints: [
                near.map { "did you mean '\($0)'?" }
                    ?? "write a name such as Europe/Berlin, or an offset such as +05:30"
            ])
    }

    /// The last day that is over at an instant, both in UTC and in the zone; in every zone where it is not known.
    func lastDayOver(at instant: Instant) -> CivilDate {
        let date = Date(timeIntervalSince1970: Double(instant.secondsSinceEpoch))
        let seconds = zone?.secondsFromGMT(for: date) ?? -Self.farthestBehind
        return instant.advanced(bySeconds: min(0, seconds)).date.advanced(by: -1)
    }

    /// The day of an instant in the zone, and whether it begins with it; nil where the zone is not known.
    func day(at instant: Instant) -> (date: CivilDate, isBegin: Bool)? {
        guard let zone else { return nil }
        func local(_ instant: Instant) -> CivilDate {
            let date = Date(timeIntervalSince1970: Double(instant.secondsSinceEpoch))
            return instant.advanced(bySeconds: zone.secondsFromGMT(for: date)).date
        }
        let date = local(instant)
        return (date, local(instant.advanced(bySeconds: -1)) < date)
    }

    /// Removes what a snapshot has of days that may still run in a zone that is not known. With one that is known, the
    /// archive finds them.
    ///
    /// What was captured when a day began is of a file that is named by it, and stays.
    func removeRunningDays(of snapshot: inout Snapshot) {
        guard zone == nil else { return }
        let captured = snapshot.capturedAt
        let last = lastDayOver(at: captured)
        let isNamed = captured == Instant(startOf: captured.date)
        let next = isNamed ? captured.date : captured.date.advanced(by: 2)
        let mayRun = { (day: CivilDate) in day > last && day < next }
        snapshot.health.removeAll { mayRun($0.date) }
        snapshot.usage.removeAll { mayRun($0.date) }
        snapshot.deviceDays.removeAll { mayRun($0.date) }
        snapshot.issueDays.removeAll { mayRun($0.date) }
        snapshot.coverage = snapshot.coverage.flatMap { span in
            [
                (span.days.lowerBound, min(last, span.days.upperBound)),
                (max(next, span.days.lowerBound), span.days.upperBound),
            ]
            .filter { $0.0 <= $0.1 }.map { CoverageSpan(span.fact, $0.0...$0.1, span.coverage) }
        }
    }
}

/// `UTC-08:00` for `-08:00`, `-0800` and `UTC-8`, and `UTC` for `Z` and no offset; nil for what is no offset.
private func fixedZoneName(_ text: String) -> String? {
    var rest = text.uppercased()[...]
    if rest == "Z" { return "UTC" }
    for word in ["UTC", "GMT"] where rest.hasPrefix(word) {
        rest = rest.dropFirst(word.count)
        if rest.isEmpty { return "UTC" }
    }
    guard let sign = rest.first, "+-\u{2212}".contains(sign) else { return nil }
    let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard parts.count < 3, parts.allSatisfy({ !$0.isEmpty }), parts.count == 1 || parts[1].utf8.count == 2,
        digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let length = parts.count == 2 || digits.utf8.count > 2 ? 2 : 0
    guard let hours = Int(digits.dropLast(length)), let minutes = Int("0" + digits.suffix(length)),
        hours <= 14, minutes < 60, digits.utf8.count <= 4
    else { return nil }
    if hours == 0, minutes == 0 { return "UTC" }
    let pair = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "UTC\(sign == "+" ? "+" : "-")\(pair(hours)):\(pair(minutes))"
}
