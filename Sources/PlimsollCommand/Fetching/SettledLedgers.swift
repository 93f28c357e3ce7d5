import AppHealth
import Files
import Foundation
import Site

/// What the ledger of an app is worked out from besides the archive and the time.
struct LedgerInputs: Encodable {
    let app: App
    /// What verdicts on releases go by.
    let targets: Targets
    let sources: [Source]
}

/// The ledgers that hold what the archive shows, and until when: the alerts of an app of which nothing is new are not
/// worked out again by each fetch.
///
/// It is an aid alone: where it is missing, damaged or of another program, every ledger is worked out.
struct SettledLedgers {
    private struct Ledger: Codable {
        /// What the archive knows of the app; no other state of any archive has this mark.
        let mark: String
        let inputs: String
        let from: Instant
        let until: Instant
    }

    private struct Record: Codable {
        var program = programMark
        var ledgers: [String: Ledger] = [:]
    }

    private let records: FetchRecords
    private var record = Record()
    private var isNew = false

    /// Reads what an earlier fetch kept of some apps. What it kept of others, such as those that have left the
    /// configuration, is dropped.
    init(keptBy records: FetchRecords, of apps: [Slug]) {
        self.records = records
        guard let bytes = records.bytes(of: .ledgers),
            let kept = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
            kept.program == record.program
        else { return }
        let names = Set(apps.map(\.text))
        record.ledgers = kept.ledgers.filter { names.contains($0.key) }
        isNew = record.ledgers.count < kept.ledgers.count
    }

    /// Whether the ledger of an app would be worked out from the very same.
    func holds(_ inputs: LedgerInputs, _ revision: AppRevision?, at now: Instant) -> Bool {
        guard let revision, let ledger = record.ledgers[inputs.app.id.text], ledger.mark == revision.mark,
            ledger.from <= now, now < ledger.until
        else { return false }
        return ledger.inputs == digestOfValue(inputs)
    }

    /// Adds a ledger that was just worked out.
    ///
    /// - Parameter until: from when on the same archive may mean something else.
    mutating func add(_ inputs: LedgerInputs, _ revision: AppRevision?, from now: Instant, until: Instant) {
        guard let revision, let digest = digestOfValue(inputs) else { return }
        record.ledgers[inputs.app.id.text] = Ledger(
            mark: revision.mark, inputs: digest, from: now,
            until: revision.next.map { min($0, until) } ?? until)
        isNew = true
    }

    /// Keeps all for the next fetch.
    func keep() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard isNew, let bytes = try? Array(encoder.encode(record)) else { return }
        records.keep(bytes, as: .ledgers)
    }
}
