import ArgumentParser
import Configuration
import Providers

/// The JSON Schema of the configuration.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of plimsoll.yml.",
        discussion: """
            Editors complete and check plimsoll.yml with it: save it as plimsoll.schema.json and begin the file with \
            '# yaml-language-server: $schema=plimsoll.schema.json'.
            """)

    @Flag(help: "Print the reference of the providers as Markdown instead.")
    var markdown = false

    func run() {
        let providers = ProviderList.all
        Console().document(
            markdown
                ? providerReference(providers) : configurationSchema(sources: providers.map(\.schema)))
    }
}
