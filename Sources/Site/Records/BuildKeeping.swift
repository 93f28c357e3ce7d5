package import AppHealth
import Configuration
import Files

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
    private let folder: String

    /// What is kept for a site at a path.
    init(_ keeping: BuildKeeping, output: String, _ swap: SiteSwap) {
        let place = SitePlace(output, swap)
        let path = fullPath(place.parent) + "/" + place.name
        folder = keeping.folder + "/" + contentHash(Array(path.utf8)).prefix(32)
    }

    /// What is kept of a part of a site, whose folder is its own.
    init(in folder: String) { self.folder = folder }

    /// What is kept of an app, when its pages are those of a report.
    func app(_ id: Slug, _ inputs: String, at instant: Instant, files: String) -> KeptApp? {
        guard let mark = mark(of: id), mark.serves(inputs, at: instant, files: files),
            var app = read(KeptApp.self, "app-\(id)", mark.record)
        else { return nil }
        app.mark = mark
        return app
    }

    /// What is kept of the pages of an app, when they were made with the same and their files are there.
    func pages(of id: Slug, _ shared: String, files: String) -> [String: KeptPage]? {
        guard let mark = mark(of: id), mark.shared == shared, mark.files == files, !mark.pages.isEmpty
        else { return nil }
        return read([String: KeptPage].self, "pages-\(id)", mark.pages)
    }

    private func mark(of id: Slug) -> KeptMark? { read(KeptMark.self, "mark-\(id)") }

    /// What the files of the site were like when it was written.
    var stamps: [String: FileStamp] { read(KeptStamps.self, "files")?.stamps ?? [:] }

    /// What is kept of the whole site.
    var site: KeptSite? { read(KeptSite.self, "site") }

    /// Keeps what the whole site is made from.
    func keep(_ site: KeptSite) throws { try write(site, "site") }

    /// Writes what may be kept of an app and its pages next to what is kept already.
    func put(_ id: Slug, _ app: KeptApp, _ pages: [String: KeptPage]?, _ shared: String) throws -> MadeApp {
        var mark = app.mark
        mark.shared = shared
        mark.record = try write(app, "next-app-\(id)")
        mark.pages = try pages.map { try write($0, "next-pages-\(id)") } ?? ""
        return MadeApp(app: id, mark: mark)
    }

    /// Keeps what was put down of an app. The mark comes last: without it, or with that of the build before, the rest is
    /// not read.
    func keep(_ made: MadeApp) throws {
        let id = made.app
        try renameFile("\(folder)/next-app-\(id)", to: "\(folder)/app-\(id)")
        if !made.mark.pages.isEmpty {
            try renameFile("\(folder)/next-pages-\(id)", to: "\(folder)/pages-\(id)")
        }
        try write(made.mark, "mark-\(id)")
    }

    /// Keeps what the files of the site are like.
    func keep(_ stamps: [String: FileStamp]) throws { try write(KeptStamps(stamps), "files") }

    /// Removes what is kept of apps that are no longer there.
    func keepOnly(_ apps: [Slug]) {
        let names = Set(apps.flatMap { ["app-\($0)", "mark-\($0)", "pages-\($0)"] } + ["files", "site"])
        for name in (try? folderNames(folder)) ?? [] where !names.contains(name) {
            try? removeFolder("\(folder)/\(name)")
        }
    }

    private static let magic = Array("plimsoll-kept 9\n".utf8)
    private static let limit = 1 << 30

    private func read<Value: Decodable>(_ type: Value.Type, _ name: String, _ digest: String? = nil) -> Value?
    {
        let header = Self.magic.count + 64
        guard let bytes = try? readFile("\(folder)/\(name)", limit: Self.limit), bytes.count > header,
            bytes.starts(with: Self.magic)
        else { return nil }
        let body = Array(bytes[header...])
        let found = contentHash(body)
        guard digest == nil || digest == found, found.utf8.elementsEqual(bytes[Self.magic.count..<header])
        else { return nil }
        return try? ValueDecoder.value(type, from: body)
    }

    @discardableResult private func write(_ value: some Encodable, _ name: String) throws -> String {
        let body = try ValueEncoder.bytes(of: value)
        let digest = contentHash(body)
        try makePrivateFolder(folder)
        try replaceFile("\(folder)/\(name)", Self.magic + Array(digest.utf8) + body, isDurable: false)
        return digest
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
