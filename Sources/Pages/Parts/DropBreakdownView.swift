package import Templates

/// Why the crash-free rate fell.
package struct DropBreakdownView: TemplateModel {
    package static let modelName = "drop-causes"
    /// One or two sentences whose figures add up.
    package var sentence: String
    package var span: String
    package var releases: [DropReleaseRow]
    /// The whole fall in percentage points, such as `0.62`; what the rows contribute adds up to it.
    package var total: String
    package var issues: [DropIssueRow]
    /// The drop as steps.
    package var chart: ChartView?

    package static let fields: [Field<DropBreakdownView>] = [
        .text(
            "sentence", "`Of the fall of 0.62 points in crash-free sessions, 0.55 come from 4.3.0 …`",
            \.sentence),
        .text(
            "span",
            "What is compared with what, such as `Thu, Nov 19, 2026 against 7 days to Mon, Nov 16, 2026`",
            \.span),
        .list("releases", "The releases that contributed most, then all others together", \.releases),
        .text("total", "The whole fall in percentage points, such as `0.62`", \.total),
        .list("issues", "The issues that rose most in the release that contributed most", \.issues),
        .optional("chart", "The drop as steps from the rate before to the rate after", \.chart),
    ]
}

/// What one release contributed to a fall.
package struct DropReleaseRow: TemplateModel {
    package static let modelName = "drop-release"
    package var version: String
    package var stem: String?
    package var share: String
    package var crashFree: String
    package var within: String
    package var shift: String

    package static let fields: [Field<DropReleaseRow>] = [
        .text("version", "The release's label, or words for what is none", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
        .text("share", "Its share of sessions, such as `4.1% → 22.8%`", \.share),
        .text("crashFree", "Its crash-free sessions, such as `99.41% → 96.02%`", \.crashFree),
        .text("within", "Percentage points from crashing more itself, such as `0.55`", \.within),
        .text("shift", "Percentage points from having another share of sessions, such as `0.07`", \.shift),
    ]
}

/// An issue that rose while the rate fell.
package struct DropIssueRow: TemplateModel {
    package static let modelName = "drop-issue"
    package var title: String
    package var stem: String?
    package var rise: String
    package var share: String

    package static let fields: [Field<DropIssueRow>] = [
        .text("title", "The issue's headline", \.title),
        .optionalUrl("stem", "The address of the issue's page without ending", \.stem),
        .text("rise", "How much it rose, such as `+412 users a day`", \.rise),
        .text("share", "Its part of the rise of all issues that rose, such as `71.3%`", \.share),
    ]
}
