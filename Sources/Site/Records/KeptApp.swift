import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages
import Settings

/// What the pages that a build left of an app were made from: small, as it is all that a build reads of an app that
/// changed.
struct KeptMark: Codable, Hashable, Sendable {
    /// A digest of what the pages are made from; see `AppInputs`.
    let inputs: String
    /// The instant of the report that the pages were made for.
    let from: Instant
    /// From when on the same inputs may mean something else.
    let until: Instant
    /// A digest of the files below the folders of the app.
    var files: String
    /// A digest of those in its own folder that are kept too; see `KeptApp.plainFiles`.
    var plain: String?

    /// Whether these pages are those of a report.
    func serves(_ inputs: String, at instant: Instant, files: String) -> Bool {
        self.inputs == inputs && self.files == files && from <= instant && instant < until
    }
}

/// What a build leaves of an app, so that the next one need not read its history when nothing that its pages depend on
/// has changed.
struct KeptApp: Codable, Sendable {
    /// What its pages were made from.
    var mark: KeptMark
    /// What its row on the entry page and its badge are made from; see `Overview.ofRow`.
    let row: Overview
    /// Its overview; nil when it has to be made with the app.
    let front: FrontPage?
    /// What its feed carries.
    let feed: [FeedItem]
    /// The pages besides the overview that the sitemap lists.
    let paths: [SitePath]
    /// How many pages these and others are.
    let pages: Int
    /// The Markdown of the main pages among them, as the templates write it.
    let mainPages: [SitePath: [UInt8]]
    /// Mismatches on them.
    let failedChecks: [Diagnostic]
    /// What is wrong with the notes on the app.
    let noteProblems: [Diagnostic]
    /// What of its history the audience must not see.
    let secrets: SensitiveFacts
}

extension KeptApp {
    /// The files in the folder of the app itself that show neither the instant of the report nor the age of something.
    ///
    /// - Parameter scope: a part of a site has no feeds.
    func plainFiles(of id: Slug, _ scope: BuildScope) -> [String] {
        (front?.plain ?? []) + (feed.isEmpty || scope.isPart ? [] : feedFiles(of: id))
    }

    /// Whether the files that are kept in the folder of the app itself are those that were written with it.
    func fits(_ files: [String: OldSite.File], of id: Slug, _ scope: BuildScope) -> Bool {
        guard let plain = mark.plain, front?.fits(row.instantTexts.count) == true else { return false }
        return plain == digest(of: plainFiles(of: id, scope)) { files[$0]?.file.digest }
    }
}

/// A digest of some files of a site; nil where one is missing.
func digest(of paths: [String], _ digest: (String) -> ContentDigest?) -> String? {
    var lines: [UInt8] = []
    for path in paths.sorted() {
        guard let digest = digest(path) else { return nil }
        lines += "\(path) \(digest)\n".utf8
    }
    return contentHash(lines)
}

/// An app in bytes.
struct KeptRecord: Codable, Sendable {
    /// What the pages were made from.
    var mark: KeptMark
    /// The bytes of a `KeptApp`.
    let bytes: [UInt8]

    /// What is kept of the app.
    var app: KeptApp? {
        var app = try? ValueDecoder.value(KeptApp.self, from: bytes)
        app?.mark = mark
        return app
    }
}

/// The pages of an app by their names, in bytes.
struct KeptPageTable: Codable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ pages: [String: KeptPage]) throws { bytes = try ValueEncoder.bytes(of: pages) }

    /// The pages by their names.
    var pages: [String: KeptPage]? { try? ValueDecoder.value([String: KeptPage].self, from: bytes) }
}

/// The pages of an app, or of the whole site, that a build leaves for the next one, each of which is kept where it would be
/// made from the same.
struct KeptPages: Codable, Sendable {
    /// A digest of what all pages are made from; see `SharedInputs`.
    let shared: String
    /// A digest of the files below the folders of the app; of the whole site one of the files of these pages.
    let files: String
    /// The pages.
    let table: KeptPageTable
}

/// A page that the next build may keep.
struct KeptPage: Codable, Sendable {
    /// A digest of what it is made from.
    let digest: String
    /// The paths of its files from the top of the site.
    let files: [String]
    /// Mismatches on it.
    let failedChecks: [Diagnostic]
}

/// The pages of an app in the site before, of which the same files are still there.
struct OldPages: Sendable {
    let pages: [String: KeptPage]
    let files: [String: OldSite.File]

    /// A page that was made from the same, with its files.
    func page(_ name: String, _ digest: String) -> (KeptPage, [OldSite.File])? {
        guard let page = pages[name], page.digest == digest else { return nil }
        let found = page.files.compactMap { files[$0] }
        return found.count == page.files.count ? (page, found) : nil
    }
}

/// What every page of an app is made from, besides figures: the theme, the program and what the site says of itself.
struct SharedInputs: Encodable {
    let program: String
    let theme: String
    let title: String
    let isDemo: Bool
    let isIndexed: Bool
    let baseURL: String?
    let contentPages: [String]
    let audience: Audience
    let markdown: MarkdownDialect
    let labels: FigureLabels
    let outputs: [String]

    init(_ facts: SiteFacts, program: String, theme: String) {
        self.program = program
        self.theme = theme
        self.title = facts.title
        self.isDemo = facts.isDemo
        self.isIndexed = facts.isIndexed
        self.baseURL = facts.baseURL
        self.contentPages = facts.contentPages.flatMap { [$0.title, $0.path.stem] }
        self.audience = facts.audience
        self.markdown = facts.markdown
        self.labels = facts.labels
        self.outputs = facts.outputs.lines
    }
}

/// Everything that the pages of an app are made from, besides the instant of the report: the state of the archive, what
/// the owner wrote, and what all pages share.
struct AppInputs: Encodable {
    let shared: String
    let revision: String
    let app: App
    let targets: Targets
    let control: String
    let notes: [Note]
    /// What is wrong with a note is reported with its place.
    let notePlaces: [Location]
    let sources: [Source]

    /// - Parameter control: A digest of the rules of alerts and of the mutes.
    init(
        _ app: App, _ targets: Targets, revision: String, _ keeping: BuildKeeping, shared: String,
        control: String, _ input: SiteInput
    ) {
        self.shared = shared
        self.revision = revision
        self.app = app
        self.targets = targets
        self.control = control
        self.notes = input.content.notes(of: app.id)
        self.notePlaces = input.content.notes.filter { $0.app == app.id }.map(\.place)
        self.sources = keeping.sources[app.id] ?? []
    }
}
