package import AppHealth
package import Transport

/// What a provider says of itself: everything that `init`, `doctor`, `fetch --plan`, the configuration, its schema
/// and the manual need to know of it before a source is made.
package struct ProviderDescriptor: Sendable {
    /// Its name and the keys of a source.
    package var schema: SourceSchema
    /// What it is able to know.
    package var capabilities: Set<Capability>
    /// The scopes, permissions or roles that the credential needs, by the names the service gives them.
    package var permissions: [String]
    /// How many requests the service admits in which time; nil when it documents no number.
    package var limit: RateLimit?
    /// Where the limit is documented, or why there is no number.
    package var limitSource: String
    /// How late its days are, in words.
    package var delay: String
    /// Makes the provider of one source. What it throws is a `DiagnosticConvertible`.
    package var make: @Sendable (SourceSetup) throws -> any Provider

    /// Describes a provider.
    package init(
        _ schema: SourceSchema, capabilities: Set<Capability>, permissions: [String] = [],
        limit: RateLimit? = nil, limitSource: String, delay: String,
        make: @escaping @Sendable (SourceSetup) throws -> any Provider
    ) {
        self.schema = schema
        self.capabilities = capabilities
        self.permissions = permissions
        self.limit = limit
        self.limitSource = limitSource
        self.delay = delay
        self.make = make
    }

    /// The provider's name, as the configuration writes it.
    package var name: String { schema.provider }
}

/// The providers, in the order of the configuration's documentation. A new one is a folder and a line here.
package let standardProviders: [ProviderDescriptor] = [
    .files, .metrickit, .bugsnag, .sentry, .glitchtip, .bugsink, .crashlytics, .play, .ga4, .socorro,
    .appstoreconnect,
]
