package import Templates

/// An issue as one row of a list.
package struct IssueRow: TemplateModel {
    package static let modelName = "issue-row"
    /// Its place in the list, from 1.
    package var rank: Int
    /// How its rank moved, in lists of a day against the day before: `▲6`, `▼2`, `=`, `new`; in other lists over
    /// the last 7 days against the 7 before, where the counts bear it out; else empty.
    package var movement: String
    /// Its headline; words of our own when the source has none.
    package var title: String
    /// Its place in the code.
    package var place: String?
    /// The address of its page without the ending.
    package var stem: String?
    /// `crash`, `hang`, `error`.
    package var kind: String
    /// `open`, `closed`, `muted`.
    package var state: String
    /// Distinct users over the span of the list.
    package var users: String
    /// Events over the span of the list.
    package var events: String
    /// Its share, with what it is a share of.
    package var share: String?
    /// The versions it was seen in: `4.2.1 – 4.3.0`.
    package var versions: String
    /// Words that mark it: `new`, `regressed`, `velocity`, `rising`, `gone`.
    package var signals: [String]
    /// Its days as a small chart; nil when the source has no days.
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
