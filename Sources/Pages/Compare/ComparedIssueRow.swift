import Analysis
import AppHealth
import Formatting
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
    /// Its state and what it is to the later release, as labels.
    package var chips: [ChipView]
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
        .list("chips", "Its state and these words as labels", \.chips),
        .text("stateText", "These labels in one line, such as `Open · New in 4.3.0`") { lineText($0.chips) },
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

extension ComparedIssues {
    /// How many rows a list of issues of two releases has.
    private static let limit = 10

    /// Issues as the rows of a list, next to a later release.
    init(_ list: [PairIssue], later: String, _ issues: ListedIssues, in scope: AppScope) {
        let rows = list.prefix(Self.limit).compactMap { one in
            issues[one.id].map { ComparedIssueRow(one, later: later, $0.issue, in: scope) }
        }
        let more = list.count - rows.count
        self.init(
            count: list.isEmpty ? nil : countedText(list.count, "issue"),
            rows: rows, more: more > 0 ? "\(countText(more)) more" : nil)
    }
}

extension ComparedIssueRow {
    fileprivate init(_ one: PairIssue, later: String, _ issue: Issue, in scope: AppScope) {
        let (state, words) = (issue.state.rawValue, one.roles.map(\.rawValue))
        self.init(
            title: issue.headline, place: issue.placeText, stem: scope.stem(toIssue: issue.id),
            kind: issue.kind.rawValue, state: state, words: words,
            chips: [ChipView(state)] + words.map { ChipView($0, in: later) },
            later: one.later.map { IssueCountView($0, in: scope) },
            earlier: one.earlier.map { IssueCountView($0, in: scope) },
            expected: scope.hidesCounts ? nil : one.expected.map(expectedText))
    }
}

extension IssueCountView {
    /// All users of an issue that was seen in no other release, else those of its largest day as the least.
    fileprivate init(_ count: PairIssue.Count, in scope: AppScope) {
        let least = count.mostUsers.map {
            scope.hidesCounts ? scope.countText($0) : "at least \(countText($0))"
        }
        self.init(
            events: scope.countOrDash(count.events),
            users: count.users.map(scope.countText) ?? least ?? "–",
            share: count.share.map(shareText) ?? "–")
    }
}

/// The events that the rate in the one release would have brought to the other.
private func expectedText(_ count: Double) -> String {
    count >= 1 ? "about \(estimateText(Int(min(count, 1e15).rounded())))" : "fewer than 1"
}
