import Archive
import Diagnostics
import Files

/// An archive of which nothing is there, though what is next to its place says that there was one.
///
/// One that a disk emptied looks like one that was never written: a new one in its place would end its history without a
/// word, and its backups later on.
struct LostArchive {
    private let path: String
    /// Whether an empty file is in its place.
    private let isEmptied: Bool
    /// The newest backup that fetches kept, and whether 'archive restore' chooses it by itself.
    private let backup: (path: String, isChosen: Bool)?
    /// What else is there of it.
    private let traces: [String]

    /// Nil where there is an archive, or nothing says that there was one.
    init?(of project: Project) {
        guard Archive.isBlank(at: project.archive) else { return nil }
        path = project.archive
        isEmptied = pathKind(project.archive) != .missing
        let kept = project.keptBackups
        var unlisted: [String] = []
        do throws(FileFailure) {
            let chosen = try kept.newest(at: project.now)
            let newest = try kept.newestOfAll()
            backup = (chosen ?? newest).map { ($0, chosen != nil) }
        } catch {
            // Which backups are in it is not known.
            (backup, unlisted) = (nil, [kept.folder])
        }
        // Aids of builds and fetches may be kept apart from the archive, as in a cache, and outlive one that was removed.
        let aids = isEmptied ? [project.keptBuilds] : []
        traces =
            unlisted
            + ([PublicationLedger.path(of: project.archive)] + aids).filter { pathKind($0) != .missing }
        if backup == nil, traces.isEmpty { return nil }
    }

    var diagnostic: Diagnostic {
        .error(
            "archive.lost", "Archive is \(isEmptied ? "empty" : "missing"), but there was one",
            details: ([backup.map { "its newest backup: '\($0.path)'" }]
                + traces.map { "left of it: '\($0)'" })
                .compactMap(\.self),
            at: .file(path: path), hints: [restoring, "to begin a new archive, move these away"])
    }

    private var restoring: String {
        guard let backup else { return "restore a backup of it: plimsoll archive restore FILE" }
        return "restore it: plimsoll archive restore" + (backup.isChosen ? "" : " FILE")
    }
}

extension Project {
    /// Why there is no archive to read: there was none yet, or it is lost.
    var missingArchive: Diagnostic {
        LostArchive(of: self)?.diagnostic ?? ArchiveError.missing(path: archive).diagnostic
    }

    /// What an error of the project's archive says.
    func diagnostic(_ error: ArchiveError) -> Diagnostic {
        if case .missing = error { missingArchive } else { error.diagnostic }
    }
}
