import AppHealth
import Attaching
import Configuration
import Providers
import Publishing
import Settings

/// The page of the configuration with its tables made again from the schema; the text around them stays.
func configurationReference(_ page: String) -> String {
    let tables =
        keyTables.map { ("## " + $0.title, $0.markdown) } + [("### Keys of a provider", providerKeys)]
    return tables.reduce(page) { withTable($1.1, below: $1.0, in: $0) }
}

/// The page of publishing with the keys of each kind of target made again; the text around them stays.
func publishingReference(_ page: String) -> String {
    standardTargets.reduce(page) { withTable(keyTable(of: $1.schema), below: targetHeading($1), in: $0) }
}

/// The heading of a kind of target in the manual.
func targetHeading(_ target: TargetDescriptor) -> String {
    "## \(target.schema.title): `to: \(target.name)`"
}

/// The page of attaching with the keys of each kind of target made again; the text around them stays.
func attachingReference(_ page: String) -> String {
    standardAttachTargets.reduce(page) {
        withTable(keyTable(of: $1.schema), below: attachHeading($1), in: $0)
    }
}

/// The heading of a kind of attach target in the manual.
func attachHeading(_ target: AttachDescriptor) -> String {
    "## \(target.schema.title): `to: \(target.name)`"
}

/// The keys of each provider, with a link to its page.
private var providerKeys: String {
    let lines = standardProviders.map { provider in
        let keys = provider.schema.keys.map { key in
            let names = key.names.map { "`\($0)`" }
            return names[0] + (key.isRequired ? "\\*" : "") + names.dropFirst().map { " or " + $0 }.joined()
        }
        return "| [`\(provider.name)`](providers/\(provider.name).md) | \(keys.joined(separator: ", ")) |"
    }
    return (["| provider | keys |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
}

/// The page with another table as the first one below a heading; without a table there, the page as it is.
private func withTable(_ table: String, below heading: String, in page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == heading }) else { return page }
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("#") } ?? lines.endIndex
    guard let first = lines[start..<end].firstIndex(where: { $0.hasPrefix("|") }) else { return page }
    let last = lines[first..<end].firstIndex { !$0.hasPrefix("|") } ?? end
    return (lines[..<first] + table.split(separator: "\n") + lines[last...]).joined(separator: "\n")
}
