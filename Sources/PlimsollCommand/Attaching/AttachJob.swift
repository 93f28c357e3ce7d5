import Analysis
import AppHealth
import Attaching
import Configuration
import Diagnostics
import Publishing
import Settings

/// An attach target that is ready for use, or the reason why it is not.
struct AttachJob: Sendable {
    /// Its name.
    let id: String
    /// Its kind.
    let kind: String
    /// The app whose summaries it gets; nil for every app.
    let app: Slug?
    /// What its summaries show.
    let audience: Audience
    /// Whether the configuration says who reads the place.
    let namesReader: Bool
    let target: Result<any AttachTarget, Diagnostic>

    /// Where it is; empty when that could not be found out.
    var place: String { (try? target.get())?.place ?? "" }
}

extension Project {
    /// The attach targets with these names, in the order of the configuration; all of them without names.
    ///
    /// - Throws: a name that no target has.
    func attachJobs(_ names: [String] = []) throws(Diagnostic) -> [AttachJob] {
        let known = configuration.attach.map(\.block.id.text)
        if let odd = names.first(where: { !known.contains($0) }) {
            let near = nearestName(to: odd, among: known).map { "did you mean '\($0)'?" }
            throw .usage(
                "attach.unknown-target", "Unknown attach target '\(odd)'",
                hints: [near ?? "use one of: \(known.joined(separator: ", "))"])
        }
        return configuration.attach.filter { names.isEmpty || names.contains($0.block.id.text) }.map {
            place in
            AttachJob(
                id: place.block.id.text, kind: place.block.schema.name, app: place.app,
                audience: audience(of: place.reader), namesReader: place.reader != nil,
                target: Result { () throws(Diagnostic) in try attachTarget(place.block) })
        }
    }

    /// What a reader sees: what the site's own readers see, or what is usual for others.
    private func audience(of reader: Audience.Reader?) -> Audience {
        guard let reader, reader != configuration.audience.reader else { return configuration.audience }
        return Audience(reader)
    }

    private func attachTarget(_ block: BlockConfiguration) throws(Diagnostic) -> any AttachTarget {
        do throws(Diagnostic) {
            guard let descriptor = standardAttachTargets.first(where: { $0.name == block.schema.name }) else {
                throw .error("config.target", "Attach target '\(block.id)' cannot be used")
            }
            return try descriptor.target(try setup(of: block))
        } catch {
            var diagnostic = error
            diagnostic.location = diagnostic.location ?? block.location
            throw diagnostic
        }
    }
}
