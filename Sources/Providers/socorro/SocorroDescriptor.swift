import AppHealth
import Diagnostics
import Transport

extension ProviderDescriptor {
    /// Mozilla's crash-stats (Socorro) through SuperSearch.
    package static let socorro = ProviderDescriptor(
        SourceSchema(
            "socorro", title: "Socorro",
            summary: "The crash reports of a product in Mozilla's crash-stats",
            keys: [
                .required("product", example: "Firefox", "the product, as the server names it"),
                .optional("url", else: SocorroConfiguration.usualBase, "URL of the server"),
                .optional(
                    "token", .secret(.variable), example: "SOCORRO_TOKEN",
                    "a token, for more requests a minute"
                ),
            ]),
        capabilities: [.issues, .issueDays], limit: RateLimit(100, perSeconds: 60),
        limitSource: "Socorro's settings: 100 requests a minute for an address, 1,000 with a token",
        delay: """
            A report counts on the day it was received; the current day is still filling, and of some channels the \
            server keeps only a part of the reports.
            """
    ) { setup in
        var configuration = try SocorroConfiguration(
            product: setup.required("product"), token: setup.secret("token")?.headerValue(),
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        return try SocorroProvider(configuration, sender: setup.sender)
    }
}
