import AppHealth

extension ProviderDescriptor {
    /// Sentry, the service or a server of one's own.
    package static let sentry = ProviderDescriptor(
        SourceSchema(
            "sentry", title: "Sentry", summary: "A project of Sentry, hosted or self-hosted",
            keys: [
                .required("organization", example: "acme", "slug or id of the organization"),
                .required("project", example: "my-app", "slug, name or id of the project"),
                .optional("environment", else: "production", "the environment to report"),
                .optional(
                    "url", else: SentryConfiguration.usualBase,
                    "URL of the server; https://de.sentry.io for accounts in the EU"),
                .required("token", .secret(.variable), example: "SENTRY_TOKEN", "an auth token"),
            ]),
        capabilities: [
            .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage, .notes,
        ],
        permissions: sentryScopes,
        limitSource:
            "docs.sentry.io/api/ratelimits: no number; X-Sentry-Rate-Limit-Remaining and -Reset are heeded",
        delay: "The service states none; days that are over may still gain late sessions."
    ) { setup in
        var configuration = try SentryConfiguration(
            organization: setup.required("organization"), project: setup.required("project"),
            token: setup.token(), base: setup.required("url"), environment: setup.required("environment"),
            id: setup.id)
        configuration.limits = setup.limits
        return try SentryProvider(configuration, sender: setup.sender)
    }
}
