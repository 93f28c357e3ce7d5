import AppHealth
import Archive
import Configuration
import Diagnostics
import Files
import Foundation
import Publishing
import Site

/// When the site was published to which target: a file next to the archive, to which every publication adds a line.
///
/// It belongs to what a site is built from: the same archive with the same ledger gives the same site, and a site as of
/// a past instant shows what was known then.
struct PublicationLedger {
    /// One publication.
    struct Record: Codable, Hashable {
        let target: String
        /// As `2026-11-20T06:00:00Z`.
        let at: String
        let failed: Bool
        /// Whose target it is, of the projects with this archive; nil in what earlier versions wrote.
        var project: String?
        /// A digest of where the target is; nil in what earlier versions wrote.
        var place: String?

        /// Whether it is of a target that a project means: its own one, or one at the same place, which a configuration
        /// that moved still names.
        func isOf(_ target: KnownTarget, in project: String) -> Bool {
            guard self.target == target.id else { return false }
            return (self.project ?? project) == project || place == target.address
        }
    }

    /// A target of a configuration, by its name and a digest of where it is.
    struct KnownTarget {
        let id: String
        let address: String
    }

    /// The most records of one target; hourly they last for five months.
    static let mostRecords = 4000
    /// More than fifty targets have.
    private static let mostBytes = 64 << 20

    /// Oldest first.
    private(set) var records: [Record] = []
    /// Why a file that is there cannot be read: it is not written over.
    private(set) var unread: Diagnostic?

    /// The path next to an archive.
    static func path(of archive: String) -> String {
        ArchiveFiles.companion(".publications.json", of: archive)
    }

    /// Nothing was ever published.
    init() {}

