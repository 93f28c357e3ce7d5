package import AppHealth
import Diagnostics
import Files
import GRDB
import Platform

extension Archive {
    /// What is wrong with an archive that can be opened; empty when nothing is. Of an older format the structure and the
    /// references are checked alone.
    ///
    /// The structure of the file is checked whole, references between its tables too, and then every row is read as it
    /// would be for a page: a byte that changed within a value leaves the structure sound.
    package func faults() throws(ArchiveError) -> [String] {
        let structure = try read { database in
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter {
                $0 != "ok"
            }
            if let refused = integrity.first(where: ArchiveOpening.isRefusedRead) {
                throw ArchiveError.inputOutput(path: path, reason: refused)
            }
            let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
                "a row of \(row[0] as String? ?? "?") names a missing row of \(row[2] as String? ?? "?")"
            }
            return Array((integrity + references).prefix(20))
        }
        guard let first = structure.first else { return isOlder ? [] : try unreadableRows() }
        if case .inputOutput = ArchiveError.damage(path, first) { throw ArchiveError.damage(path, first) }
        return structure
    }

    private func unreadableRows() throws(ArchiveError) -> [String] {
        var faults = try unreadableDataNames()
        for (app, rows) in try sourcesByApp() {
            guard let id = Slug(app) else {
                faults.append("'\(app)' is no id of an app")
                continue
            }
            let sources = rows.compactMap(Source.init(named:))
            if sources.count < rows.count { faults.append("\(app): a source has no id") }
            let known = try history(of: App(id: id, name: app), sources: sources, asOf: Self.endOfTime)
            faults += known.warnings.flatMap { warning in
                warning.details.map { "\(app): unreadable rows of \($0)" }
            }
        }
        return faults
    }

    /// The names of the sources of each app, by its name, in order.
    private func sourcesByApp() throws(ArchiveError) -> [(app: String, sources: [String])] {
        let names = try read { database in
            try Row.fetchAll(database, sql: "SELECT app, name FROM source ORDER BY app, name").map { row in
                (app: row[0] as String? ?? "", source: row[1] as String? ?? "")
            }
        }
        return Dictionary(grouping: names, by: \.app).mapValues { $0.map(\.source) }
            .sorted { $0.key < $1.key }.map { (app: $0.key, sources: $0.value) }
    }

    /// What is known of every app that was ever stored, one after the other, whatever the configuration says.
    package func forEachApp(
        asOf instant: Instant, _ body: (AppHistory) -> Void
    ) throws(ArchiveError) {
        for (app, sources) in try sourcesByApp() {
            guard let id = Slug(app) else { continue }
            let known = App(id: id, name: app)
            body(
                try history(of: known, sources: sources.compactMap(Source.init(named:)), asOf: instant)
                    .history)
        }
    }

    /// Later than every capture.
    private static let endOfTime = Instant(secondsSinceEpoch: 1 << 40)

    /// Writes the archive as it is now, with what is still in its log, to another file: whole and checked, or not at all.
    /// Whoever reads or writes the archive meanwhile does not wait.
    ///
    /// - Parameter place: what an error names in the place of that file, when it is to take the place of another one.
    package func backUp(to file: String, for place: String? = nil) throws(ArchiveError) {
        try backUp(to: file, for: place) { _ in }
    }

    /// Lets a backup of this archive remember what was attached where by now, as a fetch makes its backup before anything
    /// is attached. All else in it stays: the file is replaced by a whole and checked copy, or stays as it is.
    ///
    /// Does nothing to a backup that knows it, nor to one of an older version.
    package func giveAttachments(to backup: String) throws(ArchiveError) {
        let kept = try Archive(at: backup, for: .copying)
        if !kept.isOlder, try attachmentState() != kept.attachmentState() {
            try kept.backUp(to: backup) { database throws in try replaceAttachments(in: database) }
        }
        try kept.close()
    }

    private func backUp(
        to file: String, for place: String? = nil, changing change: (Database) throws -> Void
    ) throws(ArchiveError) {
        let file = ArchiveFiles.target(of: file)
        do {
            if ArchiveFiles.isNoFile(file) {
                throw ArchiveError.uncopied(
                    path: place ?? file, reason: "it is a pipe, a socket or a device, not a file")
            }
            let draft = ArchiveFiles.draft(of: file)
            ArchiveFiles.remove(draft)
            defer { ArchiveFiles.remove(draft) }
            try ArchiveFiles.makePrivateFile(draft)
            let copy = try DatabaseQueue(
                path: ArchiveFiles.plain(draft), configuration: ArchiveOpening.configuration())
            try read { database in try copy.writeWithoutTransaction { try database.backup(to: $0) } }
            try copy.writeWithoutTransaction { database in
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
                try database.inTransaction {
                    try change(database)
                    return .commit
                }
                try ArchiveOpening.refuseDamaged(database, path)
            }
            try copy.close()
            try syncFile(draft)
            guard rename(draft, file) == 0 else { throw SystemError() }
            try syncListedFolder(ArchiveFiles.folder(of: file))
        } catch {
            throw ArchiveError(error, path: file).whileCopying(to: place ?? file)
        }
    }
}

