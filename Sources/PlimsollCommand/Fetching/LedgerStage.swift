import Analysis
import AppHealth
import Archive
import Pages

/// Writes down which alerts the rules raise as of this run, and which the figures no longer show.
///
/// It is worked out from the archive as it stands: a run that was cut off before this leaves nothing to be
/// mended, for the next one does it. A second run with the same figures writes nothing.
func updateLedger(of project: Project, in archive: Archive) throws(ArchiveError) {
    let sources = project.sourcesByApp
    for app in project.apps.map(\.app) {
        // Rows that cannot be read are told of when the site is built.
        let (history, _) = try archive.history(of: app, sources: sources[app.id] ?? [], asOf: project.now)
        let evidence = HistoryIndex(history, asOf: project.now)
        let reconciliation = reconcile(
            history.ledger, with: events(in: evidence), in: evidence, telling: \.sentence)
        try archive.record(reconciliation.revisions, at: project.now)
    }
}
