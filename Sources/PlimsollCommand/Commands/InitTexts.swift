import Configuration

/// The words that `init` writes for the entry page.
let firstPageText = """
    These pages show how stable our apps are and how much they are used.
    Edit `Content/index.md` to change these words; more Markdown files in `Content/` become pages.

    """

/// A commented configuration for some providers.
func configurationText(_ providers: [ProviderKind]) -> String {
    var seen: Set<ProviderKind> = []
    let sources = providers.filter { seen.insert($0).inserted }.map(sourceText).joined()
    return """
        # What plimsoll reports on. Paths are counted from the folder of this file.
        title: App stability
        # url: https://host/path/    # where the site will stand; makes links in feeds and release notes whole
        output: site                 # the folder of the site; replaced as a whole by every build
        archive: archive.sqlite      # everything ever fetched; keep it
        content: Content             # your own pages in Markdown
        theme: default               # or the name of a folder in Themes/
        # indexing: true             # let search engines list the pages
        # audience: public           # leave out code places, notes, names, titles of issues and counts
        # markdown: commonmark       # or plain or slack: the dialect of the pages' Markdown twins; else github
        timeout: 60                  # seconds that one request may take
        timeBudget: 900              # seconds that all requests of a fetch may take together
        # retries: {attempts: 10, seconds: 300, longestWait: 30}   # for one request, in seconds
        targets:                     # crash-free rates in per cent; each app may have its own
          target: 99.5
          critical: 98
        \(alertsExample)

        apps:
          - id: my-app               # part of addresses: lowercase letters, digits and '-'
            name: My App
            platform: ios
            sources:                 # the first source that knows a thing tells it
        \(sources)
        """
}

private func sourceText(_ provider: ProviderKind) -> String {
    let lines = ["- provider: \(provider.rawValue)"] + sourceLines(provider).map { "  " + $0 }
    return lines.map { "      " + $0 + "\n" }.joined()
}

/// The keys of a source with examples; those that may be left out are commented out.
private func sourceLines(_ provider: ProviderKind) -> [String] {
    switch provider {
    case .files:
        [
            "path: data           # a folder, a file or an https address of snapshot files that your own job writes"
        ]
    case .metrickit: ["path: payloads       # a folder or a file of MetricKit payloads"]
    case .bugsnag:
        [
            "project: my-app      # the slug, name or id of the project",
            "# organization: acme # needed only when the token sees several", "releaseStage: production",
            "token: ${BUGSNAG_TOKEN}   # a personal auth token, in this environment variable",
        ]
    case .sentry, .glitchtip:
        [
            "organization: acme   # its slug", "project: my-app      # its slug",
            "# url: https://host   # of a server of your own",
            "token: ${\(provider.rawValue.uppercased())_TOKEN}   # an auth token, in this environment variable",
        ]
    case .bugsink:
        [
            "project: my-app      # its slug, name or id", "url: https://host    # of your server",
            "token: ${BUGSINK_TOKEN}   # in this environment variable",
        ]
    case .crashlytics:
        [
            "app: 1:1234567890:ios:0123abcd   # the Firebase app id",
            "accountFile: service-account.json   # the key file of a service account; never commit it",
        ]
    case .play:
        [
            "package: com.example.app", "measure: crashes     # or hangs, as a source of its own",
            "accountFile: service-account.json   # the key file of a service account; never commit it",
        ]
    case .ga4:
        [
            "property: 123456789  # the number of the property",
            "accountFile: service-account.json   # the key file of a service account; never commit it",
        ]
    case .socorro: ["product: Firefox"]
    case .appstoreconnect:
        [
            "app: 1234567890      # the Apple ID, or the bundle id",
            "issuer: 57246542-96fe-1a63-e053-0824d011072a   # of the team's keys",
            "keyId: 2X9R4HXF34",
            "keyFile: AuthKey_2X9R4HXF34.p8   # or key: ${APPSTORECONNECT_KEY}; never commit it",
            "# createReportRequest: true   # once, with an Admin key: asks Apple to make reports of the app",
        ]
    }
}
