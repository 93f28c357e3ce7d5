import AppHealth
import Transport

extension ProviderDescriptor {
    /// App Store Connect: analytics reports and builds.
    package static let appstoreconnect = ProviderDescriptor(
        SourceSchema(
            "appstoreconnect", title: "App Store Connect",
            summary: "The analytics reports and builds of an app in App Store Connect",
            keys: [
                .required("app", example: "1234567890", "the Apple ID, or the bundle id"),
                .required(
                    "issuer", .textOrVariable, example: "57246542-96fe-1a63-e053-0824d011072a",
                    "issuer id of the team's keys"),
                .required("keyId", .textOrVariable, example: "2X9R4HXF34", "id of the key"),
                .required(
                    "key", .secret(.file), example: "AuthKey_2X9R4HXF34.p8",
                    "the private key; never commit it"),
                .optional(
                    "createReportRequest", .flag, else: "false", example: "true",
                    "once, with an Admin key: asks Apple to make reports of the app"),
                .optional("url", else: AppStoreConnectConfiguration.usualBase, "URL of the API"),
            ]),
        capabilities: [.usage, .releases, .issues, .issueDays], permissions: ["Sales and Reports"],
        limit: RateLimit(3600, perSeconds: 3600),
        limitSource: "App Store Connect API, rate limits: for a key and an hour, told as X-Rate-Limit",
        delay: """
            The first report comes one to two days after the report request; a day is complete after two to five \
            days, until then it may still grow.
            """
    ) { setup in
        var configuration = try AppStoreConnectConfiguration(
            app: setup.required("app"), issuer: setup.required("issuer"), keyID: setup.required("keyId"),
            key: setup.requiredSecret("key").text, base: setup.required("url"), id: setup.id)
        configuration.createsReportRequest = setup.flag("createReportRequest")
        configuration.limits = setup.limits
        return AppStoreConnectProvider(configuration, sender: setup.sender, kept: setup.kept)
    }
}
