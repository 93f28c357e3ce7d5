import AppHealth

extension ProviderDescriptor {
    /// GlitchTip, through the part of Sentry's web API that it serves.
    package static let glitchtip = ProviderDescriptor(
        SourceSchema(
            "glitchtip", title: "GlitchTip", summary: "The issues of a project of a GlitchTip server",
            keys: [
                .required("organization", example: "acme", "slug of the organization"),
                .required("project", example: "my-app", "slug, name or id of the project"),
                .optional(
                    "environment", example: "production", "the environment to report; without it, all"),
                .optional(
                    "url", else: GlitchtipConfiguration.usualBase, example: "https://host",
                    "URL of the server"),
                .required("token", .secret(.variable), example: "GLITCHTIP_TOKEN", "an auth token"),
            ]),
        capabilities: [.issues, .issueDays, .notes], permissions: sentryScopes,
        limitSource: "GlitchTip documents no number; Retry-After is heeded",
        delay: "The service states none."
    ) { setup in
        var configuration = try GlitchtipConfiguration(
            organization: setup.required("organization"), project: setup.required("project"),
            token: setup.token(), base: setup.required("url"), environment: setup.text("environment"),
            id: setup.id)
        configuration.limits = setup.limits
        return try GlitchtipProvider(configuration, sender: setup.sender)
    }
}
