import AppHealth

/// Decides what becomes of events, each for itself.
struct EventTriage {
    let settings: AlertSettings
    let mutes: [DatedMute]
    let evidence: HistoryIndex
    /// The ids of events that no mute with a level holds back, as their issue has reached it since.
    var spoken: Set<String> = []

    /// An event with what mutes ask of it and what becomes of it.
    typealias Parted = (event: Event, traits: EventTraits, fate: Disposition)

    /// What becomes of each event, in their order.
    func parted(_ events: [Event]) -> [Parted] {
        var parted = events.map { event -> Parted in
            let traits = event.traits(in: evidence)
            return (event, traits, fate(of: event, traits))
        }
        let alerts = parted.filter { $0.event.kind == .stability }.map { ($0.event.occasion.day, $0.fate) }
        let fates = Dictionary(alerts, uniquingKeysWith: { first, _ in first })
        for index in parted.indices where parted[index].fate == .shown {
            guard let closes = parted[index].traits.closes, let fate = fates[closes] else { continue }
            parted[index].fate = fate
        }
        return parted
    }

    private func fate(of event: Event, _ traits: EventTraits) -> Disposition {
        guard settings.isOn(event.kind) else { return .leftOut(.off) }
        let least = settings[event.kind].least
        if least.isMissed(by: traits.figures) { return .leftOut(.belowLevel(least)) }
        let holding = mutes.first { dated in
            dated.mute.fits(event, traits)
                && dated.stood(on: event.occasion.day, knownAt: event.occasion.at)
                && !isReached(dated.mute.end.level, by: event, traits)
        }
        return holding.map { .muted($0.mute) } ?? .shown
    }
}

extension EventTriage {
    fileprivate func isReached(_ level: AlertLevel?, by event: Event, _ traits: EventTraits) -> Bool {
        guard let level else { return false }
        return level.isReached(by: traits.figures) || spoken.contains(event.occasion.id)
    }
}

/// Newest first; events of one instant are ordered by id.
func newestFirst(_ events: [Event]) -> [Event] {
    events.sorted { first, second in
        let (left, right) = (first.occasion, second.occasion)
        return left.at != right.at ? left.at > right.at : left.id < right.id
    }
}
