import Analysis
import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// Muted events as one fold; nil when there are none.
    func fold(_ muted: [MutedEvent], _ links: Links) -> MutedSection? {
        guard !muted.isEmpty else { return nil }
        return MutedSection(title: "Muted (\(muted.count))", entries: muted.map { mutedEntry($0, links) })
    }

    /// A muted event in one line.
    func mutedEntry(_ muted: MutedEvent, _ links: Links) -> MutedEntry {
        let day = muted.event.occasion.day
        return MutedEntry(
            kind: muted.event.kind.rawValue, date: day.description, dateText: day.compactText,
            sentence: muted.event.sentence(counts: audience.counts),
            stem: muted.event.issueID.flatMap { links.stem(to: .issue($0, of: app.id)) },
            by: muted.mute.by, why: muted.mute.why, until: muted.mute.untilWords)
    }

    /// The muted events of the days that issue lists span.
    var recentlyMuted: [MutedEvent] { activity.muted.filter { $0.event.occasion.day >= windows.first } }

    /// The mutes that stand for the app; those of an issue of another app are left out.
    var muteRows: [MuteRow] {
        let own = activity.standing.filter { use in
            use.fitting > 0 || use.mute.subject.app != nil || use.mute.subject.issue == nil
        }
        return own.map { use in
            MuteRow(
                what: use.mute.what, count: use.muting == 1 ? "1 event" : "\(countText(use.muting)) events",
                by: use.mute.by, why: use.mute.why, until: use.mute.untilWords)
        }
    }

    /// What the settings leave out of a day by its limits, in sentences.
    func cutLines(of day: CivilDate) -> [String] {
        (index.leftOutByDay[day] ?? []).filter { if case .limit = $0.reason { true } else { false } }
            .map(\.sentence)
    }

    /// What the settings leave out whatever the day: one sentence for each kind and reason.
    var leftOutLines: [String] {
        var counts: [EventKind: [LeftOut.Reason: Int]] = [:]
        for one in activity.leftOut {
            if case .limit = one.reason { continue }
            counts[one.kind, default: [:]][one.reason, default: 0] += one.count
        }
        // A kind is either turned off or has a least level.
        return EventKind.allCases.flatMap { kind in
            (counts[kind] ?? [:]).map { LeftOut.sentence($0.value, kind, $0.key) }.sorted()
        }
    }
}

extension Activity {
    /// Muted alerts of the seven days to a day.
    func mutedAlerts(to day: CivilDate) -> Int {
        let since = day.advanced(by: -6)
        return muted.count { $0.event.kind.isAlert && $0.event.occasion.day >= since }
    }
}
