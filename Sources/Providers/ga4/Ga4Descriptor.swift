import AppHealth

extension ProviderDescriptor {
    /// Google Analytics 4 through its Data API.
    package static let ga4 = ProviderDescriptor(
        SourceSchema(
            "ga4", title: "Google Analytics 4", summary: "The usage of a property of Google Analytics 4",
            keys: [
                .required("property", example: "123456789", "the number of the property"),
                .optional("stream", example: "987654321", "the data stream to report; without it, all"),
                .optional("url", else: Ga4Configuration.usualBase, "URL of the API"), .googleAccount,
            ]),
        capabilities: [.usage], permissions: Ga4Provider.service.permissions,
        limitSource:
            "Google Analytics Data API, quotas: counts tokens (40,000 an hour for a property), not requests",
        delay: "24 to 48 hours; only days that are over are asked for, the last two may still grow."
    ) { setup in
        var configuration = try Ga4Configuration(
            property: setup.required("property"), account: setup.googleAccount(),
            stream: setup.text("stream"),
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        return Ga4Provider(configuration, sender: setup.sender, tokens: setup.shared.tokens)
    }
}