    /// Reads the file; nothing is known where there is none, or where it cannot be read.
    init(nextTo archive: String) {
        struct Written: Decodable {
            let format: String
            let version: Int
            let publications: [Record]
        }
        let path = Self.path(of: archive)
        do throws(FileFailure) {
            let bytes = try readFile(path, limit: Self.mostBytes)
            if let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
                written.format == "plimsoll-publications", written.version == 1
            {
                records = written.publications
            } else {
                unread = Self.unreadable(path, "it is damaged, or another version of plimsoll wrote it")
            }
        } catch {
            if !error.isMissing { unread = Self.unreadable(path, error.diagnostic.summary) }
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> Diagnostic {
        .warning(
            "publish.unread-list", "The list of publications cannot be read; it stays as it is",
            details: [reason, "publications are not noted in it"], at: .file(path: path),
            hints: ["use the version of plimsoll that wrote it, or move it away: a new list begins then"])
    }

    /// Adds what became of targets at an instant.
    mutating func add(_ results: [TargetResult], of project: String, at now: Instant) {
        records += results.map {
            Record(
                target: $0.job.id, at: now.description, failed: $0.outcome.failure != nil, project: project,
                place: $0.job.address)
        }
        keepNewest()
    }

    /// Removes the oldest of each target that has very many: one that is published seldom keeps its own.
    private mutating func keepNewest() {
        var left: [String: Int] = [:]
        for record in records { left[record.target, default: 0] += 1 }
        records = records.filter { record in
            left[record.target, default: 0] -= 1
            return left[record.target, default: 0] < Self.mostRecords
        }
    }

    /// Adds what another ledger knows and this one does not.
    mutating func add(_ other: PublicationLedger) {
        let known = Set(records)
        let all = records + other.records.filter { !known.contains($0) }
        // In a text of this form the earlier instant comes first; of one instant, what was there first.
        let order = all.indices.sorted { (all[$0].at, $0) < (all[$1].at, $1) }
        records = order.map { all[$0] }
        keepNewest()
    }

    /// Changes the list next to an archive while no other publication does. Where nothing can be locked, as in a folder
    /// that may only be read, no other is kept out; where another keeps the lock, that is reported, and nothing is written.
    ///
    /// - Parameter seconds: how long another is waited for.
    fileprivate static func change(
        nextTo archive: String, waiting seconds: Int, _ console: Console,
        _ change: (inout PublicationLedger) -> Void
    ) {
        let path = path(of: archive)
        var lock: FileLock?
        do throws(FileFailure) {
            lock = try FileLock.acquire(path + ".lock", waiting: seconds)
            if lock == nil { return console.report(held(path)) }
        } catch {
            lock = nil
        }
        withExtendedLifetime(lock) {
            var ledger = PublicationLedger(nextTo: archive)
            let before = ledger.records
            change(&ledger)
            if ledger.records != before { ledger.write(nextTo: archive, console) }
        }
    }

    private static func held(_ path: String) -> Diagnostic {
        .warning(
            "publish.held-list", "The list of publications is in use; this publication is not noted in it",
            at: .file(path: path),
            hints: ["check which process holds '\(path).lock'; the next publication is noted"])
    }

    /// How long another publication that changes the list is waited for.
    private static let mostSeconds = 10

    /// Adds what this ledger knows to the one next to an archive; one that cannot be written is reported.
    func add(to archive: String, waiting seconds: Int = mostSeconds, _ console: Console) {
        if let unread { return console.report(unread) }
        Self.change(nextTo: archive, waiting: seconds, console) { $0.add(self) }
    }

    /// Adds what became of targets of a project to the one next to an archive; one that cannot be written is reported.
    static func add(
        _ results: [TargetResult], of project: String, at now: Instant, to archive: String,
        waiting seconds: Int = mostSeconds, _ console: Console
    ) {
        change(nextTo: archive, waiting: seconds, console) { $0.add(results, of: project, at: now) }
    }

    /// Puts this ledger next to an archive, in the place of one that is there; one that cannot be written is reported.
    func replace(nextTo archive: String, _ console: Console) {
        if let unread { return console.report(unread) }
        let there = PublicationLedger(nextTo: archive).records
        if records != there { write(nextTo: archive, console) }
    }

    /// Writes the file, a line for each publication.
    func write(nextTo archive: String) throws(FileFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let lines = records.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        let text =
            "{\"format\":\"plimsoll-publications\",\"version\":1,\"publications\":[\n"
            + lines.joined(separator: ",\n") + "\n]}\n"
        try replaceFile(Self.path(of: archive), Array(text.utf8))
    }

    /// The states of these targets of a project at an instant.
    func states(
        of targets: [KnownTarget], in project: String, asOf instant: Instant
    ) -> [PublicationState] {
        targets.map { target in
            var state = PublicationState(target: target.id)
            for record in records where record.isOf(target, in: project) {
                guard let at = Instant(record.at), at <= instant else { continue }
                if record.failed {
                    state.failedAt = at
                } else {
                    (state.publishedAt, state.failedAt) = (at, nil)
                }
            }
            return state
        }
    }
}

extension Project {
    /// When the site was published to each target, as known at an instant.
    func publications(asOf instant: Instant) -> [PublicationState] {
        let targets = configuration.publish.map {
            PublicationLedger.KnownTarget(id: $0.id.text, address: address(of: $0.block))
        }
        return targets.isEmpty
            ? [] : PublicationLedger(nextTo: archive).states(of: targets, in: pathFromArchive, asOf: instant)
    }

    /// Keeps what became of targets, for the next build.
    func keep(_ results: [TargetResult], _ console: Console) {
        PublicationLedger.add(results, of: pathFromArchive, at: now, to: archive, console)
    }
}

extension PublicationLedger {
    /// Writes the file; a failure is reported and stops nothing.
    fileprivate func write(nextTo archive: String, _ console: Console) {
        if let unread { return console.report(unread) }
        do throws(FileFailure) {
            try write(nextTo: archive)
        } catch {
            console.report(error.diagnostic.asWarning(gravity: .remark))
        }
    }
}
