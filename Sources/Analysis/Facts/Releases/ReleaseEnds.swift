import AppHealth

/// The day with which what is shown of a release ends.
struct ReleaseEnds {
    /// How many known days in a row without a session end a release.
    static let silence = 28

    private let ended: [String: End]
    private let lastDay: CivilDate

    /// The end of a release that is no longer used.
    fileprivate struct End {
        /// The day on which it had been unused for as long as it takes.
        let day: CivilDate
        /// The last day on which it was used.
        let lastUse: CivilDate
    }

    /// - Parameter lastDay: The last day with a figure of the app.
    init(_ counts: ReleaseCounts, lastDay: CivilDate) {
        self.lastDay = lastDay
        ended = endedReleases(counts)
    }

    /// The last day of a release; the last day with a figure where it is in use.
    subscript(label: String) -> CivilDate { ended[label]?.day ?? lastDay }

    /// Whether it had been unused for so long by the end of its last day.
    func isSilent(_ label: String) -> Bool { ended[label] != nil }

    /// Whether nothing newer of it is to come: its figures cannot be stale.
    func isOver(_ label: String) -> Bool { self[label] < lastDay }

    /// The day whose levels a release is judged by: the last one of its use where that is over, else its last day.
    func judgedDay(of label: String) -> CivilDate {
        isOver(label) ? ended[label]?.lastUse ?? lastDay : self[label]
    }
}

/// The day on which each release that is no longer used had been unused for as long as it takes.
private func endedReleases(_ counts: ReleaseCounts) -> [String: ReleaseEnds.End] {
    var used: [CivilDate: Set<String>] = [:]
    for (key, day) in counts.health {
        used[key.date, default: []].formUnion(counts.basis.total(of: day) == 0 ? [] : [key.version])
    }
    // Of those in use alone: an app has had many more.
    var silent: [String: Int] = [:]
    var lastUses: [String: CivilDate] = [:]
    var ended: [String: ReleaseEnds.End] = [:]
    for (day, labels) in used.sorted(by: { $0.key < $1.key }) {
        for label in labels {
            silent[label] = 0
            lastUses[label] = day
            ended[label] = nil
        }
        guard counts.isWhole(on: day) else { continue }
        for label in Array(silent.keys) where !labels.contains(label) {
            let days = silent[label, default: 0] + 1
            silent[label] = days < ReleaseEnds.silence ? days : nil
            if days == ReleaseEnds.silence {
                ended[label] = lastUses[label].map { ReleaseEnds.End(day: day, lastUse: $0) }
            }
        }
    }
    return ended
}
