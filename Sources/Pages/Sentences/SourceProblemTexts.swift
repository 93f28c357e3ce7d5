package import Analysis
package import AppHealth
package import Diagnostics

extension SourceProblem {
    /// What it is called where people search: the name in data files, and in messages.
    package var id: String { diagnostic(for: .public).id }

    /// What to report of it. What to do about it is for those who configure the site.
    package func diagnostic(for reader: Audience.Reader) -> Diagnostic {
        var shown = diagnostic
        if reader == .public { shown.hints = [] }
        return shown
    }

    private var diagnostic: Diagnostic {
        switch self {
        case .failed(let why): why
        case .ended(let source, let day):
            .error(
                "source.ended", "'\(source)' ended on \(day), and no other source has newer data",
                hints: ["add the source that follows it, or see why that one brings nothing"])
        case .idle(let figure, let day, let instant):
            .error(
                "source.idle",
                "no new \(figure?.words ?? "data") since \(day) although fetched on \(instant.date)",
                hints: [
                    figure.map { "check that the app still reports \($0.reported) to the service" }
                        ?? "check that the app still reports to the service, and that what fills it runs"
                ])
        case .overdue(let last):
            .error(
                "source.overdue", "nothing newer than \(last)",
                hints: ["run 'plimsoll fetch' before each build; of files, check what writes them"])
        }
    }
}

extension DailyFigure {
    /// `crash-free rates`.
    var words: String {
        switch self {
        case .rates: "crash-free rates"
        case .use: "active users"
        }
    }

    /// What they are counted from.
    fileprivate var reported: String {
        switch self {
        case .rates: "sessions or users"
        case .use: "use"
        }
    }
}

extension UnusedSource {
    /// What to report of it.
    ///
    /// - Parameter words: what capabilities are called.
    package func problem(of app: Slug, in words: (Capability) -> String) -> Diagnostic {
        .warning(
            "source.unused",
            "\(app): nothing of '\(id)' is shown, as '\(used)' provides the same",
            details: ["not shown: " + capabilities.map(words).joined(separator: ", ")],
            hints: (countsOtherwise
                ? [
                    "for two measures of one app, such as crashes and hangs (ANRs), make two apps of it: move '\(id)' to one of its own, and write the same 'group' into both"
                ] : []) + [
                    "for two platforms, make two apps: move '\(id)' to one of its own, with its 'platform', and write the same 'group' into both",
                    "for two environments of one app, keep one source",
                ])
    }
}

extension UnmatchedVersions {
    /// What to report of it.
    package func problem(of app: Slug) -> Diagnostic {
        .warning(
            "source.versions",
            "\(app): no version that '\(id)' counts is a release of '\(lister)'",
            details: [
                listed.map { "the same version is '\(counted)' in one and '\($0)' in the other" }
                    ?? "'\(counted)' is the most used version in '\(id)', and '\(lister)' does not list it",
                "releases of '\(lister)' have no sessions, rates or verdicts; versions that '\(id)' counts are listed next to them",
            ],
            hints: [
                "write versions the same way in both, so that releases get their sessions, rates and verdicts"
            ]
                + (listed == nil
                    ? ["if '\(id)' lists releases too, write it before '\(lister)': the first list is used"]
                    : []))
    }
}
