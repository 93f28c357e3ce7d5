package import Templates

/// An issue as one row of a list.
package struct IssueRow: TemplateModel {
    package static let modelName = "issue-row"
    package var rank: Int
    /// How its rank moved, in lists of a day against the day before: `▲6`, `▼2`, `=`, `new`; in other lists over
    /// the last 7 days against the 7 before, where the counts bear it out; else empty.
    package var movement: String
    package var title: String
    package var place: String?
    package var stem: String?
    package var kind: String
    package var state: String
    package var users: String
    package var events: String
    package var share: String?
    package var versions: String
    package var signals: [String]
    package var sparkline: ChartView?

    /// Whether the number of users is not hidden.
    var hasUsers: Bool { users != hiddenCountText }

    package static let fields: [Field<IssueRow>] = [
        .number("rank", "Its place in the list, from 1", \.rank),
        .text(
            "movement",
            "How its rank moved since the day before (in lists of several days: this week against the last, where sure): `▲6`, `▼2`, `=`, `new`, or empty",
            \.movement),
        .text("title", "Its headline, such as `Index out of range`", \.title),
        .optionalText("place", "Its place in the code, such as `Atomic.swift:54`", \.place),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .text("kind", "`crash`, `hang` or `error`", \.kind),
        .text("state", "`open`, `closed` or `muted`", \.state),
        .text("users", "Distinct users, such as `412`; `–` when unknown", \.users),
        .flag("hasUsers", "True when the number of users is not hidden", \.hasUsers),
        .text("events", "Events, such as `1,204`; `–` when unknown", \.events),
        .optionalText("share", "Its share, such as `2.83% of sessions of 4.2.1`", \.share),
        .text("versions", "The versions it was seen in, such as `4.2.1 – 4.3.0`", \.versions),
        .texts("signals", "Words that mark it, such as `regressed`", \.signals),
        .optional("sparkline", "Its days as a small chart; absent when the source has no days", \.sparkline),
    ]
}
