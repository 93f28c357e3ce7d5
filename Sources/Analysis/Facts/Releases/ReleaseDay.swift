package import AppHealth

/// A release on a day.
package struct ReleaseDay: Hashable, Codable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The label of the release.
    package let version: String

    /// Makes a key.
    package init(date: CivilDate, version: String) {
        self.date = date
        self.version = version
    }
}
