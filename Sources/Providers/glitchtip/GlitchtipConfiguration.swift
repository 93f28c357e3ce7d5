package import AppHealth
package import Transport

/// What is needed to ask a GlitchTip server about one project; never without a token.
package struct GlitchtipConfiguration: Sendable {
    /// The service of its makers; most servers are a team's own.
    package static let usualBase = "https://app.glitchtip.com"

    /// Where the API answers: `https://host/api/0`.
    package var base: Address
    /// The organization's slug.
    package var organization: String
    /// The project's slug, id or name.
    package var project: String
    /// The environment that is reported; nil for all together.
    package var environment: String?
    /// An auth token with the scopes `org:read`, `project:read` and `event:read`.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 60
    /// The most pages of the list of projects.
    package var mostProjectPages = 10
    /// The most pages of the list of issues, of 100 elements each.
    package var mostPages = 3
    /// How many issues are looked at one by one for their place.
    package var mostDetailedIssues = 10
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address. `/api/0` may stand in the base or not.
    package init(
        organization: String, project: String, token: Secret, base: String = usualBase,
        environment: String? = nil, id: Slug = Slug(anyText: "glitchtip")
    ) throws(AddressError) {
        self.base = try Address(base).sentryAPIRoot()
        self.organization = organization
        self.project = project
        self.environment = environment
        self.token = token
        self.id = id
    }
}
