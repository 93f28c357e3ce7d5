import Analysis
import AppHealth
import Attaching
import Configuration
import Diagnostics

/// An attach target with what the configuration sends there.
struct AttachJob: Sendable {
    let setting: PlaceJob<any AttachTarget>
    /// The app whose summaries it gets; nil for every app.
    let app: Slug?
    /// What its summaries show.
    let audience: Audience
    /// Whether the configuration says who reads the place.
    let namesReader: Bool

    var id: String { setting.id }
    var kind: String { setting.kind }
    var target: Result<any AttachTarget, Diagnostic> { setting.target }

    /// Where it is; empty when that could not be found out.
    var place: String { (try? target.get())?.place ?? "" }
}

extension Project {
    /// The attach targets with these names, in the order of the configuration; all of them without names.
    ///
    /// - Throws: a name that no target has, and why the archive cannot be read for anonymous ids.
    func attachJobs(_ names: [String] = []) throws(Diagnostic) -> [AttachJob] {
        var jobs: [AttachJob] = []
        for place in try chosen(names, of: configuration.attach, to: "attach", block: \.block) {
            jobs.append(
                AttachJob(
                    setting: job(place.block, of: standardAttachTargets), app: place.app,
                    audience: try audience(of: place.reader), namesReader: place.reader != nil))
        }
        return jobs
    }

    /// What a reader sees: what the site's own readers see, or what is usual for others.
    private func audience(of reader: Audience.Reader?) throws(Diagnostic) -> Audience {
        guard let reader, reader != configuration.audience.reader else {
            return try keyed(configuration.audience)
        }
        return try keyed(Audience(reader))
    }
}
