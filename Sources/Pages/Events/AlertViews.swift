package import Templates

/// A drop of the crash-free rate, or a rise of crashes where no rate is known.
package struct StabilityAlertView: TemplateModel {
    package static let modelName = "stability-alert"
    package var sentence: String
    package var change: String
    package var state: String
    package var facts: [FactRow]
    package var dayStem: String?

    package static let fields: [Field<StabilityAlertView>] = [
        .text("sentence", "`Crash free users dropped by 6.5% in the past 24 hours. …`", \.sentence),
        .text(
            "change",
            "The change in percentage points with its interval: `−1.83 pp (−2.16 to −1.52)`; where no rate is known, "
                + "`4.1× the expected number`", \.change),
        .text(
            "state", "`open since Mon, Nov 16, 2026`, `recovered on Thu, Oct 22, 2026 after 8 days`", \.state),
        .list(
            "facts", "What is behind it: change, expected, observed, duration, state, why it dropped",
            \.facts),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}

/// Much more or much less use than expected.
package struct UsageAnomalyView: TemplateModel {
    package static let modelName = "usage-anomaly"
    package var sentence: String
    package var facts: [FactRow]
    package var dayStem: String?

    package static let fields: [Field<UsageAnomalyView>] = [
        .text("sentence", "`Active users were 38.2% below the expected level on …`", \.sentence),
        .list("facts", "What is behind it: expected, duration, false alarms", \.facts),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}

/// An issue that spreads fast.
package struct IssueVelocityAlertView: TemplateModel {
    package static let modelName = "issue-velocity-alert"
    package var sentence: String
    package var title: String
    package var users: String?
    package var facts: [FactRow]
    package var stem: String?

    package static let fields: [Field<IssueVelocityAlertView>] = [
        .text(
            "sentence", "`An issue in … is affecting 2.83% of sessions in the past 24 hours. …`", \.sentence),
        .text("title", "The issue's headline", \.title),
        .optionalText("users", "The users of the issue on that day, such as `412`", \.users),
        .list("facts", "What is behind it: share, users, expected, false alarms", \.facts),
        .optionalUrl("stem", "The address of the issue's page without ending", \.stem),
    ]
}
