import AppHealth
import Foundation

/// A decimal number as an object, `{"value": "0.0123"}`; an empty text is zero.
///
/// Source: google.type.Decimal, which admits a sign, a fraction and an exponent.
struct WireDecimal: Decodable, Sendable {
    var value: WireDecimalText?

    /// The number; a decimal without a text is zero.
    var number: Double { value?.number ?? 0 }
}

/// The text of a decimal number.
struct WireDecimalText: WireValue, Sampled, Sendable {
    static let expected = "a decimal number as a text"

    static let sample = WireDecimalText(number: 0)

    var number: Double

    private init(number: Double) {
        self.number = number
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.single(String.self, expected: Self.expected)
        let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = text.isEmpty ? 0 : Double(text), value.isFinite else {
            throw decoder.mismatch(Self.expected)
        }
        number = value
    }
}

/// A whole number, zero or more: Google's APIs write 64-bit integers as texts and shorter ones as numbers.
struct WireWhole: WireValue, Sampled, Sendable, Equatable {
    static let expected = "a whole number, zero or more, as a text or a number"

    static let sample = WireWhole(0)

    var value: Int

    init(_ value: Int) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard let number = wholeNumber(text) else { throw decoder.mismatch(Self.expected) }
            value = number
        } else {
            value = try decoder.single(Int.self, expected: Self.expected)
        }
        guard value >= 0 else { throw decoder.mismatch(Self.expected) }
    }
}

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

    /// The beginning of its day.
    var withoutHour: GoogleDateTime {
        var day = self
        (day.hours, day.minutes, day.seconds, day.nanos) = (nil, nil, nil, nil)
        return day
    }

    /// The same time of another day.
    func on(_ date: CivilDate) -> GoogleDateTime {
        var result = self
        (result.year, result.month, result.day) = date.components
        return result
    }
}

extension GoogleDateTime {
    /// The instant that it names; without an offset and a zone it is UTC. Nil for a time that does not exist and
    /// for an unknown zone.
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
