package import Diagnostics
package import Settings
package import Transport

/// Makes something from the values of a target.
package typealias PlaceMaker<Made> = @Sendable (TargetSetup) throws(Diagnostic) -> Made

/// What a kind of place says of itself, whether sites are published to it or summaries attached: everything that the
/// configuration, its schema, `init` and the manual need to know of it before one is made.
package protocol PlaceDescriptor: Sendable {
    /// What is made from it.
    associatedtype Made

    /// Its name and its keys.
    var schema: BlockSchema { get }
    /// What it needs to be allowed, in words.
    var needs: String { get }
    /// Makes one.
    var make: PlaceMaker<Made> { get }
}

extension PlaceDescriptor {
    /// Its name, as the configuration writes it.
    package var name: String { schema.name }
}

/// What a kind of publish target says of itself.
package struct TargetDescriptor: PlaceDescriptor {
    /// Its name and its keys.
    package var schema: BlockSchema
    /// What it needs to be allowed, in words.
    package var needs: String
    /// Makes a target.
    package var make: PlaceMaker<any Target>

    /// Describes a target.
    package init(
        _ schema: BlockSchema, needs: String,
        make: @escaping PlaceMaker<any Target>
    ) {
        self.schema = schema
        self.needs = needs
        self.make = make
    }
}

/// The targets, in the order of the manual. A new one is a folder and a line here.
package let standardTargets: [TargetDescriptor] = [.folder, .rsync, .sftp, .s3, .git, .command]

/// Everything that a target is made from: its values, with secrets and paths resolved, and what it sends with.
package struct TargetSetup: Sendable {
    /// A value that is ready for use.
    package enum Value: Sendable {
        case text(String)
        case flag(Bool)
        case secret(Secret)
    }

    /// The name of the target.
    package var id: String
    /// The values by key.
    package var values: [String: Value]
    /// The folder of the configuration.
    package var folder: String
    /// What sets the project apart from others that send to the same place, such as the address of its site.
    package var project = ""
    /// The environment of the program, where services' own tools look for credentials.
    package var environment: [String: String]
    /// What sends requests to an origin, each once.
    package var sender: @Sendable (Origin) -> any Sender
    /// Milliseconds that one request may take, besides what its body needs.
    package var timeoutMilliseconds = 60_000
    /// How often and how long a request is tried.
    package var retries: RetryPolicy
    /// Clocks, chance and sleep.
    package var pacing: Pacing
    /// A PEM file of certificate authorities in the place of the system's, for what is not sent by `sender`; nil for the
    /// system's.
    package var authority: String?
    /// What is shown to a server that asks for a certificate, likewise; nil for none.
    package var certificate: ClientCertificate?

    /// Makes a setup.
    package init(
        id: String, values: [String: Value], folder: String, environment: [String: String],
        retries: RetryPolicy = RetryPolicy(), pacing: Pacing = .system,
        sender: @escaping @Sendable (Origin) -> any Sender
    ) {
        self.id = id
        self.values = values
        self.folder = folder
        self.environment = environment
        self.retries = retries
        self.pacing = pacing
        self.sender = sender
    }

    /// The text of a key; nil when there is none.
    package func text(_ key: String) -> String? {
        if case .text(let text)? = values[key] { text } else { nil }
    }

    /// The text of a key that a target must have.
    package func required(_ key: String) throws(Diagnostic) -> String {
        if let text = text(key) { return text }
        throw .usage("config.missing-key", "Target has no '\(key)'", hints: ["add '\(key)'"])
    }

    /// The whole number of a key, or what holds without one.
    package func number(_ key: String, else standard: Int) -> Int {
        text(key).flatMap { Int($0) } ?? standard
    }

    /// Whether the key is `true`.
    package func flag(_ key: String) -> Bool {
        if case .flag(true)? = values[key] { true } else { false }
    }

    /// The secret of a key; nil when there is none.
    package func secret(_ key: String) -> Secret? {
        if case .secret(let secret)? = values[key] { secret } else { nil }
    }
}
