package import Templates

/// One number with its name, its interval, and its state.
package struct Figure: TemplateModel, Hashable {
    /// How sure the number is; the same five states as `DataState`.
    package enum State: String, Sendable, CaseIterable {
        case loaded, stale, failed, unavailable, insufficient
    }

    package static let modelName = "figure"
    package var label: String
    package var value: String
    package var interval: String?
    package var detail: String?
    /// Its state.
    package var state: State
    package var stateNote: String?
    /// Where it comes from, made from the same counts.
    package var explanation: Explanation
    /// Whether it is for readers who see no counts, so that charts show its rate rounded.
    var hidesCounts = false

    package static let fields: [Field<Figure>] = [
        .text("id", "Its name on the page, such as `crash-free-users`") { $0.explanation.id },
        .text("label", "What is counted, such as `Crash-free users`", \.label),
        .text("value", "The number, such as `99.12%`; `–` when there is none", \.value),
        .optionalText("interval", "Its 95% interval, such as `98.98–99.24`", \.interval),
        .optionalText("detail", "What it was counted from, such as `of 24,118 users`", \.detail),
        .text("state", "`loaded`, `stale`, `failed`, `unavailable` or `insufficient`") { $0.state.rawValue },
        .optionalText(
            "stateNote",
            "The state in words unless loaded, such as `stale: as of Thu, Nov 19, 2026, 06:00 UTC`",
            \.stateNote),
        .flag("isLoaded", "True when the number is current") { $0.state == .loaded },
        .flag("isStale", "True when a newer attempt failed") { $0.state == .stale },
        .flag("isFailed", "True when no attempt ever succeeded") { $0.state == .failed },
        .flag("isUnavailable", "True when the source cannot know it") { $0.state == .unavailable },
        .flag("isInsufficient", "True when the sample is too small for a verdict") {
            $0.state == .insufficient
        },
    ]
}
