package import Settings

/// When a summary is attached to a place that is not a release.
package enum AttachSchedule: String, Sendable, CaseIterable {
    /// The summary of each day of an app.
    case daily
    /// The summary of a day of an app, when something in it asks for attention.
    case attention
    /// The summary of each week, all apps together.
    case weekly
    /// The summary of a release, when there is a new verdict on it.
    case verdict

    /// The key that says it.
    package static let key = SettingKey.optional(
        "when", .choice(allCases.map(\.rawValue)), else: daily.rawValue,
        "daily: each day of an app; attention: days that ask for it; weekly: each week of all apps; verdict: a release with a new verdict"
    )
}
