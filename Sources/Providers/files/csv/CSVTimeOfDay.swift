/// The time of a day with a zone behind a date: `23:00:00Z`, `23:00:00.000+01:00`, `23:00:00 UTC`, `23:00:00+00`.
struct CSVTimeOfDay {
    /// Whole seconds from midnight.
    let seconds: Int
    /// How many seconds the zone is ahead of UTC.
    let offset: Int

    /// Nil for every other text, as for a time without a zone.
    init?(_ text: Substring) {
        let time = text.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        guard let clock = time.split(separator: ".", omittingEmptySubsequences: false).first else {
            return nil
        }
        let numbers = clock.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0) }
        guard (2...3).contains(numbers.count), let hour = numbers[0], let minute = numbers[1],
            let second = numbers.count == 3 ? numbers[2] : 0, hour < 24, minute < 60, second <= 60,
            let offset = Self.offset(text.dropFirst(time.count).drop { $0 == " " })
        else { return nil }
        seconds = hour * 3600 + minute * 60 + min(second, 59)
        self.offset = offset
    }

    private static func offset(_ text: Substring) -> Int? {
        if ["Z", "UTC", "GMT"].contains(text.uppercased()) { return 0 }
        guard let sign = text.first, "+-".contains(sign) else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 2 || digits.utf8.count == 4, let hours = number(digits.prefix(2)),
            hours < 24,
            let minutes = digits.utf8.count == 2 ? 0 : number(digits.suffix(2)), minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// One or two digits.
    private static func number(_ text: Substring) -> Int? {
        (1...2).contains(text.utf8.count) ? wholeNumber(text) : nil
    }
}
