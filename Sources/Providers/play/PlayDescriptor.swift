import AppHealth
import Transport

extension ProviderDescriptor {
    /// Android vitals through the Google Play Developer Reporting API.
    package static let play = ProviderDescriptor(
        SourceSchema(
            "play", title: "Google Play", summary: "The Android vitals of a package in Google Play",
            keys: [
                .required("package", example: "com.example.app", "the package name"),
                .optional(
                    "measure", .choice(PlayMeasure.allCases.map(\.rawValue)),
                    else: PlayMeasure.crashes.rawValue, "crashes, or hangs as a source of its own"),
                .optional("url", else: PlayConfiguration.usualBase, "URL of the API"), .googleAccount,
            ]),
        capabilities: [.users, .releaseHealth, .releases, .issues, .issueDays, .notes],
        permissions: PlayProvider.service.permissions, limit: RateLimit(10, perSeconds: 1),
        limitSource:
            "Google Play Developer Reporting API, usual quota: 10 queries a second for a project",
        delay: "One to two days; only days that the service calls complete are asked for."
    ) { setup in
        var configuration = try PlayConfiguration(
            package: setup.required("package"), account: setup.googleAccount(),
            measure: setup.text("measure").flatMap(PlayMeasure.init) ?? .crashes,
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        return PlayProvider(configuration, sender: setup.sender, tokens: setup.shared.tokens)
    }
}
