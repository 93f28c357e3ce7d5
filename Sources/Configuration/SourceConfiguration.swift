package import AppHealth
package import Diagnostics
package import Settings

/// One source of one app.
package struct SourceConfiguration: Sendable {
    /// The name of the source within its app.
    package var id: Slug
    /// The keys that its provider takes.
    package var schema: BlockSchema
    /// The values of those keys.
    package var settings: SettingValues
    /// Whom it trusts over TLS and what it shows; what the whole configuration says is in it.
    package var trust = TrustConfiguration()
    /// The last day of which its data are used, of a source that was replaced or whose service is gone.
    package var until: CivilDate?
    /// Where it is in the configuration.
    package var location: Location

    /// The provider's name.
    package var provider: String { schema.name }
    /// The age in hours from which its newest figures are stale, as its key `maxAge` says; nil where it says nothing.
    package var maxAgeHours: Int? { settings.text("maxAge").flatMap { Int($0) } }
    /// The source as far as the configuration knows it.
    package var source: Source {
        Source(
            id: id, provider: provider, sessionDefinition: "", userDefinition: "", zone: "UTC", delay: "",
            capabilities: [], maxAgeHours: maxAgeHours, until: until)
    }
}

extension YAMLFile {
    /// One source; the keys that it may have are those of its provider.
    mutating func source(_ value: YAMLValue, _ schemas: [BlockSchema]) -> SourceConfiguration? {
        guard let (schema, keys) = block(value, .source, schemas) else { return nil }
        guard let settings = settings(of: schema, .source, keys, value) else { return nil }
        let id = text(keys["id"]) ?? schema.name
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "Invalid id '\(id)'", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        return SourceConfiguration(
            id: slug, schema: schema, settings: settings, trust: trust(keys), until: date(keys["until"]),
            location: location(of: value))
    }
}
