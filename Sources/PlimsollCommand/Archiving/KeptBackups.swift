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
    /// One of another archive is not removed either, as it may be all that is left of that, nor is one that cannot be read,
    /// of which that is not known.
    ///
    /// - Returns: warnings about such backups.
    func add(of archive: Archive, at now: Instant) throws(Diagnostic) -> [Diagnostic] {
        guard most > 0 else { return [] }
        var backups: [String]
        do throws(FileFailure) {
            backups = try newest(at: now).map { [$0] } ?? []
            try makePrivateFolder(folder)
            try removeDrafts()
        } catch {
            throw error.diagnostic
        }
        let secret: [UInt8]
        do throws(ArchiveError) {
            try archive.backUp(to: "\(folder)/\("\(now)".replacing(":", with: "-"))\(Self.ending)")
            secret = try archive.secret()
        } catch {
            throw error.diagnostic
        }
        do throws(FileFailure) {
            let old = try names(at: now).dropLast(most).map { "\(folder)/\($0)" }
            backups += old.filter { !backups.contains($0) }
            let owners = backups.map { (backup: $0, owner: owner(of: $0, bySecret: secret)) }
            for case (let backup, .own) in owners where old.contains(backup) { try removeFolder(backup) }
            return warnings(about: owners)
        } catch {
            throw error.diagnostic
        }
    }

    /// Lets the newest backup remember what was attached where by now: the fetch that made it came before that. The caller
    /// holds the `ArchiveLock`.
    func renew(from archive: Archive, at now: Instant) throws(Diagnostic) {
        guard most > 0 else { return }
        let newest: String?
        do throws(FileFailure) { newest = try self.newest(at: now) } catch { throw error.diagnostic }
        guard let newest else { return }
        do throws(ArchiveError) {
            switch owner(of: newest, bySecret: try archive.secret()) {
            case .own: try archive.giveAttachments(to: newest)
            case .another: return
            case .unknown(let why): throw why
            }
        } catch {
            throw error.diagnostic
        }
    }

    /// Of which archive a backup is.
    private enum Owner {
        case own, another
        /// It cannot be read.
        case unknown(ArchiveError)
    }

    /// Of which archive a backup is. One of before version 0.2 does not say, and counts as one of this archive.
    private func owner(of backup: String, bySecret secret: [UInt8]) -> Owner {
        do throws(ArchiveError) {
            let kept = try Archive(at: backup, for: .copying)
            defer { try? kept.close() }
            let other = try kept.secret()
            return other.isEmpty || other == secret ? .own : .another
        } catch {
            return .unknown(error)
        }
    }

    private func warnings(about owners: [(backup: String, owner: Owner)]) -> [Diagnostic] {
        var (others, unread): ([String], [String]) = ([], [])
        for (backup, owner) in owners {
            switch owner {
            case .own: continue
            case .another: others.append(backup)
            case .unknown(let why): unread.append("\(backup): \(why.diagnostic.summary)")
            }
        }
        return (others.isEmpty ? [] : [foreignBackups(others)])
            + (unread.isEmpty ? [] : [unreadBackups(unread)])
    }

    private func unreadBackups(_ backups: [String]) -> Diagnostic {
        .warning(
            "archive.unread-backups", "Backups that cannot be read are kept", details: backups.sorted(),
            at: .file(path: folder), hints: ["if they are damaged or no longer needed, remove them"])
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
    func newest(at now: Instant) throws(FileFailure) -> String? {
        try names(at: now).last.map { "\(folder)/\($0)" }
    }

    /// The newest of all, also ahead of the clock; nil when there is none.
    func newestOfAll() throws(FileFailure) -> String? {
        try backups().last.map { "\(folder)/\($0.name)" }
    }

    /// The names of backups that are ahead of the clock, oldest first.
    func ahead(of now: Instant) throws(FileFailure) -> [String] {
        try backups().filter { $0.at > latest(now) }.map(\.name)
    }

    /// The names of the others, oldest first.
    private func names(at now: Instant) throws(FileFailure) -> [String] {
        try backups().filter { $0.at <= latest(now) }.map(\.name)
    }

    private func latest(_ now: Instant) -> Instant { now.advanced(bySeconds: Self.mostAheadSeconds) }

    /// Oldest first: names are instants. Without the folder there are none.
    private func backups() throws(FileFailure) -> [(name: String, at: Instant)] {
        guard pathKind(folder) != .missing else { return [] }
        return try folderNames(folder).compactMap { name in
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
                ([""] + ArchiveFiles.endings).contains(String(plain[end.upperBound...])),
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
            for warning in try keptBackups.add(of: archive, at: now) { console.report(warning) }
        } catch {
            console.report(error.asWarning())
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
