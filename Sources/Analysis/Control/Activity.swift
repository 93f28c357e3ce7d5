package import AppHealth
import Diagnostics

/// The events of an app, split into what is reported and what is not.
package struct Activity: Hashable, Codable, Sendable {
    /// What is reported, newest first.
    package var shown: [Event] = []
    /// What is muted, newest first.
    package var muted: [MutedEvent] = []
    /// What the settings leave out, newest day first, then in the order of the kinds.
    package var hidden: [HiddenEvents] = []
    /// The alerts and verdicts among these, newest first. No page has them: what was sent is compared with them.
    package var hiddenAlerts: [Event] = []
    /// What became of each mute that may concern the app, in their order.
    package var uses: [MuteUse] = []

    /// The mutes that stand now.
    package var standing: [MuteUse] { uses.filter { $0.ended == nil } }

    /// The same with what explains its muted alerts, by their ids.
    func explained(by causes: [String: DropBreakdown]) -> Activity {
        var explained = self
        explained.muted = muted.map {
            MutedEvent(event: $0.event, mute: $0.mute, cause: causes[$0.event.occasion.id])
        }
        return explained
    }
}

/// An event that is muted.
package struct MutedEvent: Hashable, Codable, Sendable {
    /// The event.
    package let event: Event
    /// The first mute that holds for it.
    package let mute: Mute
    /// What explains a Stability Alert on its first night; nil where it cannot be reported.
    package internal(set) var cause: DropBreakdown?

    /// Makes one.
    package init(event: Event, mute: Mute, cause: DropBreakdown? = nil) {
        self.event = event
        self.mute = mute
        self.cause = cause
    }
}

/// Events of one kind and day that the settings leave out.
package struct HiddenEvents: Hashable, Codable, Sendable {
    /// Why they are skipped; a level is that of the kind, or of the kind of what was withdrawn.
    package enum Reason: Hashable, Codable, Sendable {
        /// The kind is turned off.
        case off
        /// They are less grave than the least level.
        case belowLevel(AlertLevel, of: EventKind)
        /// There were more than so many on the day.
        case limit(Int)
    }

    /// The kind.
    package let kind: EventKind
    /// The day.
    package let day: CivilDate
    /// Why.
    package let reason: Reason
    /// How many.
    package let count: Int
}

/// What became of a mute in one app.
package struct MuteUse: Hashable, Codable, Sendable {
    /// The mute.
    package let mute: Mute
    /// How many events it matches, whether it still applied or not.
    package let fitting: Int
    /// How many events it mutes.
    package let muting: Int
    /// When it ended; nil while it is.
    package let ended: Instant?
    /// The issue that was probably meant, when the app has none with the id of the mute.
    package let near: String?
    /// Whether it names an issue that the app has: it waits until there is an event to mute.
    package let namesIssue: Bool
}

extension Activity {
    /// The ids of muted verdicts whose mute is over.
    var freedVerdicts: Set<String> {
        let ended = Set(uses.lazy.filter { $0.ended != nil }.map(\.mute))
        return Set(
            muted.lazy.filter { $0.event.kind == .releaseVerdict && ended.contains($0.mute) }
                .map(\.event.occasion.id))
    }
}

