package import Analysis
import AppHealth
package import Diagnostics
import Formatting
package import Templates

/// One source of one app: its provider, its state, and what it does not provide.
package struct SourceRow: TemplateModel {
    package static let modelName = "source-row"
    package var app: String
    package var stem: String?
    package var name: String
    package var provider: String
    package var state: SourceState
    package var dataThrough: String?
    package var captured: String
    package var age: String
    package var session: String
    package var user: String
    package var zone: String
    package var delay: String
    package var until: String?
    package var cannotKnow: [String]
    package var failure: DiagnosticView?
    package var warnings: [DiagnosticView]

    /// Whether it goes on and its data are not current.
    var isBehind: Bool { !state.isCurrent }

    /// Whether its latest fetch failed or skipped something, or nothing new came in time.
    var hasProblems: Bool { failure != nil || warnings.contains { $0.diagnostic.severity > .note } }

    package static let fields: [Field<SourceRow>] = [
        .text("app", "The app's name", \.app),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .text("name", "The source's name within the app", \.name),
        .text("provider", "The provider, such as `files`", \.provider),
        .text("state", "`loaded`, `stale`, `failed`, `never fetched` or `ended`") {
            $0.state.rawValue
        },
        .text("stateText", "The state as a label, such as `Up to date`") { $0.state.label },
        .text(
            "stateClass",
            "The state in one word for style sheets: `loaded`, `stale`, `failed`, `never` or `ended`"
        ) { $0.state.className },
        .optionalText(
            "dataThrough", "The last day of which it has anything, such as `2026-11-19`; absent without days",
            \.dataThrough),
        .text("captured", "When the last good data was captured; `–` when there are none", \.captured),
        .text("age", "How old it is, such as `30 minutes`", \.age),
        .text("session", "What it means by a session", \.session),
        .text("user", "What it means by a user", \.user),
        .text("zone", "The zone of its days, such as `UTC`", \.zone),
        .text("delay", "How late it is, in words", \.delay),
        .optionalText("until", "Its last day, if it ended, such as `Tue, Mar 31, 2026`", \.until),
        .texts("cannotKnow", "What it does not provide, such as `active users`", \.cannotKnow),
        .text(
            "notProvided", "The same in one line, such as `active users, notes`; `none` for nothing",
            \.notProvided),
        .optional("failure", "Why its figures are not current; absent when they are", \.failure),
        .flag(
            "hasProblems",
            "True when its latest fetch failed or skipped something, or nothing new came in time",
            \.hasProblems),
        .list("warnings", "What was skipped or unexpected", \.warnings),
    ]
}

extension SourceRow {
    /// The sources of an app as rows.
    static func rows(_ sources: SourcesSection, in scope: AppScope) -> [SourceRow] {
        sources.all.map { SourceRow($0, in: scope) }
    }

    private init(_ facts: SourceFacts, in scope: AppScope) {
        let (source, app, asOf) = (facts.source, scope.app, scope.facts.asOf)
        self.init(
            app: app.name, stem: scope.links.stem(to: .app(app.id)), name: source.id.text,
            provider: source.provider,
            state: SourceState(facts.state),
            dataThrough: facts.lastDay?.description,
            captured: facts.capturedAt?.tableText ?? "–",
            age: ageText(of: facts, at: asOf),
            session: known(source.sessionDefinition), user: known(source.userDefinition),
            zone: source.zone,
            delay: known(source.delay),
            until: facts.isEnded ? source.until?.compactText : nil,
            cannotKnow: facts.capturedAt == nil
                ? []
                : Capability.allCases.filter { !facts.knows($0) }.map { lacking in
                    // Its users of a day are shown as active ones.
                    lacking == .usage && facts.knows(.users) ? "weekly, monthly and new users" : lacking.words
                },
            failure: facts.isEnded
                ? nil
                : facts.trouble.map { DiagnosticView($0.diagnostic(for: scope.audience.reader)) },
            warnings: ([
                facts.unused?.problem(of: app.id) { $0.words }, facts.unmatched?.problem(of: app.id),
            ].compactMap(\.self) + facts.warnings).map { DiagnosticView($0) })
    }
}

extension SourceRow {
    /// What it does not provide in one line.
    package var notProvided: String { cannotKnow.isEmpty ? "none" : cannotKnow.joined(separator: ", ") }
}

private func known(_ text: String) -> String { text.isEmpty ? "Not stated" : text }

/// How old the last good data of a source are; `–` when there are none.
func ageText(of source: SourceFacts, at instant: Instant) -> String {
    source.capturedAt.map { ageText($0.seconds(to: instant)) } ?? "–"
}

/// An age in the largest fitting unit: `30 minutes`, `5 hours`, `2 days`.
func ageText(_ seconds: Int) -> String {
    let minutes = max(0, seconds) / 60
    let (count, unit) =
        minutes < 120
        ? (minutes, "minute") : minutes < 2880 ? (minutes / 60, "hour") : (minutes / 1440, "day")
    return counted(count, unit)
}

extension Diagnostic {
    /// What an audience sees of a failed check: what and where, but not the values when counts are hidden.
    package func shown(to audience: Audience) -> Diagnostic {
        guard audience.hidesData else { return self }
        var shown = self
        shown.details = []
        return shown
    }
}

/// An error or a warning as a page shows it.
package struct DiagnosticView: TemplateModel {
    package static let modelName = "diagnostic"
    /// What it reports.
    package let diagnostic: Diagnostic

    /// A view of a diagnostic.
    package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

    package static let fields: [Field<DiagnosticView>] = [
        .text("severity", "`note`, `warning` or `error`") { $0.diagnostic.severity.rawValue },
        .text("id", "Its stable name, such as `transport.timeout`") { $0.diagnostic.id },
        .text("summary", "The headline") { printable($0.diagnostic.summary) },
        .optionalText("location", "The endpoint, file or key path") {
            $0.diagnostic.location.map { printable("\($0)") }
        },
        .texts("details", "More lines") { $0.diagnostic.details.map(printable) },
        .texts("hints", "What to do next") { $0.diagnostic.hints.map(printable) },
    ]
}
