import AppHealth

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
