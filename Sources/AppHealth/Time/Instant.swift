/// A point in time: whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Instant: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// Seconds since the epoch; negative before.
    package let secondsSinceEpoch: Int

    /// How far ahead of the clock here a time of another one may be: clocks of two machines differ by a little.
    package static let mostAheadSeconds = 3600

    /// The point so many seconds after the epoch, held within the years 1…9999.
    package init(secondsSinceEpoch: Int) {
        self.secondsSinceEpoch = min(max(secondsSinceEpoch, -62_135_596_800), 253_402_300_799)
    }

    /// The first second of the day in UTC.
    package init(startOf date: CivilDate) {
        self.init(secondsSinceEpoch: date.daysSinceEpoch * 86_400)
    }

    /// A time in RFC 3339 form: `2026-11-20T06:00:00Z`, with an optional fraction (dropped) and with `Z` or
    /// an offset such as `+01:00`; nil when the text is anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let date = CivilDate(String(decoding: bytes[0..<10], as: UTF8.self)),
            let hour = decimal(bytes[11..<13]), let minute = decimal(bytes[14..<16]),
            let second = decimal(bytes[17..<19]), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = Self.offset(rest) else { return nil }
        self.init(
            secondsSinceEpoch: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
                - offset)
    }

    /// The day in UTC on which this instant lies.
    package var date: CivilDate {
        CivilDate(daysSinceEpoch: Int((Double(secondsSinceEpoch) / 86_400).rounded(.down)))
    }

    /// Hour and minute in UTC, `06:00`.
    package var timeText: String {
        let ofDay = secondsOfDay
        return "\(padded(ofDay / 3600, to: 2)):\(padded(ofDay / 60 % 60, to: 2))"
    }

    /// The instant so many seconds later.
    package func advanced(bySeconds seconds: Int) -> Instant {
        Instant(secondsSinceEpoch: secondsSinceEpoch + min(max(seconds, -400_000_000_000), 400_000_000_000))
    }

    /// How many seconds lie from this instant to the other.
    package func seconds(to other: Instant) -> Int {
        other.secondsSinceEpoch - secondsSinceEpoch
    }

    /// RFC 3339 in UTC: `2026-11-20T06:00:00Z`.
    package var description: String {
        "\(date)T\(timeText):\(padded(secondsOfDay % 60, to: 2))Z"
    }

    package static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.secondsSinceEpoch < rhs.secondsSinceEpoch
    }

    private var secondsOfDay: Int { secondsSinceEpoch - date.daysSinceEpoch * 86_400 }

    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes)
        if bytes.count == 1, bytes[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        guard bytes.count == 6 || bytes.count == 5, let sign = bytes.first,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = decimal(bytes[1..<3]), let minutes = decimal(bytes[(bytes.count - 2)...]),
            hours < 24, minutes < 60, bytes.count == 5 || bytes[3] == UInt8(ascii: ":")
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

/// An hour in UTC.
package struct UTCHour: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// Whole hours from 1970-01-01T00:00:00Z to its beginning; negative before.
    package let hoursSinceEpoch: Int

    /// The hour that begins so many hours after the epoch, held within the years 1…9999.
    package init(hoursSinceEpoch: Int) {
        self.hoursSinceEpoch = min(max(hoursSinceEpoch, -17_259_888), 70_389_527)
    }

    /// The hour in which an instant lies.
    package init(of instant: Instant) {
        let seconds = instant.secondsSinceEpoch
        self.init(hoursSinceEpoch: (seconds - (seconds % 3600 + 3600) % 3600) / 3600)
    }

    /// Its first second.
    package var start: Instant { Instant(secondsSinceEpoch: hoursSinceEpoch * 3600) }

    /// The hour so many hours later (earlier when negative).
    package func advanced(by hours: Int) -> UTCHour {
        UTCHour(hoursSinceEpoch: hoursSinceEpoch + min(max(hours, -100_000_000), 100_000_000))
    }

    /// Its first second in RFC 3339 form: `2026-11-20T06:00:00Z`.
    package var description: String { start.description }

    package static func < (lhs: UTCHour, rhs: UTCHour) -> Bool {
        lhs.hoursSinceEpoch < rhs.hoursSinceEpoch
    }
}
