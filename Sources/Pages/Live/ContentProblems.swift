package import Analysis
package import AppHealth
package import Diagnostics

/// What pages and notes of the site's owner speak of that an app does not have.
extension AppAnalysis {
    /// What is wrong with one of the notes that were written before the report: it is about a release, an issue or a
    /// day that is not known.
    ///
    /// A warning, since an archive may begin after what the note speaks of.
    package func problem(with note: Note, at place: Location) -> Diagnostic? {
        guard note.at <= facts.asOf else { return nil }
        switch note.subject {
        case .app: return nil
        case .release(let label):
            guard releases.release(named: label) == nil else { return nil }
            let several = releases.releases(ofVersion: label).map(\.label)
            guard several.isEmpty else {
                return .warning(
                    "content.ambiguous-release",
                    "Several releases are version '\(label)' in \(facts.app.name)", at: place,
                    hints: [choiceHint(several, most: 10)])
            }
            return unknown("release", label, among: releases.known, at: place, severity: .warning)
        case .issue(let id):
            guard issue(withID: id) == nil else { return nil }
            return unknown("issue", id, among: issues.ids, at: place, severity: .warning)
        case .day(let date):
            guard !facts.listedDays.contains(date) else { return nil }
            return .warning(
                "content.unknown-day", "Unknown day '\(date)' in \(facts.app.name)", at: place,
                hints: ["use a day from the first to the last complete day with data"])
        }
    }

    /// What a fence requests that the app does not have: a release or an issue that is not known.
    package func problem(with fence: LiveFence) -> Diagnostic? {
        guard case .chart(let request) = fence.request else { return nil }
        let known = releases.known
        if let label = request.release, !known.contains(label) {
            return unknown("release", label, among: known, at: fence.places["release"])
        }
        if let id = request.issue, issue(withID: id) == nil {
            return unknown("issue", id, among: issues.ids, at: fence.places["issue"])
        }
        return nil
    }

    /// `Unknown release '4.3.9' in Sketchbook`.
    private func unknown(
        _ what: String, _ name: String, among names: Set<String>, at place: Location?,
        severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        let known = names.isEmpty ? "none known at this time" : choiceHint(names.sorted().suffix(10))
        return Diagnostic(
            severity, id: "content.unknown-\(what)", "Unknown \(what) '\(name)' in \(facts.app.name)",
            location: place,
            hints: [nearestHint(for: name, among: names) ?? known],
            gravity: severity == .error ? .usage : .remark)
    }
}
