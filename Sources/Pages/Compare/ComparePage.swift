package import Templates

/// Two releases of one app beside each other.
package struct ComparePage: TemplateModel {
    package static let modelName = "compare"
    package var frame: Frame
    package var app: String
    package var later: String
    package var earlier: String
    package var laterStem: String?
    package var earlierStem: String?
    package var verdict: VerdictView
    package var rates: [ComparedRateRow]
    package var ages: ChartView?
    package var releases: [ReleaseRow]
    package var onlyLater: ComparedIssues
    package var both: ComparedIssues
    package var onlyEarlier: ComparedIssues
    package var hasCounts: Bool
    package var issuesUnavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ComparePage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("later", "The label of the release that came out later", \.later),
        .text("earlier", "The label of the release that came out earlier", \.earlier),
        .optionalUrl(
            "laterStem", "The address of the page of the later release without ending", \.laterStem),
        .optionalUrl(
            "earlierStem", "The address of the page of the earlier release without ending", \.earlierStem),
        .model(
            "verdict",
            "What their counts show: `crashes more`, `crashes less`, `no difference shown`, `not enough data`, `unknown`",
            \.verdict),
        .list("rates", "Their rates and the differences, over each span", \.rates),
        .optional("ages", "Both by days of their lives; absent when that cannot be told", \.ages),
        .list("releases", "Both as rows of the list of releases, the later first", \.releases),
        .model("onlyLater", "Issues seen in the later release and not in the earlier", \.onlyLater),
        .model("both", "Issues seen in both, the greatest rise first", \.both),
        .model("onlyEarlier", "Issues seen in the earlier release and not in the later", \.onlyEarlier),
        .flag("hasCounts", "True when numbers of users and events are shown", \.hasCounts),
        .optionalText(
            "issuesUnavailable", "Why issues cannot be told for single releases, when they cannot",
            \.issuesUnavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}
