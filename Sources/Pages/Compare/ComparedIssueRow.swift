package import Templates

/// An issue that was seen in one of two releases, or in both.
package struct ComparedIssueRow: TemplateModel {
    package static let modelName = "compared-issue"
    package var title: String
    package var place: String?
    package var stem: String?
    package var kind: String
    package var state: String
    package var words: [String]
    package var later: IssueCountView?
    package var earlier: IssueCountView?
    package var expected: String?

    package static let fields: [Field<ComparedIssueRow>] = [
        .text("title", "Its headline, such as `Index out of range`", \.title),
        .optionalText("place", "Its place in the code, such as `Atomic.swift:54`", \.place),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .text("kind", "`crash`, `hang` or `error`", \.kind),
        .text("state", "`open`, `closed` or `muted`", \.state),
        .texts("words", "What it is to the later release: `new`, `regressed`, `fixed`", \.words),
        .optional(
            "later", "What was counted of it in the later release; absent when it was not seen there", \.later
        ),
        .optional(
            "earlier", "What was counted of it in the earlier release; absent when it was not seen there",
            \.earlier),
        .optionalText(
            "expected",
            "How many events its rate would have brought to the release that it was not seen in, such as `about 14`",
            \.expected),
    ]
}

/// What was counted of an issue in one release.
package struct IssueCountView: TemplateModel {
    package static let modelName = "issue-count"
    package var events: String
    package var users: String
    package var share: String

    package static let fields: [Field<IssueCountView>] = [
        .text("events", "Its events in the release, such as `1,204`; `–` when unknown", \.events),
        .text(
            "users",
            "Its users in the release, such as `412`, or `at least 90` where only those of single days are known",
            \.users),
        .text("share", "Its events for each session of the release, such as `0.84%`", \.share),
    ]
}

/// The first issues of a list, and how many there are.
package struct ComparedIssues: TemplateModel {
    package static let modelName = "compared-issues"
    package var count: String?
    package var rows: [ComparedIssueRow]
    package var more: String?

    package static let fields: [Field<ComparedIssues>] = [
        .optionalText(
            "count", "How many issues there are, such as `14 issues`; absent when there is none", \.count),
        .list("rows", "The first of them", \.rows),
        .optionalText("more", "How many more there are, such as `4 more`; absent without any", \.more),
    ]
}
