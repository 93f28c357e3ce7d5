package import AppHealth
package import Transport

/// What is needed to ask Sentry, the service or a server of one's own, about one project; never without a token.
package struct SentryConfiguration: Sendable {
    /// The service for most accounts; an account in the European Union has `https://de.sentry.io`.
    package static let usualBase = "https://sentry.io"

    /// Where the API answers: `https://host/api/0`.
    package var base: Address
    /// The organization's slug or id.
    package var organization: String
    /// The project's slug, id or name.
    package var project: String
    /// The environment that is reported; nil for all together.
    package var environment: String?
    /// An auth token with the scopes `org:read`, `project:read` and `event:read`.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days of health are asked for, 1…90.
    package var days = 30
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 100
    /// The most requests for the health of releases, of those.
    package var mostSessionRequests = 50
    /// The most points of one answer about sessions; some servers of one's own admit only half.
    package var mostPoints = SessionPlan.mostPoints
    /// The most pages of the list of projects.
    package var mostProjectPages = 10
    /// The most pages of any other list, of 100 elements each.
    package var mostPages = 3
    /// How many issues are looked at one by one, for their notes, versions and place.
    package var mostDetailedIssues = 10
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address. `/api/0` may stand in the base or not.
    package init(
        organization: String, project: String, token: Secret, base: String = usualBase,
        environment: String? = "production", id: Slug = Slug(anyText: "sentry")
    ) throws(AddressError) {
        self.base = try Address(base).sentryAPIRoot()
        self.organization = organization
        self.project = project
        self.environment = environment
        self.token = token
        self.id = id
    }
}
