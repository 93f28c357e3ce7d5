/// An app whose stability and usage is reported.
package struct App: Hashable, Sendable {
    /// Its name in addresses; unique in a site.
    package var id: Slug
    /// Its name for people.
    package var name: String
    /// `ios`, `android`, `macos` or another word; empty when unknown.
    package var platform: String

    /// Makes an app.
    package init(id: Slug, name: String, platform: String = "") {
        self.id = id
        self.name = name
        self.platform = platform
    }
}

/// The two levels of stability that a team sets for an app; rates in 0…1, critical ≤ target.
package struct Targets: Hashable, Sendable {
    /// What the app should keep.
    package var target: Double
    /// Below this it is an emergency.
    package var critical: Double

    /// Makes the levels; nil unless 0 < critical ≤ target ≤ 1.
    package init?(target: Double, critical: Double) {
        guard critical > 0, critical <= target, target <= 1 else { return nil }
        self.target = target
        self.critical = critical
    }

    /// 99.5% and 98%: the levels that Luciq documents for green and red crash-free sessions.
    package static let standard = Targets(trustedTarget: 0.995, critical: 0.98)

    private init(trustedTarget target: Double, critical: Double) {
        self.target = target
        self.critical = critical
    }
}
