import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages

/// What a build leaves of an app, so that the next one need not read its history when nothing that its pages depend on
/// has changed.
struct KeptApp: Codable, Sendable {
    /// A digest of what the pages are made from; see `AppInputs`.
    let inputs: String
    /// The instant of the report that the pages were made for.
    let from: Instant
    /// From when on the same inputs may mean something else.
    let until: Instant
    /// A digest of the files below the folders of the app.
    var files: String
    /// What its overview, its row on the entry page, its feeds and its badges are made from.
    let overview: Overview
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

    /// Whether these pages are those of a report.
    func serves(_ inputs: String, at instant: Instant, files: String) -> Bool {
        self.inputs == inputs && self.files == files && from <= instant && instant < until
    }
}

/// Everything that the pages of an app are made from, besides the instant of the report: the state of the archive, what
/// the owner wrote, the theme and the program.
struct AppInputs: Encodable {
    let program: String
    let theme: String
    let revision: String
    let app: App
    let targets: Targets
    let control: AlertControl
    let notes: [Note]
    let sources: [Source]
    let title: String
    let isDemo: Bool
    let isIndexed: Bool
    let baseURL: String?
    let contentPages: [String]
    let audience: Audience
    let markdown: MarkdownDialect
    let labels: FigureLabels

    init(
        _ app: App, _ targets: Targets, revision: String, _ keeping: BuildKeeping, theme: String,
        _ input: SiteInput
    ) {
        let facts = input.facts
        self.program = keeping.program
        self.theme = theme
        self.revision = revision
        self.app = app
        self.targets = targets
        self.control = input.control
        self.notes = input.content.notes(of: app.id)
        self.sources = keeping.sources[app.id] ?? []
        self.title = facts.title
        self.isDemo = facts.isDemo
        self.isIndexed = facts.isIndexed
        self.baseURL = facts.baseURL
        self.contentPages = facts.contentPages.flatMap { [$0.title, $0.path.stem] }
        self.audience = facts.audience
        self.markdown = facts.markdown
        self.labels = facts.labels
    }

    /// The digest; nil when it cannot be made.
    var digest: String? { (try? ValueEncoder.bytes(of: self)).map { contentHash($0) } }
}
