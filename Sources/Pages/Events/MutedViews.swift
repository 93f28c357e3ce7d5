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
