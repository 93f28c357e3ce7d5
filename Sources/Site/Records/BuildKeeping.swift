package import AppHealth
import Configuration
import Diagnostics
import Files
import Platform

/// What lets a build keep pages of the one before.
package struct BuildKeeping: Sendable {
    /// The folder for what one build leaves for the next, next to the archive; it is readable by its owner alone.
    package var folder: String
    /// What no other version of the program has: another one may write other pages from the same inputs.
    package var program: String
    /// The sources of each app as the configuration knows them.
    package var sources: [Slug: [Source]]
    /// Whether every page is made, whatever was kept.
    package var isFull: Bool
    /// What the archive knows of an app at the instant of the report, as a mark; nil when it knows nothing.
    package var revision: @Sendable (App) -> AppRevision?

    /// Makes it.
    package init(
        folder: String, program: String, sources: [Slug: [Source]], isFull: Bool = false,
        revision: @escaping @Sendable (App) -> AppRevision?
    ) {
        self.folder = folder
        self.program = program
        self.sources = sources
        self.isFull = isFull
        self.revision = revision
    }
}

/// What is kept of the builds of one site. Nothing of it is needed: what is missing, damaged or of another version is
/// made again.
struct KeptBuild {
    /// The folder of these files.
    let folder: String
    /// Whether the site before is kept here too.
    private let keepsSpare: Bool
    /// Where the site is; nil when the folder belongs to nothing else.
    private let sitePath: String?
    /// How many apps of a site are looked up at once.
    private let threads: Int

    /// What is kept for a site at a path.
    init(_ keeping: BuildKeeping, output: String, _ swap: SiteSwap, threads: Int = 1) {
        let place = SitePlace(output, swap)
        let path = fullPath(place.parent) + "/" + place.name
        folder = keeping.folder + "/" + contentHash(Array(path.utf8)).prefix(32)
        keepsSpare = swap == .folder
        (sitePath, self.threads) = (path, threads)
    }

    /// What is kept in a folder, such as that of a part of a site.
    init(in folder: String, keepsSpare: Bool = false, threads: Int = 1) {
        (self.folder, self.keepsSpare, sitePath, self.threads) = (folder, keepsSpare, nil, threads)
    }

    /// What is kept of an app, when its pages are those of a report.
    func app(_ id: Slug, _ inputs: String, at instant: Instant, files: String) -> KeptApp? {
        guard let mark = read(KeptMark.self, "mark-\(id)"), mark.serves(inputs, at: instant, files: files),
            let record = read(KeptRecord.self, "app-\(id)"), record.mark == mark
        else { return nil }
        return record.app
    }

    /// What is kept of the pages of an app.
    func pages(of id: Slug) -> KeptPages? { read(KeptPages.self, "pages-\(id)") }

    /// What the site was like when it was written.
    var listing: KeptListing? { KeptListing(at: listingPath, threads: threads) }

    /// Where a build puts down what its site is like; nil when it cannot.
    ///
    /// - Parameters:
    ///   - kept: what stays in it.
    ///   - fileMode: the rights of the files that it writes.
    func newListing(keeping kept: [String], fileMode: mode_t) -> NewListing? {
        try? makePrivateFolder(folder)
        return try? NewListing(listingPath, kept: kept, fileMode: fileMode)
    }

    private var listingPath: String { folder + "/files" }

    /// The site before the one that visitors see; nil when there is none.
    var spare: SpareSite? {
        pathKind(sparePath, followsLink: false) == .folder
            ? SpareSite(path: sparePath, listing: spareListing) : nil
    }

    /// What that site was like, wherever its folder is by now.
    var spareListing: KeptListing? { KeptListing(at: spareListingPath, threads: threads) }

    /// Keeps a site in whose place another one is by now, just as it is listed.
    ///
    /// - Returns: false when it stays where it is, as on another file system.
    func keepSpare(_ old: String) -> Bool {
        guard keepsSpare, rename(old, sparePath) == 0 else { return false }
        _ = rename(listingPath, spareListingPath)
        return true
    }

