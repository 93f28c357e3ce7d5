import Analysis
import AppHealth
import Formatting
package import Templates

/// Muted events, folded.
package struct MutedSection: TemplateModel {
    package static let modelName = "muted-fold"
    package var title: String
    package var entries: [MutedEntry]

    package static let fields: [Field<MutedSection>] = [
        .text("title", "What is folded, such as `Muted (3)`", \.title),
        .list("entries", "The muted events, newest first", \.entries),
    ]
}

/// A muted event in one line, with who muted it, why and until when.
package struct MutedEntry: TemplateModel {
    package static let modelName = "muted-entry"
    package var kind: String
    package var date: String
    package var dateText: String
    package var sentence: String
    package var stem: String?
    package var by: String
    package var why: String
    package var until: String

    package static let fields: [Field<MutedEntry>] = [
        .text("kind", "The kind of event, such as `Stability Alert`", \.kind),
        .text("date", "The day it is about, such as `2026-11-19`", \.date),
        .text("dateText", "The day it is about, such as `Thu, Nov 19, 2026`", \.dateText),
        .text("sentence", "The sentence that reports it, of a drop also why the rate fell", \.sentence),
        .optionalUrl("stem", "The address of its issue's page without ending", \.stem),
        .text("by", "Who muted it", \.by),
        .text("why", "Why it is muted", \.why),
        .text("until", "Until when, such as `until Tue, Dec 1, 2026`", \.until),
    ]
}

/// A mute that is.
package struct MuteRow: TemplateModel {
    package static let modelName = "mute"
    package var what: String
    package var count: String
    package var by: String
    package var why: String
    package var until: String

    package static let fields: [Field<MuteRow>] = [
        .text("what", "What it mutes, such as `Issue Velocity Alert, issue 1a2b, in sketchbook`", \.what),
        .text("count", "How many events it mutes, such as `3 events`", \.count),
        .text("by", "Who muted it", \.by),
        .text("why", "Why", \.why),
        .text("until", "Until when, such as `until Tue, Dec 1, 2026`", \.until),
    ]
}

extension MutedSection {
    /// Muted events as one fold; nil when there are none.
    init?(_ muted: [MutedEvent], in scope: AppScope) {
        guard !muted.isEmpty else { return nil }
        self.init(title: "Muted (\(muted.count))", entries: muted.map { MutedEntry($0, in: scope) })
    }
}

extension MutedEntry {
    /// A muted event in one line.
    init(_ muted: MutedEvent, in scope: AppScope) {
        let (day, counts) = (muted.event.occasion.day, scope.audience.counts)
        let cause = muted.cause.map { " " + $0.sentence(counts: counts) } ?? ""
        self.init(
            kind: muted.event.title, date: day.description, dateText: day.compactText,
            sentence: muted.event.sentence(counts: counts) + cause,
            stem: muted.event.issueID.flatMap(scope.stem(toIssue:)),
            by: muted.mute.by, why: muted.mute.why, until: muted.mute.untilWords)
    }
}

extension MuteRow {
    /// The mutes that stand for the app; those of an issue of another app are skipped.
    static func rows(_ activity: Activity, in scope: AppScope) -> [MuteRow] {
        let own = activity.standing.filter { use in
            use.fitting > 0 || use.mute.subject.app != nil || use.mute.subject.issue == nil
        }
        return own.map { use in
            MuteRow(
                what: use.mute.what,
                count: use.muting == 1 ? "1 event" : "\(scope.countText(use.muting)) events",
                by: use.mute.by, why: use.mute.why, until: use.mute.untilWords)
        }
    }
}

/// What the settings leave out whatever the day: one sentence for each kind and reason.
func hiddenLines(_ activity: Activity) -> [String] {
    var counts: [EventKind: [HiddenEvents.Reason: Int]] = [:]
    for one in activity.hidden {
        if case .limit = one.reason { continue }
        counts[one.kind, default: [:]][one.reason, default: 0] += one.count
    }
    // A kind is either turned off or has a least level.
    return EventKind.allCases.flatMap { kind in
        (counts[kind] ?? [:]).map { HiddenEvents.sentence($0.value, kind, $0.key) }.sorted()
    }
}