extension Activity {
    /// Splits the events of an app: the settings come first, then the mutes, then the limits of a day.
    ///
    /// What is turned off or below the least level is not checked against mutes. An event is muted by the first mute
    /// that matches it and applied on its day, so a mute that ends brings back nothing that it muted while it
    /// applied but what still goes on when its day comes. A recovery is muted or shown with the alert that it closes,
    /// unless a mute names its kind.
    ///
    /// - Parameter events: newest first, as `events(in:rules:)` gives them.
    package init(of events: [Event], in index: HistoryIndex, under control: AlertControl = AlertControl()) {
        let settings = control.settings[index.app.id] ?? .standard
        let mutes = control.mutes.filter { $0.concerns(index.app) }.map {
            DatedMute($0, in: index)
        }
        if settings == .standard, mutes.isEmpty {
            var dispositions = [Disposition](repeating: .shown, count: events.count)
            limit(&dispositions, events, settings, index)
            self.init(events, dispositions)
            return
        }
        var triage = EventTriage(settings: settings, mutes: mutes, index: index)
        var triaged = triage.triaged(events)
        let escalation = triage.escalation(of: triaged)
        if !escalation.isEmpty {
            triage.unmuted = escalation.unmuted
            triaged = triage.triaged((events + escalation.alerts.values).sorted(by: isNewer))
        }
        var dispositions = triaged.map(\.disposition)
        limit(&dispositions, triaged.map(\.event), settings, index)
        self.init(triaged.map(\.event), dispositions)
        let muting = Dictionary(grouping: muted, by: \.mute.number).mapValues(\.count)
        lazy var issues = NearestNames(index.issues.byID.ids)
        uses = mutes.map { dated in
            let fitting = triaged.count { dated.mute.fits($0.event, $0.traits) }
            let unknown = dated.mute.unknownIssue(in: index)
            return MuteUse(
                mute: dated.mute, fitting: fitting, muting: muting[dated.mute.number] ?? 0,
                ended: dated.ended,
                near: fitting > 0 ? nil : unknown.flatMap { issues.nearest(to: $0) },
                namesIssue: dated.mute.subject.issue != nil && unknown == nil)
        }
    }

    private init(_ events: [Event], _ dispositions: [Disposition]) {
        var counts: [CivilDate: [EventKind: [HiddenEvents.Reason: Int]]] = [:]
        for (event, disposition) in zip(events, dispositions) {
            switch disposition {
            case .shown: shown.append(event)
            case .muted(let mute): muted.append(MutedEvent(event: event, mute: mute))
            case .hidden(let reason):
                counts[event.occasion.day, default: [:]][event.kind, default: [:]][reason, default: 0] += 1
                if event.kind.isOfMessages { hiddenAlerts.append(event) }
            }
        }
        for (day, kinds) in counts.sorted(by: { $0.key > $1.key }) {
            for kind in EventKind.allCases {
                let reasons = (kinds[kind] ?? [:]).sorted { $0.key.rank < $1.key.rank }
                hidden += reasons.map { HiddenEvents(kind: kind, day: day, reason: $0.key, count: $0.value) }
            }
        }
    }
}

extension EventKind {
    /// Whether a message that was sent may be corrected because of it.
    fileprivate var isOfMessages: Bool { isAlert || self == .releaseVerdict || self == .withdrawn }
}

extension HiddenEvents.Reason {
    /// Its place among the reasons of one kind and day: the order in which they are tried.
    fileprivate var rank: Int {
        switch self {
        case .off: 0
        case .belowLevel: 1
        case .limit: 2
        }
    }
}

/// What becomes of an event.
enum Disposition: Hashable, Codable {
    case shown
    case muted(Mute)
    case hidden(HiddenEvents.Reason)
}

extension Mute {
    /// The id of its issue, when no such issue is known.
    fileprivate func unknownIssue(in index: HistoryIndex) -> String? {
        subject.issue.flatMap { index.issues.byID[$0] == nil ? $0 : nil }
    }
}

/// Lets the first of a day stand, the gravest of one instant first: what was reported is not taken back by what
/// comes later.
private func limit(
    _ dispositions: inout [Disposition], _ events: [Event], _ settings: AlertSettings,
    _ index: HistoryIndex
) {
    for kind in EventKind.allCases {
        guard let limit = settings.limit(of: kind) else { continue }
        let reported = events.indices.filter { events[$0].kind == kind && dispositions[$0] == .shown }
        for ofDay in Dictionary(grouping: reported, by: { events[$0].occasion.day }).values
        where ofDay.count > limit {
            let ordered = ofDay.sorted { comesFirst(events[$0], events[$1], index) }
            for place in ordered.dropFirst(limit) { dispositions[place] = .hidden(.limit(limit)) }
        }
    }
}

private func comesFirst(_ first: Event, _ second: Event, _ index: HistoryIndex) -> Bool {
    let (left, right) = (first.occasion, second.occasion)
    if left.at != right.at { return left.at < right.at }
    let (grave, other) = (first.traits(in: index).figures, second.traits(in: index).figures)
    let (share, otherShare) = (grave.share ?? grave.points ?? 0, other.share ?? other.points ?? 0)
    return share != otherShare ? share > otherShare : left.id < right.id
}
