package import Templates

/// Muted events, folded.
package struct MutedSection: TemplateModel {
    package static let modelName = "muted-fold"
    /// What is folded: `Muted (3)`.
    package var title: String
    /// The events, newest first.
    package var entries: [MutedEntry]

    package static let fields: [Field<MutedSection>] = [
        .text("title", "What is folded, such as `Muted (3)`", \.title),
        .list("entries", "The muted events, newest first", \.entries),
    ]
}

/// A muted event in one line, with who muted it, why and until when.
package struct MutedEntry: TemplateModel {
    package static let modelName = "muted-entry"
    /// `Stability Alert`.
    package var kind: String
    /// The day it is about, for machines: `2026-11-19`.
    package var date: String
    /// The day it is about, for people: `Thu, Nov 19, 2026`.
    package var dateText: String
    /// The sentence that tells it.
    package var sentence: String
    /// The address of its issue's page without ending.
    package var stem: String?
    /// Who muted it.
    package var by: String
    /// Why it is muted.
    package var why: String
    /// Until when: `until Tue, Dec 1, 2026`.
    package var until: String

    package static let fields: [Field<MutedEntry>] = [
        .text("kind", "The kind of event, such as `Stability Alert`", \.kind),
        .text("date", "The day it is about, such as `2026-11-19`", \.date),
        .text("dateText", "The day it is about, such as `Thu, Nov 19, 2026`", \.dateText),
        .text("sentence", "The sentence that tells it", \.sentence),
        .optionalUrl("stem", "The address of its issue's page without ending", \.stem),
        .text("by", "Who muted it", \.by),
        .text("why", "Why it is muted", \.why),
        .text("until", "Until when, such as `until Tue, Dec 1, 2026`", \.until),
    ]
}

/// A mute that stands.
package struct MuteRow: TemplateModel {
    package static let modelName = "mute"
    /// What it mutes: `Issue Velocity Alert, issue 1a2b, in sketchbook`.
    package var what: String
    /// How many events it mutes: `3 events`.
    package var count: String
    /// Who muted it.
    package var by: String
    /// Why.
    package var why: String
    /// Until when: `until Tue, Dec 1, 2026`.
    package var until: String

    package static let fields: [Field<MuteRow>] = [
        .text("what", "What it mutes, such as `Issue Velocity Alert, issue 1a2b, in sketchbook`", \.what),
        .text("count", "How many events it mutes, such as `3 events`", \.count),
        .text("by", "Who muted it", \.by),
        .text("why", "Why", \.why),
        .text("until", "Until when, such as `until Tue, Dec 1, 2026`", \.until),
    ]
}
