import AppHealth
import Archive
import Diagnostics
import Files

/// The backups of an archive that fetches keep: a folder next to it, each file named after the fetch that made it.
struct KeptBackups {
    let folder: String
    /// How many stay.
    let most: Int

    private static let ending = ".sqlite"

    /// How far ahead of the clock a backup may be named: clocks differ by a little.
    private static let mostAheadSeconds = 3600

    /// Adds a backup of the archive and removes the oldest ones beyond those that stay. The caller holds the
    /// `ArchiveLock`.
    ///
    /// A backup that a wrong clock named after a time to come neither counts nor is removed: how old it is, is not known.
    /// One of another archive is not removed either: it may be all that is left of that.
    ///
    /// - Returns: a warning about such backups.
    func add(of archive: Archive, at now: Instant) throws(Diagnostic) -> Diagnostic? {
        guard most > 0 else { return nil }
        let before = newest(at: now)
        do throws(FileFailure) {
            try makePrivateFolder(folder)
            try removeDrafts()
        } catch {
            throw error.diagnostic
        }
        do throws(ArchiveError) {
            try archive.backUp(to: "\(folder)/\("\(now)".replacing(":", with: "-"))\(Self.ending)")
        } catch {
            throw error.diagnostic
        }
        let secret = try? archive.secret()
        var others = [before].compactMap(\.self).filter { isOfAnother($0, than: secret) }
        do throws(FileFailure) {
            for name in try names(at: now).dropLast(most) {
                let backup = "\(folder)/\(name)"
                if others.contains(backup) { continue }
                if isOfAnother(backup, than: secret) {
                    others.append(backup)
                } else {
                    try removeFolder(backup)
                }
            }
        } catch {
            throw error.diagnostic
        }
        return others.isEmpty ? nil : foreignBackups(others)
    }

    /// Lets the newest backup remember what was attached where by now: the fetch that made it came before that. The caller
    /// holds the `ArchiveLock`.
    func renew(from archive: Archive, at now: Instant) throws(ArchiveError) {
        guard most > 0, let newest = newest(at: now), !isOfAnother(newest, than: try archive.secret()) else {
            return
        }
        try archive.giveAttachments(to: newest)
    }

    /// Whether a backup is known to be one of another archive. Those of before version 0.2 do not tell.
    private func isOfAnother(_ backup: String, than secret: [UInt8]?) -> Bool {
        guard let secret, let kept = try? Archive(at: backup, for: .copying) else { return false }
        defer { try? kept.close() }
        guard let other = try? kept.secret(), !other.isEmpty else { return false }
        return other != secret
    }

    private func foreignBackups(_ backups: [String]) -> Diagnostic {
        .warning(
            "archive.other-backups", "Backups of another archive are kept", details: backups.sorted(),
            at: .file(path: folder),
            hints: [
                "if that archive was lost, restore one of them: plimsoll archive restore FILE",
                "if they are no longer needed, remove them",
            ])
    }

    /// The newest backup; nil when there is none.
    func newest(at now: Instant) -> String? {
        (try? names(at: now))?.last.map { "\(folder)/\($0)" }
    }

    /// The newest of all, also ahead of the clock; nil when there is none.
    var newestOfAll: String? { (try? backups())?.last.map { "\(folder)/\($0.name)" } }

    /// The names of backups that are ahead of the clock, oldest first.
    func ahead(of now: Instant) -> [String] {
        ((try? backups()) ?? []).filter { $0.at > latest(now) }.map(\.name)
    }

    /// The names of the others, oldest first.
    private func names(at now: Instant) throws(FileFailure) -> [String] {
        try backups().filter { $0.at <= latest(now) }.map(\.name)
    }

    private func latest(_ now: Instant) -> Instant { now.advanced(bySeconds: Self.mostAheadSeconds) }

    /// Oldest first: names are instants.
    private func backups() throws(FileFailure) -> [(name: String, at: Instant)] {
        try folderNames(folder).compactMap { name in
            guard name.hasSuffix(Self.ending),
                let at = Instant(name.dropLast(Self.ending.count).description.restoredColons)
            else { return nil }
            return (name, at)
        }.sorted { $0.at < $1.at }
    }

    /// Removes what a fetch left that was killed while it made a backup, also one of version 0.1.
    private func removeDrafts() throws(FileFailure) {
        for name in try folderNames(folder) {
            let ending = Self.ending + (name.hasPrefix(".") ? ArchiveFiles.draftEnding : ".new")
            let plain = name.drop { $0 == "." }
            guard let end = plain.firstRange(of: ending),
                ["", "-journal", "-wal", "-shm"].contains(plain[end.upperBound...]),
                Instant(String(plain[..<end.lowerBound]).restoredColons) != nil
            else { continue }
            try removeFolder("\(folder)/\(name)")
        }
    }
}

extension Project {
    /// Adds a backup to those that are kept; where it fails, the archive is none the worse.
    func keepBackup(of archive: Archive, _ console: Console) {
        do throws(Diagnostic) {
            if let odd = try keptBackups.add(of: archive, at: now) { console.report(odd) }
        } catch {
            var warning = error
            warning.severity = .warning
            warning.gravity = .shown
            console.report(warning)
        }
    }
}

extension String {
    /// An instant in the name of a file with its colons again.
    fileprivate var restoredColons: String {
        guard let t = firstIndex(of: "T") else { return self }
        return String(self[..<t]) + self[t...].replacing("-", with: ":")
    }
}