extension Archive {
    /// Puts a backup in the place of an archive, after it was checked; what was there is kept next to it.
    ///
    /// The caller holds the `ArchiveLock`. Killed at any moment, the old archive or the backup is there, whole. A backup of
    /// an older format is brought up to date first. Who may read the old archive may read the new one. What the old archive
    /// wrote down of attachments, alerts and failed fetches is in the new one from its first moment.
    ///
    /// - Parameters:
    ///   - now: what was written down later than an hour after this is not taken over; nil takes all.
    ///   - unread: called with the reason when that cannot be read, also where there is no old archive.
    /// - Returns: where the old archive is now; nil when there was none.
    package static func restore(
        _ path: String, from backup: String, now: Instant? = nil, unread: (ArchiveError) -> Void = { _ in }
    ) throws(ArchiveError) -> String? {
        let source = try Archive(at: backup, for: .copying)
        if let fault = try source.faults().first { throw .corrupt(path: backup, reason: fault) }
        let file = ArchiveFiles.target(of: path)
        let draft = ArchiveFiles.draft(of: file)
        let isDraft = ArchiveFileState(backup) == ArchiveFileState(draft)
        do throws(ArchiveError) {
            try source.backUp(to: draft, for: file)
            try source.close()
            if source.isOlder { try updateCopy(draft, of: backup) }
            if let why = try takeRecords(of: file, into: draft, now: now ?? endOfTime) { unread(why) }
            return try replace(file, with: draft)
        } catch {
            if !isDraft { ArchiveFiles.remove(draft) }
            throw error
        }
    }

    /// Adds to a draft what the archive that it replaces wrote down; returns why that cannot be read.
    private static func takeRecords(
        of file: String, into draft: String, now: Instant
    ) throws(ArchiveError) -> ArchiveError? {
        guard ArchiveFileState(file) != nil else { return .missing(path: file) }
        let archive = try Archive(at: draft, for: .writing)
        var unread: ArchiveError?
        do throws(ArchiveError) {
            try archive.takeRecords(from: file, now: now)
        } catch {
            // What cannot be written is no fault of the old archive, which stays then.
            if case .full = error { throw error }
            unread = error
        }
        try archive.close()
        return unread
    }

    /// Brings a copy of an archive of an older format up to date and checks its rows.
    static func updateCopy(_ copy: String, of path: String) throws(ArchiveError) {
        let archive = try Archive(at: copy, for: .writing)
        let fault = try archive.faults().first
        try archive.close()
        if let fault { throw .corrupt(path: path, reason: fault) }
    }

    private static func replace(_ file: String, with draft: String) throws(ArchiveError) -> String? {
        do {
            let old = try nameForOld(file)
            let hadOne = ArchiveFileState(file) != nil
            if hadOne {
                try ArchiveFiles.giveRights(of: file, to: draft)
                try undoReplacement(of: file, keptAs: old)
                mergeLog(of: file)
                ArchiveFiles.remove(old)
                // Under both names until the other one is taken: the log goes along, as it may hold what the file lacks.
                guard link(file, old) == 0 else { throw SystemError() }
                try moveLog(of: file, to: old)
            }
            guard rename(draft, file) == 0 else { throw SystemError() }
            try syncListedFolder(ArchiveFiles.folder(of: file))
            return hadOne ? old : nil
        } catch {
            throw ArchiveError(error, path: file)
        }
    }

    /// Where the archive goes that is replaced: to a name that nothing has. What an earlier restore put aside stays, unless
    /// that one was killed before its end: then the name is another one of this very file.
    private static func nameForOld(_ file: String) throws(SystemError) -> String {
        let state = ArchiveFileState(file)
        let first = file + ".before-restore"
        for name in [first] + (2...99).map({ "\(first)-\($0)" }) {
            let there = ArchiveFileState(name)
            if there == nil || there == state { return name }
        }
        throw SystemError(EEXIST)
    }

    /// Takes the log back from the other name of the file, under which a restore left it that was killed before its end.
    /// A log that is older than the file is no longer its own: the file was written to since.
    private static func undoReplacement(of file: String, keptAs old: String) throws {
        guard let state = ArchiveFileState(file), ArchiveFileState(old) == state,
            ArchiveFiles.files(of: file).count == 1,
            let log = ArchiveFileState(old + ArchiveFiles.logEnding), !log.isOlder(than: state)
        else { return }
        try moveLog(of: old, to: file)
    }

    private static func moveLog(of file: String, to other: String) throws {
        for ending in ArchiveFiles.endings where ArchiveFileState(file + ending) != nil {
            guard rename(file + ending, other + ending) == 0 else { throw SystemError() }
        }
    }

    /// Merges what is still in the log, so that the file holds all by itself. Where that cannot be done, as in a damaged
    /// file, the log stays.
    private static func mergeLog(of file: String) {
        guard ArchiveFiles.files(of: file).count > 1 else { return }
        guard
            let queue = try? DatabaseQueue(
                path: ArchiveFiles.plain(file), configuration: ArchiveOpening.configuration())
        else { return }
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? queue.close()
    }
}

extension Source {
    /// One of which the name alone is known; nil when it is none.
    fileprivate init?(named name: String) {
        guard let id = Slug(name) else { return nil }
        self.init(
            id: id, provider: "", sessionDefinition: "", userDefinition: "", zone: "UTC", delay: "",
            capabilities: [])
    }
}