    private var sparePath: String { folder + "/spare" }
    private var spareListingPath: String { folder + "/spare-files" }

    /// What is kept of the whole site.
    var site: KeptSite? { read(KeptSite.self, "site") }

    /// Keeps what the whole site is made from.
    func keep(_ site: KeptSite) throws { try write(site, "site") }

    /// Keeps an app.
    func keep(_ app: KeptRecord, id: Slug) throws {
        try write(app, "app-\(id)")
        try write(app.mark, "mark-\(id)")
    }

    /// Removes what is kept of an app, but for its pages.
    func removeApp(_ id: Slug) { for name in ["mark-\(id)", "app-\(id)"] { unlink("\(folder)/\(name)") } }

    /// Keeps the pages of an app.
    func keep(_ pages: KeptPages, of id: Slug) throws { try write(pages, "pages-\(id)") }

    /// What is kept of the pages of the whole site.
    var sitePages: KeptPages? { read(KeptPages.self, "site-pages") }

    /// Keeps the pages of the whole site.
    func keep(sitePages pages: KeptPages) throws { try write(pages, "site-pages") }

    /// Removes what is kept of apps that are no longer there, and the sites before of sites that are gone.
    ///
    /// - Returns: where files are that somebody put into one of those.
    func keepOnly(_ apps: [Slug]) -> [Diagnostic] {
        let names = Set(
            apps.flatMap { ["app-\($0)", "mark-\($0)", "pages-\($0)"] }
                + ["files", "place", "site", "site-pages", "spare", "spare-files"])
        for name in (try? folderNames(folder)) ?? [] where !names.contains(name) {
            try? removeFolder("\(folder)/\(name)")
        }
        guard let sitePath, keepsSpare else { return [] }
        return removeLostSpares(besides: sitePath)
    }

    private func removeLostSpares(besides own: String) -> [Diagnostic] {
        try? replaceFile(placePath(folder), Array(own.utf8), isDurable: false)
        let (all, name) = splitPath(folder)
        // What else is kept is small, and another machine may know the site by this path.
        return ((try? folderNames(all)) ?? []).filter { $0 != name }.compactMap { other in
            let kept = KeptBuild(in: "\(all)/\(other)", keepsSpare: true, threads: threads)
            return kept.lostSite.flatMap { kept.spare?.remove(OutputPolicy(), of: $0) }
        }
    }

    /// Where the site was, when it is gone.
    private var lostSite: String? {
        guard let path = try? readFile(placePath(folder), limit: 1 << 16) else { return nil }
        let site = String(decoding: path, as: UTF8.self)
        return pathKind(site, followsLink: false) == .missing ? site : nil
    }

    private func placePath(_ folder: String) -> String { folder + "/place" }

    private static let magic = Array("plimsoll-kept 14\n".utf8)
    private static let limit = 1 << 30

    private func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        let header = Self.magic.count + 64
        guard var bytes = try? readFile("\(folder)/\(name)", limit: Self.limit), bytes.count > header,
            bytes.starts(with: Self.magic)
        else { return nil }
        let digest = Array(bytes[Self.magic.count..<header])
        // What is left is moved and not copied: of a large site it is large.
        bytes.removeSubrange(..<header)
        guard contentHash(bytes).utf8.elementsEqual(digest) else { return nil }
        return try? ValueDecoder.value(type, from: bytes)
    }

    private func write(_ value: some Encodable, _ name: String) throws {
        let body = try ValueEncoder.bytes(of: value)
        try makePrivateFolder(folder)
        try replaceFile(
            "\(folder)/\(name)", Self.magic + Array(contentHash(body).utf8), followedBy: body,
            isDurable: false)
    }
}

/// A digest of every file of a theme, those of the layers below it too.
func themeDigest(_ theme: ThemeLayers) throws(FileFailure) -> String {
    var text = ""
    for folder in theme.folders {
        text += "/\n"
        for path in try filesBelow(folder, within: folder) {
            text += "\(path) \(contentHash(try readFile("\(folder)/\(path)")))\n"
        }
    }
    return contentHash(Array(text.utf8))
}
