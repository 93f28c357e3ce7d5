import Analysis
import AppHealth
import Archive
import Files
import Foundation
import Pages
import Site

/// Writes down which alerts the rules raise as of this run, and which the figures no longer show.
///
/// It is worked out from the archive as it is: a run that was cut off before this leaves nothing to repair, since the
/// next one does it. A second run with the same data writes nothing, and works nothing out where a first one is known.
func updateLedger(of project: Project, in archive: Archive) throws(ArchiveError) {
    let sources = project.sourcesByApp
    var settled = SettledLedgers(at: project.keptBuilds + "/fetch")
    for app in project.apps.map(\.app) {
        let inputs = LedgerInputs(app: app, sources: sources[app.id] ?? [])
        let revision = try archive.revision(of: app.id, asOf: project.now)
        if settled.holds(inputs, revision, at: project.now) { continue }
        // Rows that cannot be read are reported when the site is built.
        let (history, _) = try archive.history(of: app, sources: inputs.sources, asOf: project.now)
        let evidence = HistoryIndex(history, asOf: project.now)
        let reconciliation = reconcile(
            history.ledger, with: events(in: evidence), in: evidence, sentence: \.sentence)
        try archive.record(reconciliation.revisions, at: project.now)
        // What was just written changed its mark.
        settled.add(
            inputs, try archive.revision(of: app.id, asOf: project.now), from: project.now,
            until: changesAt(evidence, history))
    }
    settled.keep()
}

/// What the ledger of an app is worked out from besides the archive and the time.
private struct LedgerInputs: Encodable {
    let app: App
    let sources: [Source]
}

/// The ledgers that hold what the archive shows, and until when: the alerts of an app of which nothing is new are not
/// worked out again by each fetch.
///
/// It is an aid alone: where it is missing, damaged or of another program, every ledger is worked out.
private struct SettledLedgers {
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

    private let folder: String
    private var record = Record()
    private var isNew = false

    private static let name = "ledgers"
    private var path: String { "\(folder)/\(Self.name)" }
    private static let limit = 1 << 28

    /// Reads what an earlier fetch kept.
    init(at folder: String) {
        self.folder = folder
        guard let bytes = try? readFile(path, limit: Self.limit), bytes.count > 64,
            contentHash(bytes.dropFirst(64)).utf8.elementsEqual(bytes.prefix(64)),
            let kept = try? JSONDecoder().decode(Record.self, from: Data(bytes.dropFirst(64))),
            kept.program == record.program
        else { return }
        record = kept
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
        // For the owner alone, as what builds keep.
        try? makePrivateFolder(folder)
        // What a killed fetch left; no other one runs on the archive.
        for name in (try? folderNames(folder)) ?? [] where name != Self.name {
            try? removeFolder("\(folder)/\(name)")
        }
        try? replaceFile(path, Array(contentHash(bytes).utf8) + bytes)
    }
}
