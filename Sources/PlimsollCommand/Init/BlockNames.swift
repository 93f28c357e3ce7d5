import ArgumentParser
import Attaching
import Providers
import Publishing
import Settings

/// The name of a provider on the command line.
struct ProviderName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = ProviderList.all.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { ProviderList.all.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}

/// The name of a kind of publish target on the command line.
struct TargetName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = standardTargets.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { standardTargets.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}

/// The name of a kind of attach target on the command line.
struct AttachName: ExpressibleByArgument {
    let schema: BlockSchema

    init?(argument: String) {
        guard let found = standardAttachTargets.first(where: { $0.name == argument }) else { return nil }
        schema = found.schema
    }

    static var allValueStrings: [String] { standardAttachTargets.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { schema.name }
}
