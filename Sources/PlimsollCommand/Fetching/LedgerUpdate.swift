import Analysis
import AppHealth
import Archive
import Pages

/// Writes down which alerts the rules raise as of this run, and which the figures no longer show.
///
/// It is worked out from the archive as it is: a run that was cut off before this leaves nothing to repair, since the
/// next one does it. A second run with the same data writes nothing, and works nothing out where a first one is known.
///
/// - Parameter records: keeps which ledgers hold what the archive shows.
func updateLedger(
    of project: Project, in archive: Archive, keeping records: FetchRecords
) throws(ArchiveError) {
    let sources = project.sourcesByApp
    var settled = SettledLedgers(keptBy: records, of: project.apps.map(\.app.id))
    for (app, targets) in project.apps {
        let inputs = LedgerInputs(app: app, targets: targets, sources: sources[app.id] ?? [])
        try archive.record(targets, of: app.id, at: project.now)
        let revision = try archive.revision(of: app.id, asOf: project.now)
        if settled.holds(inputs, revision, at: project.now) { continue }
        // Rows that cannot be read are reported when the site is built.
        let (history, _) = try archive.history(of: app, sources: inputs.sources, asOf: project.now)
        let index = HistoryIndex(history, asOf: project.now, targets: targets)
        let reconciliation = reconcile(
            history.ledger, with: events(in: index), in: index, sentence: \.sentence)
        try archive.record(reconciliation.revisions, at: project.now)
        // What was just written changed its mark.
        settled.add(
            inputs, try archive.revision(of: app.id, asOf: project.now), from: project.now,
            until: changesAt(index, history))
    }
    settled.keep()
}
