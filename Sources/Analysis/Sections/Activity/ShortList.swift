/// What a short list of events has room for: what lasts comes before what is only new.
struct ShortList {
    /// Which alerts are open.
    private let span: OpenSpan
    /// The releases in use that should not reach more people.
    private let held: [HeldRelease]

    init(_ activity: ActivitySection, _ releases: ReleasesSection) {
        (span, held) = (activity.openSpan, releases.held)
    }

    /// Why an event is not pushed out by newer ones, the strongest reason first.
    private enum Reason: Int {
        case lastingAlert, heldRelease, failingSource, otherAlert
    }

    /// Where the events are that have room, in the order of all, which are newest first; daily summaries have none.
    func places(in events: some Sequence<Event>, atMost limit: Int) -> [Int] {
        var lasting: [(reason: Int, place: Int)] = []
        var others: [Int] = []
        for (place, event) in events.enumerated() where event.kind != .topIssues {
            if let reason = reason(of: event) {
                lasting.append((reason.rawValue, place))
            } else if others.count < limit {
                others.append(place)
            }
        }
        let kept = lasting.sorted { $0 < $1 }.prefix(limit).map(\.place)
        return (kept + others.prefix(limit - kept.count)).sorted()
    }

    private func reason(of event: Event) -> Reason? {
        if span.isOpen(event) {
            return event.lastsUntilRecovery
                ? .lastingAlert : event.kind == .sourceTrouble ? .failingSource : .otherAlert
        }
        guard case .releaseVerdict(let reached) = event else { return nil }
        let (label, verdict) = (reached.evaluation.label, reached.evaluation.verdict)
        let isHeld = held.contains { $0.label == label && verdict == ($0.isRollBack ? .rollBack : .hold) }
        return isHeld ? .heldRelease : nil
    }
}
