package import Analysis
package import AppHealth
import Diagnostics
import Settings

/// One place that summaries are attached to.
package struct AttachmentConfiguration: Sendable {
    /// What it is called and how it is reached, as for a place that the site is published to.
    package var block: BlockConfiguration
    /// The app whose summaries are attached; nil for every app.
    package var app: Slug?
    /// Who reads what is there; nil when nothing is said of it.
    package var reader: Audience.Reader?
}

extension YAMLFile {
    /// The places that summaries are attached to, each with a name of its own.
    mutating func attach(
        _ value: YAMLValue?, _ schemas: [BlockSchema], _ trust: TrustConfiguration, apps: [Slug]
    ) -> [AttachmentConfiguration] {
        var places: [AttachmentConfiguration] = []
        for value in list(value) ?? [] {
            guard var place = attachment(value, schemas, apps) else { continue }
            place.block.trust = place.block.trust.over(trust)
            if places.contains(where: { $0.block.id == place.block.id }) {
                add(
                    "config.duplicate-target", "Duplicate attach target id '\(place.block.id)'", at: value,
                    hints: ["add an 'id' to one of them, or change it"])
            }
            places.append(place)
        }
        return places
    }

    private mutating func attachment(
        _ value: YAMLValue, _ schemas: [BlockSchema], _ apps: [Slug]
    ) -> AttachmentConfiguration? {
        guard let (block, keys) = namedBlock(value, .attachment, schemas) else { return nil }
        var app: Slug?
        if let text = text(keys["app"]) {
            app = apps.first { $0.text == text }
            if app == nil {
                add(
                    "config.unknown-app", "Attach target '\(block.id)' is for the unknown app '\(text)'",
                    at: keys["app"], hints: [nameHint(for: text, among: apps.map(\.text))])
            }
        }
        return AttachmentConfiguration(
            block: block, app: app,
            reader: keys["audience"].flatMap { choice($0, of: Audience.Reader.self) })
    }
}
