import AppHealth
import Settings
import Transport

/// The providers as a Markdown table: what each is, what it can know, and what it needs.
package func providerTable(_ providers: [ProviderDescriptor] = standardProviders) -> String {
    var lines = ["| provider | what it is | provides | needs | limit |", "|---|---|---|---|---|"]
    for provider in providers {
        let cells = [
            "`\(provider.name)`", provider.schema.summary, provides(provider),
            provider.permissions.isEmpty ? "–" : provider.permissions.joined(separator: ", "),
            provider.limit?.description ?? "–",
        ]
        lines.append("| " + cells.map(cell).joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
}

/// The reference of every provider in Markdown: the table of all, then for each its keys with an example, its
/// permissions, its limit and how late its days are.
package func providerReference(_ providers: [ProviderDescriptor] = standardProviders) -> String {
    ([providerTable(providers)] + providers.map(section)).joined(separator: "\n")
}

private func section(_ provider: ProviderDescriptor) -> String {
    var lines = ["## \(provider.schema.title)", "", provider.schema.summary + ".", ""]
    lines += ["```yaml", "- provider: \(provider.name)"]
    lines += provider.schema.keys.filter(\.isRequired).map { "  " + $0.exampleLine }
    lines += ["```", "", "| key | meaning | default |", "|---|---|---|"]
    for key in provider.schema.keys {
        let names = key.names.map { "`\($0)`" }.joined(separator: " or ")
        let standard = key.standard.map { "`\($0)`" } ?? (key.isRequired ? "required" : "–")
        lines.append("| " + [names, key.help, standard].map(cell).joined(separator: " | ") + " |")
    }
    lines += [
        "", "- Provides: \(provides(provider)).", "- Days: \(provider.delay)",
        "- Limit: \(limit(provider)).",
    ]
    if !provider.permissions.isEmpty {
        lines.append("- Permissions: \(provider.permissions.joined(separator: ", ")).")
    }
    return lines.joined(separator: "\n") + "\n"
}

private func limit(_ provider: ProviderDescriptor) -> String {
    provider.limit.map { "\($0) (\(provider.limitSource))" } ?? provider.limitSource
}

private func provides(_ provider: ProviderDescriptor) -> String {
    Capability.allCases.filter(provider.capabilities.contains).map(\.words).joined(separator: ", ")
}

private func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
}

extension Capability {
    /// What it is called in a list.
    fileprivate var words: String {
        switch self {
        case .sessions: "sessions"
        case .users: "users"
        case .releaseHealth: "days by release"
        case .releases: "releases"
        case .issues: "issues"
        case .issueDays: "issues by day"
        case .hours: "hours"
        case .usage: "usage"
        case .notes: "notes"
        }
    }
}
