import AppHealth

/// What became of the drops of the crash-free rate: of one that mutes or settings hold back, no page says why.
struct ShownDrops {
    /// What becomes of a drop.
    enum Visibility: Hashable {
        case shown, muted, hidden
    }

    private let shown: Set<CivilDate>
    private let muted: Set<CivilDate>

    init(_ activity: Activity) {
        shown = Set(activity.shown.compactMap(\.firstNight))
        muted = Set(activity.muted.compactMap(\.event.firstNight))
    }

    /// What became of a drop. What settings hide goes on with a drop that it followed before the rate was back, where that
    /// is shown.
    func visibility(of drop: StabilityEpisode) -> Visibility {
        if muted.contains(drop.first) { return .muted }
        let since = min(drop.origin.first, drop.first)
        return shown.contains { since <= $0 && $0 <= drop.first } ? .shown : .hidden
    }
}

extension Event {
    /// The first night of a drop of the rate; nil for everything else.
    fileprivate var firstNight: CivilDate? {
        if case .stability(let alert) = self { alert.episode.first } else { nil }
    }
}
