package import Templates

/// What was fetched, how fresh it is, and what failed.
package struct HealthPage: TemplateModel {
    package static let modelName = "health"
    package var frame: Frame
    package var sentence: String
    package var sources: [SourceRow]
    package var failedChecks: [DiagnosticView]
    package var mutes: [DiagnosticView]

    package static let fields: [Field<HealthPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("sentence", "How many sources are current, stale and failed", \.sentence),
        .list("sources", "Every source of every app", \.sources),
        .flag("hasProblems", "True when a source has problems") { $0.sources.contains(where: \.hasProblems) },
        .list(
            "failedChecks", "Failed checks of the pages",
            \.failedChecks),
        .flag("hasFailedChecks", "True when there is at least one") { !$0.failedChecks.isEmpty },
        .list("mutes", "Problems with mutes: expired, or matching nothing", \.mutes),
        .flag("hasMutes", "True when there is at least one") { !$0.mutes.isEmpty },
    ]
}

/// What a visitor sees at an address that does not exist.
package struct NotFoundPage: TemplateModel {
    package static let modelName = "not-found"
    package var frame: Frame

    package static let fields: [Field<NotFoundPage>] = [
        .model("frame", "What stands around every page", \.frame)
    ]
}
