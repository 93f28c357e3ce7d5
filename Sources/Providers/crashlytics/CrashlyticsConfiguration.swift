package import AppHealth
package import Tokens
package import Transport

/// What is needed to ask Firebase Crashlytics (REST, v1alpha) about one app; never without an account.
package struct CrashlyticsConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://firebasecrashlytics.googleapis.com"

    /// Where the API answers; a path in it stays.
    package var base: Address
    /// The app's id: `1:<project number>:<platform>:<hex digits>`.
    package let appID: String
    /// The project's number or id; the app id holds the number.
    package var project: String
    /// The service account that asks.
    package var account: ServiceAccountKey
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days are asked for, 1…89: the service keeps 90.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 40
    /// The most pages of a list, 100 elements each.
    package var mostPages = 2
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        appID: String, account: ServiceAccountKey, project: String? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "crashlytics")
    ) throws(GoogleConfigurationError) {
        let parts = appID.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let number = wholeNumber(parts[1]), number > 0 else {
            throw .firebaseApp(appID)
        }
        self.base = try googleBase(base)
        self.appID = appID
        self.project = project ?? String(number)
        self.account = account
        self.id = id
    }
}
