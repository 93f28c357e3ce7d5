import AppHealth

/// How much the days of an app varied beyond chance before the lives of its releases, found once for each day.
struct NoiseBefore: Sendable {
    private let index: HistoryIndex
    private let found: [CivilDate: Double?]

    /// - Parameters:
    ///   - lives: the lives of the releases.
    ///   - changes: the days from which on another source counted releases.
    init(_ index: HistoryIndex, _ lives: [ReleaseHistory], changes: [CivilDate]) {
        self.index = index
        let days = Set(lives.flatMap { [$0.firstDay, $0.firstCountedDay] } + changes)
        found = Dictionary(uniqueKeysWithValues: days.map { ($0, index.noise(before: $0)) })
    }

    /// That before a day; nil with fewer days than a week.
    subscript(day: CivilDate) -> Double? {
        if let known = found[day] { known } else { index.noise(before: day) }
    }
}
