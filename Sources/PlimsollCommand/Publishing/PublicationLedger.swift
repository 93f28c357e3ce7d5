import AppHealth
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
    }

    /// More than several targets need in a year.
    static let mostRecords = 4000

    /// Oldest first.
    private(set) var records: [Record] = []

    /// The path next to an archive.
    static func path(of archive: String) -> String { archive + ".publications.json" }

    /// Nothing was ever published.
    init() {}

    /// Reads the file; nothing is known where there is none, or none of this format.
    init(nextTo archive: String) {
        struct Written: Decodable {
            let format: String
            let version: Int
            let publications: [Record]
        }
        guard let bytes = try? readFile(Self.path(of: archive), limit: 1 << 22),
            let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            written.format == "plimsoll-publications", written.version == 1
        else { return }
        records = written.publications
    }

    /// Adds what became of targets at an instant.
    mutating func add(_ results: [TargetResult], at now: Instant) {
        records += results.map {
            Record(target: $0.job.id, at: now.description, failed: $0.outcome.failure != nil)
        }
        records = records.suffix(Self.mostRecords)
    }

    /// Adds what another ledger knows and this one does not.
    mutating func add(_ other: PublicationLedger) {
        let known = Set(records)
        let all = records + other.records.filter { !known.contains($0) }
        // In a text of this form the earlier instant comes first; of one instant, what was there first.
        let order = all.indices.sorted { (all[$0].at, $0) < (all[$1].at, $1) }
        records = order.map { all[$0] }.suffix(Self.mostRecords)
    }

    /// Adds what this ledger knows to the one next to an archive; one that cannot be written is reported.
    func add(to archive: String, _ console: Console) {
        var ledger = PublicationLedger(nextTo: archive)
        let before = ledger.records
        ledger.add(self)
        if ledger.records != before { ledger.write(nextTo: archive, console) }
    }

    /// Puts this ledger next to an archive, in the place of one that is there; one that cannot be written is reported.
    func replace(nextTo archive: String, _ console: Console) {
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

    /// The states of these targets at an instant.
    func states(of targets: [String], asOf instant: Instant) -> [PublicationState] {
        targets.map { target in
            var state = PublicationState(target: target)
            for record in records where record.target == target {
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
        let targets = configuration.publish.map(\.id.text)
        return targets.isEmpty
            ? [] : PublicationLedger(nextTo: archive).states(of: targets, asOf: instant)
    }

    /// Keeps what became of targets, for the next build.
    func keep(_ results: [TargetResult], _ console: Console) {
        var ledger = PublicationLedger(nextTo: archive)
        ledger.add(results, at: now)
        ledger.write(nextTo: archive, console)
    }
}

extension PublicationLedger {
    /// Writes the file; a failure is reported and stops nothing.
    fileprivate func write(nextTo archive: String, _ console: Console) {
        do throws(FileFailure) {
            try write(nextTo: archive)
        } catch {
            var warning = error.diagnostic
            warning.severity = .warning
            warning.gravity = .remark
            console.report(warning)
        }
    }
}
