import AppHealth
import Foundation

/// A civil time as an object with a part for each of its fields; a part of zero is not sent.
///
/// Source: google.type.DateTime.
struct GoogleDateTime: Codable, Hashable, Sendable {
    var year: Int?
    var month: Int?
    var day: Int?
    var hours: Int?
    var minutes: Int?
    var seconds: Int?
    var nanos: Int?
    var utcOffset: String?
    var timeZone: Zone?

    struct Zone: Codable, Hashable, Sendable {
        var id: String?
        var version: String?
    }

    /// The day, when it is one.
    var date: CivilDate? { CivilDate(year: year ?? 0, month: month ?? 0, day: day ?? 0) }

    /// The same time of another day.
    func on(_ date: CivilDate) -> GoogleDateTime {
        var result = self
        (result.year, result.month, result.day) = date.components
        return result
    }
}

extension GoogleDateTime {
    /// The instant that it names; without an offset and a zone it is UTC. Nil for a time that does not exist and
    /// for a zone that nobody knows.
    var instant: Instant? {
        let (hours, minutes, seconds) = (hours ?? 0, minutes ?? 0, seconds ?? 0)
        guard let date, (0...24).contains(hours), (0...59).contains(minutes), (0...60).contains(seconds)
        else { return nil }
        let civil = Instant(startOf: date).advanced(bySeconds: hours * 3600 + minutes * 60 + seconds)
        return offset(at: civil).map { civil.advanced(bySeconds: -$0) }
    }

    /// Seconds east of UTC at a civil time.
    private func offset(at civil: Instant) -> Int? {
        if let utcOffset {
            guard utcOffset.hasSuffix("s"), let seconds = Int(utcOffset.dropLast()) else { return nil }
            return (-64_800...64_800).contains(seconds) ? seconds : nil
        }
        guard let id = timeZone?.id else { return 0 }
        guard let zone = TimeZone(identifier: id) else { return nil }
        let first = zone.offset(at: civil)
        return zone.offset(at: civil.advanced(bySeconds: -first))
    }
}

extension TimeZone {
    fileprivate func offset(at instant: Instant) -> Int {
        secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.secondsSinceEpoch)))
    }
}

extension Instant {
    fileprivate func advanced(bySeconds seconds: Int) -> Instant {
        Instant(secondsSinceEpoch: secondsSinceEpoch + seconds)
    }
}
