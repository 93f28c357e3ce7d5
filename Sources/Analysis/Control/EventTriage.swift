import AppHealth

/// Decides what becomes of events, each for itself.
struct EventTriage {
    let settings: AlertSettings
    let mutes: [DatedMute]
    let index: HistoryIndex
    /// The ids of events that no mute with a level holds back, as their issue has reached it since.
    var unmuted: Set<String> = []

    /// An event with what mutes read of it and what becomes of it.
    typealias Triaged = (event: Event, traits: EventTraits, disposition: Disposition)

    /// What becomes of each event, in their order.
    func triaged(_ events: [Event]) -> [Triaged] {
        var triaged = events.map { event -> Triaged in
            let traits = event.traits(in: index)
            return (event, traits, disposition(of: event, traits, under: mutes))
        }
        let drops = SuccessiveDrops(triaged)
        // A mute that names no kind holds back a drop and what ends it, or neither.
        let ofKinds = mutes.filter { $0.mute.subject.kind != nil }
        for (place, one) in triaged.enumerated() {
            guard let closes = one.traits.closes, let ofDrop = drops.disposition(ofThoseUpTo: closes)
            else { continue }
            let own = disposition(of: one.event, one.traits, under: ofKinds)
            triaged[place].disposition = own == .shown ? ofDrop : own
        }
        return triaged
    }

    private func disposition(
        of event: Event, _ traits: EventTraits, under mutes: [DatedMute]
    ) -> Disposition {
        guard settings.isOn(event.kind), traits.withdrawn.map(settings.isOn) != false else {
            return .hidden(.off)
        }
        let kind = traits.withdrawn ?? event.kind
        let least = settings[kind].least
        if least.isMissed(by: traits.figures) { return .hidden(.belowLevel(least, of: kind)) }
        let holding = mutes.first { dated in
            dated.mute.fits(event, traits) && !dated.mute.isOver(for: traits.version)
                && dated.holdsBack(event)
                && !isReached(dated.mute, by: event, traits)
        }
        return holding.map { .muted($0.mute) } ?? .shown
    }
}

extension EventTriage {
    /// Whether an event is as grave as the mute's level.
    fileprivate func isReached(_ mute: Mute, by event: Event, _ traits: EventTraits) -> Bool {
        guard let level = mute.end.level else { return false }
        return level.isReached(by: traits.figures(for: mute)) || unmuted.contains(event.occasion.id)
    }
}

/// What becomes of drops that follow each other before the rate is back.
private struct SuccessiveDrops {
    private let dispositions: [CivilDate: Disposition]
    /// The first day of the drop that each one follows, by its own first day.
    private let before: [CivilDate: CivilDate]

