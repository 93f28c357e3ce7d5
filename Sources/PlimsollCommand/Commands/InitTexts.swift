import AppHealth
import Providers

/// The words that `init` writes for the entry page.
let firstPageText = """
    These pages show how stable our apps are and how much they are used.
    Edit `Content/index.md` to change these words; more Markdown files in `Content/` become pages.

    """

/// A commented configuration for some providers.
func configurationText(_ providers: [SourceSchema]) -> String {
    var seen: Set<String> = []
    let sources = providers.filter { seen.insert($0.provider).inserted }.map(sourceText).joined()
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

/// The keys of a source with examples; those that may be left out are commented out.
private func sourceText(_ schema: SourceSchema) -> String {
    let lines = ["- provider: \(schema.provider)"] + schema.keys.map { "  " + line($0) }
    return lines.map { "      " + $0 + "\n" }.joined()
}

private func line(_ key: SourceKey) -> String {
    let text = key.isRequired ? key.exampleLine : "# \(key.exampleLine)"
    let gap = String(repeating: " ", count: max(1, 30 - text.count))
    return "\(text)\(gap)# \(key.help)"
}
