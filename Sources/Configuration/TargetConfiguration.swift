import Analysis
package import AppHealth
package import Diagnostics
package import Settings

/// One place that the site is published to.
package struct TargetConfiguration: Sendable {
    /// What it is called and how it is reached.
    package var block: BlockConfiguration
    /// The most files that one publication removes, in percent of those that are there.
    package var mostRemoved: Int
    /// Whether everybody may read what is there, so that a site for the team does not belong there.
    package var isPublic: Bool

    /// Its name among the places.
    package var id: Slug { block.id }
    /// The keys that its kind takes.
    package var schema: BlockSchema { block.schema }
    /// The values of those keys.
    package var settings: SettingValues { block.settings }
    /// Whom it trusts over TLS and what it shows.
    package var trust: TrustConfiguration { block.trust }
    /// Where it is in the configuration.
    package var location: Location { block.location }
}

extension YAMLFile {
    /// The places that the site is published to, each with a name of its own.
    mutating func publish(
        _ value: YAMLValue?, _ schemas: [BlockSchema], _ trust: TrustConfiguration
    ) -> [TargetConfiguration] {
        var targets: [TargetConfiguration] = []
        for value in list(value) ?? [] {
            guard var target = target(value, schemas) else { continue }
            target.block.trust = target.trust.over(trust)
            if targets.contains(where: { $0.id == target.id }) {
                add(
                    "config.duplicate-target", "Duplicate publish target id '\(target.id)'", at: value,
                    hints: ["add an 'id' to one of them, or change it"])
            }
            targets.append(target)
        }
        return targets
    }

    private mutating func target(_ value: YAMLValue, _ schemas: [BlockSchema]) -> TargetConfiguration? {
        guard let (block, keys) = namedBlock(value, .target, schemas) else { return nil }
        return TargetConfiguration(
            block: block, mostRemoved: count(keys["mostRemoved"], in: 0...100) ?? 30,
            isPublic: choice(keys["audience"], of: Audience.Reader.self) == .public)
    }
}