    init(_ triaged: [EventTriage.Triaged]) {
        let drops = triaged.filter { $0.event.kind == .stability }
        dispositions = Dictionary(
            drops.map { ($0.event.occasion.day, $0.disposition) }, uniquingKeysWith: { first, _ in first })
        before = Dictionary(
            drops.compactMap { drop in drop.event.nextDrop.map { ($0, drop.event.occasion.day) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// What becomes of what ends the drops up to the one with a first day: it is shown where any of them is. Nil where
    /// that drop is not known.
    func disposition(ofThoseUpTo day: CivilDate) -> Disposition? {
        var (ofAny, place) = (dispositions[day], before[day])
        while ofAny != .shown, let earlier = place {
            if dispositions[earlier] == .shown { ofAny = .shown }
            place = before[earlier].flatMap { $0 < earlier ? $0 : nil }
        }
        return ofAny
    }
}

extension Event {
    /// The first day of the drop that followed this one before the rate was back; nil where none did.
    fileprivate var nextDrop: CivilDate? {
        switch self {
        case .stability(let alert): if case .followed(let day) = alert.episode.state { day } else { nil }
        case .crashes(let alert): if case .followed(let day) = alert.episode.state { day } else { nil }
        default: nil
        }
    }
}

/// What is reported of muted issues that got worse than their mutes allow.
struct MuteEscalation {
    /// Alerts that no rule gave, by id.
    var alerts: [String: Event] = [:]
    /// The ids of muted events that are reported after all.
    var unmuted: Set<String> = []

    /// Whether there is nothing to report.
    var isEmpty: Bool { alerts.isEmpty && unmuted.isEmpty }
}

extension EventTriage {
    /// How many days an issue must lie below the level of its mute before a new rise to it is reported again.
    private static let quietDays = 7

    /// What is reported of muted issues that have since reached the level of their mute.
    ///
    /// A rule reports an issue and a version once, and that one event may be muted; so the day on which the
    /// issue gets worse than the mute allows has an alert of its own. Where there can be none, as the sessions of
    /// the day are not known or the kind is turned off, the newest muted alert of the issue is reported after all, or
    /// without one what else reports that it spreads. Notes say nothing of how grave it is.
    func escalation(of triaged: [Triaged]) -> MuteEscalation {
        var escalation = MuteEscalation()
        for dated in mutes {
            guard let level = dated.mute.end.level else { continue }
            let muted = triaged.filter {
                $0.disposition == .muted(dated.mute) && $0.traits.issue != nil && reportsSpread($0)
            }
            let byIssue = Dictionary(grouping: muted, by: { $0.traits.issue ?? "" })
            for (issue, muted) in byIssue.sorted(by: { $0.key < $1.key }) {
                for rise in rises(of: issue, to: level, under: dated.mute) {
                    let before = muted.filter { $0.event.occasion.day < rise.date }
                    guard let newest = before.first(where: \.event.kind.isAlert) ?? before.first,
                        !isReported(issue, on: rise.date, triaged),
                        dated.applied(
                            on: rise.date, knownAt: index.issues.source.end(of: rise.date))
                    else { continue }
                    if let alert = alert(issue, rise) {
                        escalation.alerts[alert.occasion.id] = alert
                    } else {
                        escalation.unmuted.insert(newest.event.occasion.id)
                    }
                }
            }
        }
        for one in triaged { escalation.alerts[one.event.occasion.id] = nil }
        return escalation
    }

    /// The days on which an issue rose to a level.
    private func rises(of issue: String, to level: AlertLevel, under mute: Mute) -> [IssueDay] {
        var last: CivilDate?
        var rises: [IssueDay] = []
        for day in days(of: issue, at: level, under: mute) {
            if isQuiet(issue, since: last, until: day.date) { rises.append(day) }
            last = day.date
        }
        return rises
    }

    /// The days on which an issue was at a level, each once: of several versions the one with the largest share, and all
    /// versions together where none is at the level by itself.
    private func days(of issue: String, at level: AlertLevel, under mute: Mute) -> [IssueDay] {
        func isAtLevel(_ day: IssueDay) -> Bool { level.isReached(by: index.figures(of: day)) }
        let ofVersions = (index.issues.releaseDays[issue] ?? []).filter { day in
            isAtLevel(day) && mute.fits(version: day.version)
        }
        let ofAll = mute.subject.version == nil ? (index.issues.days[issue] ?? []).filter(isAtLevel) : []
        var days = Dictionary(
            ofVersions.map { ($0.date, $0) },
            uniquingKeysWith: { share(of: $1) > share(of: $0) ? $1 : $0 })
        days.merge(ofAll.map { ($0.date, $0) }, uniquingKeysWith: { version, _ in version })
        return days.values.sorted { $0.date < $1.date }
    }

    /// Whether an issue is known to have been below its level for long enough; a day that is not known is no quiet one.
    private func isQuiet(_ issue: String, since last: CivilDate?, until day: CivilDate) -> Bool {
        guard let last else { return true }
        return index.issues.quietDays(of: issue, between: last, and: day) >= Self.quietDays
    }

    /// Whether an event says that an issue spreads.
    private func reportsSpread(_ one: Triaged) -> Bool {
        one.event.kind.reportsAnIssue && one.traits.withdrawn == nil
    }

    private func share(of day: IssueDay) -> Double { index.mostShare(of: day)?.value ?? 0 }

    private func isReported(_ issue: String, on day: CivilDate, _ triaged: [Triaged]) -> Bool {
        triaged.contains {
            $0.traits.issue == issue && $0.event.occasion.day == day && $0.disposition == .shown
                && reportsSpread($0)
        }
    }

    /// The alert of a day; nil where the sessions of the day are not known, as it reports a share of them, and where
    /// its kind is turned off.
    private func alert(_ id: String, _ day: IssueDay) -> Event? {
        guard settings.isOn(.velocity), let issue = index.issues.byID[id],
            let share = index.mostShare(of: day)
        else {
            return nil
        }
        let occasion = EventIdentity(
            rule: IssueVelocityRule.id, subject: IssueSubject(id, in: day.version).text, app: index.app,
            day: day.date,
            at: index.issues.source.end(of: day.date))
        return .velocity(
            IssueVelocityAlert(
                occasion: occasion, issue: issue.mention, version: day.version, extent: .share(share),
                hours: 24,
                users: day.users,
                grounds: .worseThanMuted))
    }
}
