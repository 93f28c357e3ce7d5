package import AppHealth
package import Tokens
package import Transport

/// What is counted against the users of a day.
package enum PlayMeasure: String, Sendable, CaseIterable {
    /// Users who met a crash that they could see.
    case crashes
    /// Users whose app hung visibly (an ANR).
    case hangs
}

/// What is needed to ask Google Play's Developer Reporting API (v1beta1) about one app; never without an
/// account.
package struct PlayConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://playdeveloperreporting.googleapis.com"

    /// Where the API answers; a path in it stays.
    package var base: Address
    /// The package name: `org.example.app`.
    package let package: String
    /// The service account that asks.
    package var account: ServiceAccountKey
    /// What the days of health count; for both, configure two sources.
    package var measure: PlayMeasure
    /// The name of the source within its app.
    package var id: Slug
    /// How many days are asked for, 1…90.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 30
    /// The most pages of a list.
    package var mostPages = 3
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        package name: String, account: ServiceAccountKey, measure: PlayMeasure = .crashes,
        base: String = usualBase, id: Slug = Slug(anyText: "play")
    ) throws(GoogleConfigurationError) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "." || $0 == "_")
        }
        guard parts.count > 1, !parts.contains(""), isName else { throw .package(name) }
        self.base = try googleBase(base)
        self.package = name
        self.account = account
        self.measure = measure
        self.id = id
    }
}

extension PlayMeasure {
    /// The metric set that tells it.
    var metricSet: String { self == .crashes ? "crashRateMetricSet" : "anrRateMetricSet" }
    /// Its rate of users of a day, as far as users could see it.
    var rate: String { self == .crashes ? "userPerceivedCrashRate" : "userPerceivedAnrRate" }
    /// What a user met.
    var words: String { self == .crashes ? "a crash" : "a hang (ANR)" }
}
