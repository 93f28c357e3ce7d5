package import Transport

/// What a service documents about being asked: how often, and what the asker must be allowed.
package struct ServiceTerms: Hashable, Sendable {
    /// Where the API answers.
    package var origin: Origin
    /// How many requests it admits in which time; nil when it documents no number.
    package var limit: RateLimit?
    /// Where the limit is documented, or why there is no number.
    package var limitSource: String
    /// The scopes, rights or roles that the credential needs, by the names the service gives them.
    package var rights: [String]
    /// The most requests of one fetch, retries included.
    package var mostRequests: Int
}
