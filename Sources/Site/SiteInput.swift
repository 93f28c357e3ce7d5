package import Analysis
package import AppHealth
package import Diagnostics
package import Pages

/// What a site is built from.
package struct SiteInput: Sendable {
    /// What all pages share, without the owner's pages.
    package var facts: SiteFacts
    /// The folders of the theme.
    package var theme: ThemeLayers
    /// The owner's pages.
    package var content: ContentFolder
    /// The folder of the site.
    package var output: String
    /// What may become of the files in that folder.
    package var outputPolicy = OutputPolicy()
    /// The apps with their levels, in their order.
    package var apps: [(app: App, targets: Targets)]
    /// What the owner says of the activity of the apps.
    package var control: AlertControl
    /// The folder with the JSON schemas of the files for programs, which the site repeats; nil for none.
    package var schemas: String?
    /// When the site was published to each publish target.
    package var publications: [PublicationState] = []
    /// What the archive remembers of what the owner wrote.
    package var knownPassages = KnownPassages()
    /// How many pages are made at once, at least 1; it never changes a byte.
    package var threads: Int

    /// Which part of the work this build does.
    package var scope = BuildScope.site

    /// What lets pages of the build before be kept; nil to make every page.
    package var keeping: BuildKeeping?

    /// Makes the input.
    package init(
        facts: SiteFacts, theme: ThemeLayers, content: ContentFolder, output: String,
        apps: [(app: App, targets: Targets)], control: AlertControl = AlertControl(), threads: Int
    ) {
        self.facts = facts
        self.theme = theme
        self.content = content
        self.output = output
        self.apps = apps
        self.control = control
        self.threads = max(1, threads)
        self.facts.hasApps = !apps.isEmpty
        self.facts.contentPages = content.pages.filter(\.isInNavigation).map {
            (title: $0.title, path: $0.path)
        }
    }
}

extension SiteInput {
    /// Why no site can be built of it; nil when one can.
    var problem: Diagnostic? {
        guard !facts.hasApps, content.introduction == nil else { return nil }
        return .usage(
            "content.no-index", "A site without apps needs a home page",
            hints: ["write 'index.md' into the content folder, or add an app to 'apps'"])
    }
}

/// What a build made of an app.
package struct AppOutcome: Codable, Hashable, Sendable {
    /// How a source is.
    package struct SourceOutcome: Codable, Hashable, Sendable {
        /// The name of the source.
        package let source: String
        /// Its state.
        package let state: SourceState
    }

    /// The app's name in addresses.
    package let id: Slug
    /// The verdict and the reason, for the summary of a run.
    package let line: String
    /// The status in one word: `meets`, `misses`, `critical`, `insufficient`, `unknown`.
    package let verdictName: String
    /// The state of each of its sources.
    package let sourceStates: [SourceOutcome]
    /// Whether any of them is stale or failed.
    package let hasTrouble: Bool

    init(_ row: AppSummaryRow) {
        (id, line, verdictName) = (row.id, row.line, row.verdictName)
        sourceStates = row.sourceStates.map { SourceOutcome(source: $0.source, state: $0.state) }
        hasTrouble = row.hasTrouble
    }
}

/// What a build made.
package struct SiteOutcome: Codable, Sendable {
    /// The folder of the site.
    package internal(set) var output: String
    /// How many files were written.
    package let files: Int
    /// How many HTML pages are among them.
    package let pages: Int
    /// How many of the pages are those of the site before, without being made again.
    package internal(set) var keptPages: Int
    /// How many bytes were written.
    package let bytes: Int
    /// The apps in the order of the configuration.
    package let apps: [AppOutcome]
    /// What is wrong with mutes: those that have ended or fit nothing.
    package let muteProblems: [Diagnostic]
    /// What is wrong with notes: those about a release, an issue or a day that is unknown.
    package let noteProblems: [Diagnostic]
    /// What came in the way of replacing the old site, which is replaced nevertheless.
    package internal(set) var outputProblems: [Diagnostic]
    /// Mismatches, by page; each is shown on its page too.
    package let failedChecks: [Diagnostic]

    /// Whether the site shows a failure: a source that could not be fetched, or a page that is at odds with itself.
    package var hasTrouble: Bool { apps.contains(where: \.hasTrouble) || !failedChecks.isEmpty }
}
