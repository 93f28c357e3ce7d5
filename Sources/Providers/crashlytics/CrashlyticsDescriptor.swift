import AppHealth

extension ProviderDescriptor {
    /// Firebase Crashlytics through its REST interface.
    package static let crashlytics = ProviderDescriptor(
        SourceSchema(
            "crashlytics", title: "Firebase Crashlytics", summary: "An app of Firebase Crashlytics",
            keys: [
                .required("app", example: "1:1234567890:ios:0123abcd", "the Firebase app id"),
                .optional("project", example: "my-project", "id or number of the Google project"),
                .optional("url", else: CrashlyticsConfiguration.usualBase, "URL of the API"),
                .googleAccount,
            ]),
        capabilities: [.sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .notes],
        permissions: CrashlyticsProvider.service.permissions,
        limitSource: "Firebase Crashlytics API, v1alpha: no number is documented",
        delay: "The service states none; only days that are over are asked for."
    ) { setup in
        var configuration = try CrashlyticsConfiguration(
            appID: setup.required("app"), account: setup.googleAccount(), project: setup.text("project"),
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        return CrashlyticsProvider(configuration, sender: setup.sender, tokens: setup.shared.tokens)
    }
}
