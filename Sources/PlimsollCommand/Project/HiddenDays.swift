import AppHealth
import Archive
import Configuration
import Diagnostics
import Files

extension Project {
    /// What is worth knowing of days that the archive has and no page shows, or that are from another source than the
    /// configuration says: it looks as if they had never been fetched.
    func hiddenDays(in archive: Archive) -> [Diagnostic] {
        let stored = StoredDays(archive: archive, now: now)
        let ofApps = configuration.apps.flatMap { app in
            stored.unlistedSources(of: app) + stored.coveredSources(of: app) + stored.earlyEnds(of: app)
        }
        let notes = [stored.unlistedApps(otherThan: configuration.apps)].compactMap(\.self) + ofApps
        return notes.map { note in
            var note = note
            (note.severity, note.location) = (.note, .file(path: self.archive))
            return note
        }
    }

    /// The same; nothing where there is no archive or it cannot be read, which is reported where it is needed.
    func hiddenDays() -> [Diagnostic] {
        guard (try? knownKind(archive)) == .file, let stored = try? openArchive(self) else { return [] }
        return hiddenDays(in: stored)
    }
}

/// The days of each source that an archive has.
struct StoredDays {
    let archive: Archive
    let now: Instant

    /// Those of a source.
    func days(of app: Slug, _ source: Slug) -> Set<CivilDate> {
        (try? archive.days(of: app, source: source)) ?? []
    }

    /// Those of some sources.
    func days(of app: Slug, _ sources: some Sequence<Slug>) -> Set<CivilDate> {
        sources.reduce(into: []) { $0.formUnion(days(of: app, $1)) }
    }

    /// The sources of an app that were ever fetched.
    func sources(of app: Slug) -> [Slug] { (try? archive.sources(of: app)) ?? [] }

    /// A source as it described itself last.
    func description(of app: Slug, _ source: Slug) -> Source? {
        try? archive.description(of: app, source: source, asOf: now)
    }

    /// When the days of a source arrived.
    func arrivals(of app: Slug, _ source: Slug) -> DayArrivals {
        ((try? archive.arrivals(of: app, source: source, asOf: now)) ?? .empty).all
    }

    /// Whether a day that did not arrive is later than usual.
    func isLate(_ day: CivilDate, of arrivals: DayArrivals) -> Bool {
        Instant(startOf: day).seconds(to: now) >= arrivals.awaitedHours * 3600
    }

    /// What brings the days of a source back, as it is written into the configuration.
    func line(of app: Slug, _ source: Slug, until end: CivilDate) -> String {
        let provider = description(of: app, source)?.provider ?? "…"
        return "{ provider: \(provider), id: \(source), until: \(end) }"
    }
}
