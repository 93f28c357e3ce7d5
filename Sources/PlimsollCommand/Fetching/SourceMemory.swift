import AppHealth
import Archive
import Providers
import Synchronization

/// What the archive has of each source, for the providers that continue there.
///
/// Where it cannot be read, a provider is given nothing, and cannot see the difference from a first fetch. So the fault is
/// kept, and what that source reports is not stored. What a provider keeps of how far it came waits until it is.
final class SourceMemory: Sendable {
    private struct Place: Hashable {
        let app: Slug
        let source: Slug
    }

    private let archive: Archive
    private let now: Instant
    /// The first fault of each source of which something could not be read.
    private let faults = Mutex<[Place: ArchiveError]>([:])

    /// What each source has still to do once it is stored.
    private let waiting = Mutex<[Place: [@Sendable () -> Void]]>([:])

    init(of archive: Archive, at now: Instant) { (self.archive, self.now) = (archive, now) }

    /// Lets the providers of a fetch read it.
    func serve(_ services: inout FetchServices) {
        services.knownReleases = { [self] app, source in
            read(app, source, else: []) { () throws(ArchiveError) in
                try archive.releases(of: app, source: source, asOf: now)
            }
        }
        services.knownIssues = { [self] app, source in
            read(app, source, else: KnownIssues()) { () throws(ArchiveError) in
                let known = try archive.issues(of: app, source: source, asOf: now)
                return KnownIssues(issues: known.issues, days: known.days)
            }
        }
        services.knownCounts = { [self] app, source in
            read(app, source, else: KnownCounts()) { () throws(ArchiveError) in
                let known = try archive.dailyCounts(of: app, source: source, asOf: now)
                return KnownCounts(sessions: known.sessions, activeUsers: known.activeUsers)
            }
        }
        services.describedBefore = { [self] app, source in
            read(app, source, else: nil) { () throws(ArchiveError) in
                try archive.description(of: app, source: source, asOf: now)
            }
        }
        services.lastFetch = { [self] app, source in
            read(app, source, else: .unknown) { () throws(ArchiveError) in
                try archive.lastFetch(of: app, source: source, asOf: now).map(LastFetch.at) ?? .never
            }
        }
        serveCaptures(&services)
        serveData(&services)
        services.whenStored = { [self] app, source, work in
            waiting.withLock { $0[Place(app: app, source: source), default: []].append(work) }
        }
    }

    /// Lets the providers know when snapshots were captured.
    func serveCaptures(_ services: inout FetchServices) {
        services.captureBefore = { [self] app, source, instant in
            read(app, source, else: nil) { () throws(ArchiveError) in
                let last = min(now, instant.advanced(bySeconds: -1))
                return try archive.lastFetch(of: app, source: source, asOf: last)
            }
        }
    }

    /// Lets a fetch know which data is stored of each source.
    func serveData(_ services: inout FetchServices) {
        services.storedData = { [self] app, source in
            read(app, source, else: StoredData()) { () throws(ArchiveError) in
                StoredData(
                    provider: try archive.provider(of: app, source: source),
                    name: try archive.dataName(of: app, source: source))
            }
        }
    }

    /// Why something about a source could not be read; nil when all that was needed could.
    func fault(of job: SourceJob) -> ArchiveError? {
        faults.withLock { $0[Place(app: job.app.id, source: job.source.id)] }
    }

    /// Does what waited until the source was stored.
    func wasStored(_ job: SourceJob) {
        let place = Place(app: job.app.id, source: job.source.id)
        for work in waiting.withLock({ $0.removeValue(forKey: place) }) ?? [] { work() }
    }

    private func read<Value>(
        _ app: Slug, _ source: Slug, else nothing: Value, _ body: () throws(ArchiveError) -> Value
    ) -> Value {
        do throws(ArchiveError) {
            return try body()
        } catch {
            let place = Place(app: app, source: source)
            faults.withLock { $0[place] = $0[place] ?? error }
            return nothing
        }
    }
}
