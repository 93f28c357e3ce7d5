package import AppHealth
package import Transport

/// What is needed to query BugSnag's Data Access API (version 2) about one project; never without a token.
package struct BugsnagConfiguration: Sendable {
    /// The service for most accounts.
    package static let usualBase = "https://api.bugsnag.com"
    /// The service for accounts on `app.bugsnag.smartbear.com`, whose API keys begin with `00000`.
    package static let newerBase = "https://api.bugsnag.smartbear.com"

    /// Where the API is; a path in it stays.
    package var base: Address
    /// The project's id, slug or name.
    package var project: String
    /// The organization's id, slug or name; nil looks in all that the token may see.
    package var organization: String?
    /// The release stage that is reported.
    package var releaseStage: String
    /// A personal auth token.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// The most requests of one fetch, besides retries; BugSnag admits 30 a minute for a token.
    package var mostRequests = 25
    /// For how many days that are over the users of the top issues are requested, one request each.
    package var userDays = 7
    /// The most pages of the list of errors.
    package var mostErrorPages = 4
    /// The most pages of the lists of organizations and projects, which end where the configured one is.
    package var mostProjectPages = 10
    /// The most pages of any other list.
    package var mostPages = 3
    /// How many requests are kept free for notes, where issues have any.
    package var notesReserve = 3
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address.
    package init(
        project: String, token: Secret, base: String = usualBase, organization: String? = nil,
        releaseStage: String = "production", id: Slug = Slug(anyText: "bugsnag")
    ) throws(AddressError) {
        self.base = try Address(base)
        self.project = project
        self.organization = organization
        self.releaseStage = releaseStage
        self.token = token
        self.id = id
    }
}
