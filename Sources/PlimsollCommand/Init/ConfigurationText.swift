import Attaching
import Diagnostics
import Publishing
import Settings

/// A commented configuration for some providers, publish targets and attach targets.
func configurationText(
    _ providers: [BlockSchema], targets: [BlockSchema] = [], attachments: [BlockSchema] = []
) -> String {
    let sources = providers.uniqued(by: \.name).map { blockText("provider", $0, indent: "      ") }.joined()
    let places = targets.uniqued(by: \.name).map { blockText("to", $0, indent: "  ") }.joined()
    let publish = places.isEmpty ? publishExample : publishHeading + places
    let readers = attachments.uniqued(by: \.name).map { blockText("to", $0, indent: "  ") }.joined()
    let attach = readers.isEmpty ? attachExample : attachHeading + readers
    return """
        # Configuration of plimsoll. Paths are relative to this file.
        version: 1                   # of this file's format
        title: App stability
        # url: https://host/path/    # the site's URL, for links in feeds and release notes
        output: site                 # site folder; every build replaces it
        archive: archive.sqlite      # all data ever fetched; keep it
        content: Content             # your own pages, in Markdown
        theme: default               # or a folder in Themes/
        # indexing: true             # allow search engines
        # audience: public           # hide notes, names, code locations, issue titles and counts
        # markdown: commonmark       # or plain, slack: dialect of the Markdown versions (default: github)
        timeout: 60                  # seconds for one request
        timeBudget: 900              # seconds for all requests of a fetch
        # retries: {attempts: 10, seconds: 300, longestWait: 30}   # per request; seconds
        targets:                     # crash-free rates in percent; apps may have their own
          target: 99.5
          critical: 98
        \(alertsExample)

        apps:
          - id: my-app               # part of URLs: lowercase letters, digits, '.', '_' and '-'
            name: My App
            platform: ios
            sources:                 # for each kind of data, the first source that provides it is used
        \(sources)
        \(publish)
        \(attach)
        """
}

private let publishHeading = """
    publish:                       # where 'plimsoll publish' and 'plimsoll run' send the site

    """

/// The commented example of `publish` that `init` writes when no target is named.
private let publishExample = """
    # publish:                     # where 'plimsoll publish' and 'plimsoll run' send the site
    #   - to: folder               # or: \(standardTargets.dropFirst().map(\.name).joined(separator: ", "))
    #     path: /srv/www/stability

    """

private let attachHeading = """
    attach:                        # where 'plimsoll attach' and 'plimsoll run' send summaries

    """

/// The commented example of `attach` that `init` writes when no target is named.
private let attachExample = """
    # attach:                      # where 'plimsoll attach' and 'plimsoll run' send summaries
    #   - to: github-release       # or: \(someAttachNames), and others
    #     repository: example/sketchbook
    #     token: ${GITHUB_TOKEN}

    """

private let someAttachNames = "gitlab-release, forgejo-release, github-comment, slack, mail"

/// The keys of a block with examples; optional ones are commented out.
private func blockText(_ key: String, _ schema: BlockSchema, indent: String) -> String {
    let lines = ["- \(key): \(schema.name)"] + schema.keys.map { "  " + line($0) }
    return lines.map { indent + $0 + "\n" }.joined()
}

private func line(_ key: SettingKey) -> String {
    let text = key.isRequired ? key.exampleLine : "# \(key.exampleLine)"
    let gap = String(repeating: " ", count: max(1, 30 - text.count))
    return "\(text)\(gap)# \(key.help)"
}

/// The commented example of `alerts` that `init` writes into the configuration.
let alertsExample = """
    # alerts:                      # which activity to show; apps may have their own
    #   show: everything           # or alerts: only what needs attention
    #   newNote: false             # turn off a kind
    #   newIssue: { limit: 5 }     # at most this many a day; the rest are counted
    #   velocity: { leastShare: 2, leastUsers: 50 }   # percent of sessions; users a day
    #   stability: { leastPoints: 1 }                 # pp
    """
