import AppHealth
import Diagnostics
import Files
import Pages
import Platform

/// The pages of some apps, which another machine made for a site: their files, and what that build kept of them.
///
/// It is an aid alone: an app is taken from it where its pages were made from the very same as they would be here, and
/// every file is as that build wrote it. Any other app is made as always.
///
/// It is read app by app: of all of it no more is held than where each app is.
struct SitePart {
    /// The folder of its site.
    private let site: String
    private let kept: KeptBuild
    let files: OldSite

    /// Finds what a part has.
    ///
    /// - Throws: a `Diagnostic` when the folder is no part of a site, or cannot be read.
    init(_ folder: String) throws(Diagnostic) {
        site = Self.siteFolder(folder)
        kept = KeptBuild(in: Self.keptFolder(folder))
        let (site, listing) = (site, kept.listing)
        let look = try diagnosed { () throws(FileFailure) in try Self.look(at: site, listing) }
        if case .seen(let inspection) = look, !inspection.isSite {
            throw .error(
                "site.no-part", "Not a part of a site", at: .file(path: folder),
                hints: ["make it with: plimsoll build --shard i/n --output FOLDER"])
        }
        files = OldSite(look)
    }

    /// What is in a part as its build put it down; where that is missing, each file is read.
    private static func look(at site: String, _ listing: KeptListing?) throws(FileFailure) -> SiteLook {
        if let listing, let manifest = try SiteManifest.readBytes(in: site),
            contentHash(manifest) == listing.manifest
        {
            return .known(listing)
        }
        return .seen(try SiteInspection(site, OutputPolicy()))
    }

    /// The folder with the files of a part.
    static func siteFolder(_ folder: String) -> String { folder + "/site" }

    /// The folder with what the build of a part kept.
    static func keptFolder(_ folder: String) -> String { folder + "/kept" }

    /// An app whose pages are those of this report too, when all of its files are as its build wrote them.
    func app(_ id: Slug, _ inputs: KeptInputs, at instant: Instant) -> JoinedApp? {
        let branch = SiteBranch(id)
        guard let app = kept.app(id, inputs.digest, at: instant, files: files.digest(of: id)),
            let known = try? files.files(of: branch), app.fits(known, of: id, .part(folder: site))
        else { return nil }
        let plain = Set(app.plainFiles(of: id, .part(folder: site)))
        let taken = known.filter { branch.isBelowFolder($0.key) || plain.contains($0.key) }
        guard let checked = PartFiles(taken.mapValues(\.file), in: site) else { return nil }
        let pages = kept.pages(of: id)
        return JoinedApp(
            app: app, pages: pages?.files == app.mark.files ? pages?.table : nil, files: checked)
    }
}

/// An app of a part.
struct JoinedApp {
    let app: KeptApp
    /// Its pages, which the next build may keep.
    let pages: KeptPageTable?
    /// Its files, but for those that show the instant of the report.
    let files: PartFiles
}
