import AppHealth

/// What became of the falls of the crash-free rate: of one that mutes or settings hold back, no page says why.
struct ReportedFalls {
    /// What becomes of a fall.
    enum Fate: Hashable {
        case shown, muted, hidden
    }

    private let shown: Set<CivilDate>
    private let muted: Set<CivilDate>

    init(_ activity: Activity) {
        shown = Set(activity.shown.compactMap(\.firstNight))
        muted = Set(activity.muted.compactMap(\.event.firstNight))
    }

    /// What became of a fall. What settings hide goes on with a fall that it followed before the rate was back, where that
    /// is shown.
    func fate(of fall: StabilityEpisode) -> Fate {
        if muted.contains(fall.first) { return .muted }
        let since = min(fall.origin.first, fall.first)
        return shown.contains { since <= $0 && $0 <= fall.first } ? .shown : .hidden
    }
}

extension Event {
    /// The first night of a fall of the rate; nil for everything else.
    fileprivate var firstNight: CivilDate? {
        if case .stability(let alert) = self { alert.episode.first } else { nil }
    }
}
