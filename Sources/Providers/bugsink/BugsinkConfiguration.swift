package import AppHealth
package import Transport

/// What is needed to ask a Bugsink server's canonical API about one project; never without a token.
package struct BugsinkConfiguration: Sendable {
    /// Where the server answers; a path in it stays.
    package var base: Address
    /// The project's id, slug or name.
    package var project: String
    /// An auth token, which every version of the server accepts for reading all projects.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// The most requests of one fetch, besides retries; the server has no limit of its own.
    package var mostRequests = 200
    /// The most pages of a list; a page holds 250 elements.
    package var mostPages = 4
    /// How many issues are asked for their days, an event, users and notes.
    package var mostIssues = 30
    /// How many days are asked for, the current one included; the server keeps 90.
    package var days = 28
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address. There is no usual base: who runs Bugsink runs
    /// it themselves.
    package init(
        project: String, token: Secret, base: String, id: Slug = Slug(anyText: "bugsink")
    ) throws(AddressError) {
        self.base = try Address(base)
        self.project = project
        self.token = token
        self.id = id
    }
}
