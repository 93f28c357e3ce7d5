import Analysis
package import AppHealth
package import Diagnostics
package import Settings

/// One place that the site is published to.
package struct TargetConfiguration: Sendable {
    /// Its name among the places.
    package var id: Slug
    /// The keys that its kind takes.
    package var schema: BlockSchema
    /// The values of those keys.
    package var settings: SettingValues
    /// Whom it trusts over TLS and what it shows; what the whole configuration says is in it.
    package var trust = TrustConfiguration()
    /// The most files that one publication removes, in percent of those that are there.
    package var mostRemoved: Int
    /// Whether everybody may read what is there, so that a site for the team does not belong there.
    package var isPublic: Bool
    /// Where it is in the configuration.
    package var location: Location
}

extension YAMLFile {
    /// The places that the site is published to, each with a name of its own.
    mutating func publish(
        _ value: YAMLValue?, _ schemas: [BlockSchema], _ trust: TrustConfiguration
    ) -> [TargetConfiguration] {
        var targets: [TargetConfiguration] = []
        for value in list(value) ?? [] {
            guard var target = target(value, schemas) else { continue }
            target.trust = target.trust.over(trust)
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
        guard let (schema, keys) = block(value, .target, schemas),
            let settings = settings(of: schema, .target, keys, value)
        else { return nil }
        let id = text(keys["id"]) ?? schema.name
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "Invalid id '\(id)'", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        return TargetConfiguration(
            id: slug, schema: schema, settings: settings, trust: trust(keys),
            mostRemoved: count(keys["mostRemoved"], in: 0...100) ?? 30,
            isPublic: choice(keys["audience"], of: Audience.Reader.self) == .public,
            location: location(of: value))
    }
}
