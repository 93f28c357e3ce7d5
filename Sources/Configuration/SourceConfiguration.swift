package import AppHealth
package import Diagnostics
package import Settings

/// One source of one app.
package struct SourceConfiguration: Sendable {
    /// What it is called and how it is reached.
    package var block: BlockConfiguration
    /// The last day of which its data are used, of a source that was replaced or whose service is gone.
    package var until: CivilDate?
    /// What the data that it reads was called before, where that has another name since.
    package var formerly: String?

    /// The name of the source within its app.
    package var id: Slug { block.id }
    /// The keys that its provider takes.
    package var schema: BlockSchema { block.schema }
    /// The values of those keys.
    package var settings: SettingValues { block.settings }
    /// Whom it trusts over TLS and what it shows; what the whole configuration says is in it.
    package var trust: TrustConfiguration { block.trust }
    /// Where it is in the configuration.
    package var location: Location { block.location }
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
        namedBlock(value, .source, schemas).map { block, keys in
            SourceConfiguration(
                block: block, until: date(keys["until"]), formerly: text(keys["formerly"]))
        }
    }
}
