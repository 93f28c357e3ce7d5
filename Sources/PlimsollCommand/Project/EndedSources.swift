import AppHealth
import Archive
import Configuration
import Diagnostics

extension Project {
    /// The sources that are not asked any more, as lines for a person.
    var endedLines: [String] {
        configuration.apps.flatMap { app in
            app.sources.compactMap { source -> String? in
                guard let last = source.until, !source.source.isAsked(at: now) else { return nil }
                let name = "\(app.app.id) from \(source.id) (\(source.provider))"
                return "– \(name): ended \(last); sends no request"
            }
        }
    }

    /// What the archive has of sources that the configuration does not name, where no other source has it: it is on no
    /// page, which looks as if it had never been fetched.
    func unlistedSources(in archive: Archive) -> [Diagnostic] {
        configuration.apps.flatMap { app -> [Diagnostic] in
            let listed = Set(app.sources.map(\.id))
            let stored = ((try? archive.sources(of: app.app.id)) ?? []).filter { !listed.contains($0) }
            if stored.isEmpty { return [] }
            func days(of source: Slug) -> Set<CivilDate> {
                (try? archive.days(of: app.app.id, source: source)) ?? []
            }
            let known = listed.reduce(into: Set<CivilDate>()) { $0.formUnion(days(of: $1)) }
            return stored.compactMap { source in
                let all = days(of: source)
                let alone = all.subtracting(known)
                guard let first = alone.min(), let last = alone.max(), let end = all.max() else { return nil }
                let count = "\(alone.count) \(alone.count == 1 ? "day" : "days")"
                let provider = archive.description(of: app.app.id, source: source, asOf: now)?.provider
                let line = "{ provider: \(provider ?? "…"), id: \(source), until: \(end) }"
                var note = Diagnostic.warning(
                    "archive.unlisted-source",
                    "The archive has \(count) of '\(source)' of \(app.app.id) that no listed source has",
                    details: ["\(first) to \(last); no page shows them"],
                    at: .file(path: self.archive),
                    hints: ["to keep them on the site, add '- \(line)' to the sources of \(app.app.id)"])
                note.severity = .note
                return note
            }
        }
    }
}

extension [Diagnostic] {
    /// Whether none is more than worth knowing.
    var areNotes: Bool { allSatisfy { $0.severity == .note } }
}
