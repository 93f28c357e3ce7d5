package import AppHealth
package import Transport

/// What is needed to ask a Socorro server's SuperSearch about one product. Its counts are public: a token is
/// not needed, it only admits more requests.
package struct SocorroConfiguration: Sendable {
    /// Mozilla's own server.
    package static let usualBase = "https://crash-stats.mozilla.org"

    /// Where the server answers; a path in it stays.
    package var base: Address
    /// The product as the server names it, such as `Fenix`.
    package var product: String
    /// A token for more than 100 requests a minute; nil asks as anybody.
    package var token: Secret?
    /// The name of the source within its app.
    package var id: Slug
    /// How many signatures become issues, those with most crash reports first.
    package var mostIssues = 200
    /// How many signatures of one day the server is asked for; it gives at most 10,000.
    package var facetSize = 1000
    /// How many days are asked for, the current one included.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 10
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address.
    package init(
        product: String, token: Secret? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "socorro")
    ) throws(AddressError) {
        self.base = try Address(base)
        self.product = product
        self.token = token
        self.id = id
    }
}
