import AppHealth
import Transport

extension ProviderDescriptor {
    /// BugSnag (Insight Hub) through its Data Access API.
    package static let bugsnag = ProviderDescriptor(
        SourceSchema(
            "bugsnag", title: "BugSnag", summary: "A project of BugSnag (Insight Hub)",
            keys: [
                .required("project", example: "my-app", "slug, name or id of the project"),
                .optional(
                    "organization", example: "acme", "slug, name or id; needed when the token sees several"),
                .optional("releaseStage", else: "production", "the release stage to report"),
                .optional("url", else: BugsnagConfiguration.usualBase, "URL of the API"),
                .required(
                    "token", .secret(.variable), example: "BUGSNAG_TOKEN", "a personal auth token"),
            ]),
        capabilities: [.sessions, .users, .releases, .issues, .issueDays, .notes],
        permissions: ["a personal auth token of a user who may see the project"],
        limit: RateLimit(30, perSeconds: 60),
        limitSource: "BugSnag, Data Access API, rate limiting: for a token, told as X-RateLimit-Limit",
        delay: "The service states none; the current day is still filling."
    ) { setup in
        var configuration = try BugsnagConfiguration(
            project: setup.required("project"), token: setup.token(), base: setup.required("url"),
            organization: setup.text("organization"), releaseStage: setup.required("releaseStage"),
            id: setup.id)
        configuration.limits = setup.limits
        return try BugsnagProvider(configuration, sender: setup.sender)
    }
}
