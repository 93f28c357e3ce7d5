/// The zone that a source stated, from a capture on.
package struct StatedZone: Hashable, Sendable {
    /// Its name, such as `UTC`.
    package let name: String
    /// The first capture with it.
    package let since: Instant

    /// Makes a zone.
    package init(name: String, since: Instant) {
        self.name = name
        self.since = since
    }
}

extension SourceHistory {
    /// The name of the zone in which a day was counted: the one that the first capture of the day stated.
    package func zone(of day: CivilDate) -> String {
        let captured = captures.first[day] ?? end(of: day)
        return (statedZones.last { $0.since <= captured } ?? statedZones.first)?.name ?? source.zone
    }
}
