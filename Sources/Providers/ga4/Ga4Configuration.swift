package import AppHealth
package import Tokens
package import Transport

/// What is needed to ask the Google Analytics Data API (v1beta) about one property; never without an account.
package struct Ga4Configuration: Sendable {
    /// The service.
    package static let usualBase = "https://analyticsdata.googleapis.com"

    /// Where the API answers; a path in it stays.
    package var base: Address
    /// The property's number.
    package let property: String
    /// The id of the one data stream that is reported; nil reports all of the property together.
    package var stream: String?
    /// The service account that asks.
    package var account: ServiceAccountKey
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days are asked for, 1…365.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 10
    /// How many rows one answer may have; the service admits 250,000.
    package var rowsOfPage = 10_000
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        property: String, account: ServiceAccountKey, stream: String? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "ga4")
    ) throws(GoogleConfigurationError) {
        guard let number = wholeNumber(property), number > 0 else { throw .property(property) }
        self.base = try googleBase(base)
        self.property = property
        self.stream = stream
        self.account = account
        self.id = id
    }
}
