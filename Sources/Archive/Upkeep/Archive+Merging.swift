package import AppHealth
import GRDB

/// What merging another archive added.
package struct MergeSummary: Hashable, Sendable {
    /// How many apps the other archive holds.
    package var apps = 0
    /// How many values are new here: revisions, attempts, alerts and attachments.
    package var values = 0
    /// Values that differ from those stored here for the very same instant; they were not taken.
    package var conflicts = 0
    /// Values of a time that is ahead of the clock; they were not taken.
    package var ahead = 0
    /// What the other archive remembers of the passages that the owner of a public site wrote.
    package var witness = PassageWitness()
}

extension Archive {
    /// Adds what another archive holds, all of it or nothing.
    ///
    /// Each value is stored by the rule of a snapshot: it becomes a revision where it differs from the newest one known
    /// at its own instant. So archives of different apps join without a loss, an archive that is merged twice adds
    /// nothing the second time, and the order of several does not matter. The other archive is checked first, and read
    /// as it was at one moment; not a byte of it changes. An archive without any source takes the other's secret, so
    /// that names made from it stay.
    ///
    /// The caller holds the `ArchiveLock`.
    ///
    /// - Parameter now: what is captured later than an hour after this is skipped, and so are hours that are no longer
    ///   kept at it.
    package func merge(_ other: String, now: Instant) throws(ArchiveError) -> MergeSummary {
        // A copy that no one else changes: what is read from it is stored in one transaction.
        let copy = ArchiveFiles.draft(of: ArchiveFiles.target(of: path))
        defer { ArchiveFiles.remove(copy) }
        let isOlder = try Self.copyForMerge(other, to: copy)
        let source: Archive
        do throws(ArchiveError) {
            if isOlder { try Self.updateCopy(copy, of: other) }
            source = try Archive(at: copy, for: .reading)
            if let fault = try source.faults().first { throw .corrupt(path: other, reason: fault) }
        } catch {
            throw error.moved(to: other)
        }
        let summary = try write { database in
            try source.read { theirs in
                var merge = ArchiveMerge(from: theirs, at: other, into: database, now: now)
                return try merge.run()
            }
        }
        try source.close()
        return summary
    }

    /// Adds what the nights of another archive wrote down, and nothing of what services reported: what was attached where,
    /// which alerts were raised, by which levels, and which fetches failed.
    ///
    /// The caller holds the `ArchiveLock`.
    package func takeRecords(from other: String, now: Instant) throws(ArchiveError) {
        let source = try Archive(at: other, for: .copying)
        try take(from: source, at: other, now: now) { merge throws in try merge.runAttachments() }
        guard source.isOlder else {
            try take(from: source, at: other, now: now) { merge throws in try merge.runRecords() }
            return try source.close()
        }
        // Its tables lack columns.
        let copy = ArchiveFiles.draft(of: ArchiveFiles.target(of: path))
        defer { ArchiveFiles.remove(copy) }
        try source.backUp(to: copy)
        try source.close()
        try Self.updateCopy(copy, of: other)
        let updated = try Archive(at: copy, for: .reading)
        try take(from: updated, at: other, now: now) { merge throws in try merge.runRecords() }
        try updated.close()
    }

    private func take(
        from source: Archive, at other: String, now: Instant, _ body: (inout ArchiveMerge) throws -> Void
    ) throws(ArchiveError) {
        try write { database in
            try source.read { theirs in
                var merge = ArchiveMerge(from: theirs, at: other, into: database, now: now)
                try body(&merge)
            }
        }
    }

    /// Copies an archive; true when an older version wrote it.
    private static func copyForMerge(_ other: String, to copy: String) throws(ArchiveError) -> Bool {
        let source = try Archive(at: other, for: .copying)
        try source.backUp(to: copy)
        try source.close()
        return source.isOlder
    }
}

extension ArchiveError {
    /// The same, where it is about a copy, about what was copied.
    fileprivate func moved(to path: String) -> ArchiveError {
        if case .corrupt(_, let reason) = self { .corrupt(path: path, reason: reason) } else { self }
    }
}
