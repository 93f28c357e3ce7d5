package import AppHealth

/// What became of an episode: a drop of a rate, or a rise of crashes.
package enum EpisodeState<Level: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    /// What dropped or rose has not come back; so many days have passed since the first one.
    case open(days: Int)
    /// The first day on which it was back and stayed so, and what it was: the crashed share, or the crashes.
    case recovered(on: CivilDate, Level)
    /// Before it was back it dropped or rose again, beyond what it had become.
    case followed(by: CivilDate)

    /// Whether it lasts.
    package var isOpen: Bool { if case .open = self { true } else { false } }
}
