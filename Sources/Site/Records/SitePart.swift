import AppHealth
import Diagnostics
import Files
import Pages
import Platform

/// The pages of some apps, which another machine made for a site: their files, and what that build kept of them.
///
/// It is an aid alone: an app is taken from it where its pages were made from the very same as they would be here, and
/// every file is as that build wrote it. Any other app is made as always.
struct SitePart {
    /// The folder of the part.
    private let folder: String
    private let kept: KeptBuild
    private let files: OldSite

    /// Reads every file of a part.
    ///
    /// - Throws: a `Diagnostic` when the folder is no part of a site, or cannot be read.
    init(_ folder: String) throws(Diagnostic) {
        self.folder = folder
        kept = KeptBuild(in: Self.keptFolder(folder))
        let inspection = try diagnosed { () throws(FileFailure) in
            try SiteInspection(Self.siteFolder(folder), OutputPolicy())
        }
        guard inspection.isSite else {
            throw .error(
                "site.no-part", "Not a part of a site", at: .file(path: folder),
                hints: ["make it with: plimsoll build --shard i/n --output FOLDER"])
        }
        files = OldSite(.seen(inspection))
    }

    /// The folder with the files of a part.
    static func siteFolder(_ folder: String) -> String { folder + "/site" }

    /// The folder with what the build of a part kept.
    static func keptFolder(_ folder: String) -> String { folder + "/kept" }

    /// An app whose pages are those of this report too, with them.
    func app(_ id: Slug, _ inputs: KeptInputs, at instant: Instant) -> (
        app: KeptApp, pages: KeptPageTable?
    )? {
        guard let app = kept.app(id, inputs.digest, at: instant, files: files.digest(of: id)),
            let known = try? files.files(of: SiteBranch(id)),
            app.front?.fits(app.row.instantTexts.count, among: known) == true
        else { return nil }
        let pages = kept.pages(of: id)
        return (app, pages?.files == app.mark.files ? pages?.table : nil)
    }

    /// Copies the files of an app into a site, but for those that show the instant of the report: nothing that happens to
    /// the part later changes it.
    func copy(_ app: KeptApp, of id: Slug, into staged: StagedSite) throws(Diagnostics) -> Tally {
        var tally = Tally()
        let plain = Set(app.front?.plain ?? [])
        do throws(FileFailure) {
            let branch = SiteBranch(id)
            for (path, old) in try files.files(of: branch)
            where branch.isBelowFolder(path) || plain.contains(path) {
                let file = old.file
                let bytes = try readFile("\(Self.siteFolder(folder))/\(path)", limit: .max)
                guard SiteManifest.File(bytes) == file else {
                    throw FileFailure("read as it was", "\(folder)/\(path)", code: ESTALE)
                }
                try staged.write(path, bytes)
                tally += Tally(files: 1, bytes: file.size)
            }
        } catch {
            throw Diagnostics([error.diagnostic])
        }
        return tally
    }
}
