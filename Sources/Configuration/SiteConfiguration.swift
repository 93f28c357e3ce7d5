package import Analysis
package import AppHealth
package import Diagnostics
package import Markup
package import Settings

/// What `plimsoll.yml` says.
package struct SiteConfiguration: Sendable {
    /// The name of the site.
    package var title: String
    /// What tells the project from others at a target of publishing; nil where archive, title and address do.
    package var id: Slug?
    /// The site's own address, with a slash at the end; nil when it has none.
    package var url: String?
    /// The name of the theme.
    package var theme: String
    /// The folder of the site, from the folder of the configuration.
    package var output: String
    /// How a new site takes the place of the old one.
    package var swap: SiteSwap
    /// What stays in the folder of the site whatever is built: paths of files and folders from its top.
    package var keep: [String]
    /// The file of the archive, from the folder of the configuration.
    package var archive: String
    /// How many backups of the archive a fetch keeps; 0 for none.
    package var keepBackups: Int
    /// The folder of the owner's pages, from the folder of the configuration.
    package var content: String
    /// Whether search engines may list the pages.
    package var isIndexed: Bool
    /// Who reads the site, and what it therefore leaves out.
    package var audience: Audience
    /// The dialect of the Markdown versions of the pages.
    package var markdown: MarkdownDialect
    /// What is next to its pages.
    package var outputs: Outputs
    /// Whether the figures are made up.
    package var isDemo: Bool
    /// The instant used as the clock; nil for the real one.
    package var asOf: Instant?
    /// How many seconds a request may take.
    package var timeoutSeconds: Int
    /// How many seconds all requests of a fetch may take together, waits included.
    package var timeBudgetSeconds: Int
    /// How often and how long a request is tried.
    package var retries: RetryConfiguration
    /// The apps in their order.
    package var apps: [AppConfiguration]
    /// The places that the site is published to, in their order.
    package var publish: [TargetConfiguration]
    /// The places that summaries are attached to, in their order.
    package var attach: [AttachmentConfiguration]
    /// Where `output`, `archive` and `content` are given, by these keys; none where the default counts.
    package var places: [String: Location]
}

/// How a new site takes the place of the old one.
package enum SiteSwap: String, CaseIterable, Sendable {
    /// The folder itself is exchanged.
    case folder
    /// The name of the site is a link, which is led to another folder.
    case link
}

/// One app of the configuration.
package struct AppConfiguration: Sendable {
    /// The app.
    package var app: App
    /// Its levels.
    package var targets: Targets
    /// What of its activity is reported.
    package var alerts: AlertSettings
    /// Its sources; the first that knows a thing reports it.
    package var sources: [SourceConfiguration]
}

/// How hard a fetch tries to get a response; what is nil is left to the program.
package struct RetryConfiguration: Hashable, Sendable {
    /// The most attempts for one request, the first included.
    package var attempts: Int?
    /// The most seconds for one request with all its attempts and waits.
    package var seconds: Int?
    /// The most seconds between two attempts, unless the service requests more; 0 waits not at all.
    package var longestWaitSeconds: Int?
}

extension YAMLFile {
    mutating func retries(_ value: YAMLValue?) -> RetryConfiguration {
        guard let value, let keys = mapping(value, keys: ["attempts", "seconds", "longestWait"]) else {
            return RetryConfiguration()
        }
        return RetryConfiguration(
            attempts: count(keys["attempts"], in: 1...20), seconds: count(keys["seconds"], in: 1...3600),
            longestWaitSeconds: count(keys["longestWait"], in: 0...3600))
    }
}
