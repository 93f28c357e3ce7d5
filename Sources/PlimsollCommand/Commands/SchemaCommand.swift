import ArgumentParser
import Attaching
import Configuration
import Providers
import Publishing
import Settings

/// The JSON Schema of the configuration.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of plimsoll.yml.",
        discussion: """
            Editors complete and check plimsoll.yml with it: save it as plimsoll.schema.json and begin the file with \
            '# yaml-language-server: $schema=plimsoll.schema.json'.
            """)

    @Flag(help: "Print all keys as Markdown instead.")
    var markdown = false

    /// The keys of the file, then those of each provider.
    private func reference(_ providers: [ProviderDescriptor]) -> String {
        let tables = keyTables.map { "## \($0.title)\n\n\($0.markdown)" }
        let places = [
            placeReference("Publish to", standardTargets),
            placeReference("Attach to", standardAttachTargets),
        ]
        return (tables + [providerReference(providers)] + places).joined(separator: "\n")
    }

    func run() {
        let providers = ProviderList.all
        Console().document(
            markdown
                ? reference(providers)
                : configurationSchema(
                    sources: providers.map(\.schema), targets: standardTargets.map(\.schema),
                    attachments: standardAttachTargets.map(\.schema)))
    }
}
