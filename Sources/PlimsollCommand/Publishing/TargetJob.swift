import AppHealth
import Configuration
import Diagnostics
import Files
import Publishing
import Site

/// A publish target with what the configuration allows there.
struct TargetJob: Sendable {
    let place: PlaceJob<any Target>
    /// The most files that one publication removes, in percent.
    let mostRemoved: Int
    /// Whether everybody may read what is there.
    let isPublic: Bool
    /// A digest of where it is.
    let address: String
    /// Whose site it is.
    let project: PublishedProject

    var id: String { place.id }
    var kind: String { place.kind }
    var target: Result<any Target, Diagnostic> { place.target }
}

extension Project {
    /// The publish targets with these names, in the order of the configuration; all of them without names.
    ///
    /// - Throws: a name that no target has.
    func targetJobs(_ names: [String] = []) throws(Diagnostic) -> [TargetJob] {
        let project = publishedProject
        return try chosen(names, of: configuration.publish, to: "publish", block: \.block).map { place in
            TargetJob(
                place: job(place.block, of: standardTargets), mostRemoved: place.mostRemoved,
                isPublic: place.isPublic, address: address(of: place.block), project: project)
        }
    }
}

/// The built site of a project.
///
/// - Throws: when there is none.
func builtSite(_ project: Project) throws(Diagnostic) -> SiteFolder {
    let kept = OutputPolicy.alwaysKept.filter { $0 != ".git" } + project.configuration.keep
    return try SiteFolder(absolutePath(project.output), kept: kept)
}

/// Whether there is something to publish; a disk that does not say is asked when it is read.
func isBuilt(_ project: Project) -> Bool {
    (try? knownKind(absolutePath(project.output) + "/" + SiteFolder.manifest)) != .missing
}

/// Whether a site hides nothing, so that it is for the team; by what the site itself says.
func isForTeam(_ site: SiteFolder) -> Bool { rules(hidingIn: site).isEmpty }

/// The kept reports of one app in one file that show what the site hides: the configuration, or the audience of the site,
/// was another one when they were made.
func revealingFiles(of site: SiteFolder) -> [PublishedPath] {
    let hidden = rules(hidingIn: site)
    return site.kept.filter { file in
        guard file.path.text.hasSuffix(".html"), let bytes = try? site.bytes(of: file),
            let own = hiddenRules(ofSingleFile: bytes)
        else { return false }
        return !hidden.isSubset(of: own)
    }.map(\.path)
}

/// The names of the rules by which a site leaves things out, by what the site itself says.
private func rules(hidingIn site: SiteFolder) -> Set<String> {
    guard let file = site.files.first(where: { $0.path.text == siteMarker }),
        let bytes = try? site.bytes(of: file)
    else { return [] }
    return Set(hiddenRules(by: bytes) ?? [])
}
