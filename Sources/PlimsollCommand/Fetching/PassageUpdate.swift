import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Site

/// Remembers which passages that the owner of a public site wrote hold nothing of what strangers chose up to now. An
/// event that comes later and is called as one of them says then keeps no site from being built, wherever that is done.
///
/// Every app of the archive counts, whichever are fetched. Content or a theme that cannot be read is reported when the
/// site is built.
///
/// - Parameter witnesses: What archives remember that were just merged into this one.
func updatePassages(
    of project: Project, in archive: Archive, witnesses: [PassageWitness] = []
) throws(ArchiveError) {
    guard project.configuration.audience.hidesData else { return }
    let known = try archive.passages()
    guard let input = try? siteInput(of: project, asOf: project.now, threads: 1).input,
        var review = (try? PassageReview(of: input, knowing: known, witnesses: witnesses)) ?? nil
    else { return }
    try archive.forEachApp(asOf: project.now) { review.add($0) }
    try archive.keep(review.result)
}

extension SiteInput {
    /// The same with what the archive remembers of what the owner wrote.
    func knowing(_ archive: Archive) throws(Diagnostics) -> SiteInput {
        var input = self
        do throws(ArchiveError) {
            input.knownPassages = try archive.passages()
        } catch {
            throw Diagnostics([error.diagnostic])
        }
        return input
    }
}
