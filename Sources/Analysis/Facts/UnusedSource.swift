package import AppHealth
package import Diagnostics

/// A source of which no figure is shown, as an earlier source of the same app and provider provides all that it does. Two
/// platforms of one app look so, and are two apps.
package struct UnusedSource: Hashable, Codable, Sendable {
    /// The source.
    package let id: Slug
    /// The source that is used in its place.
    package let used: Slug
    /// Whether both define what they count in different words, such as users with crashes and users with hangs.
    package let countsOtherwise: Bool
    /// What of it is shown nowhere.
    package let capabilities: [Capability]

    /// What is taken from every source.
    private static let ofAll: Set<Capability> = [.notes, .releases]

    /// Those of an app, of sources that responded, in the order of the configuration.
    package static func all(in sources: [Source]) -> [UnusedSource] {
        sources.enumerated().compactMap { place, source in
            let known = source.capabilities.subtracting(ofAll)
            let used = sources.prefix(place).first { earlier in
                earlier.until == nil && earlier.provider == source.provider
                    && known.isSubset(of: earlier.capabilities)
            }
            guard let used, source.until == nil, !known.isEmpty else { return nil }
            let countsOtherwise =
                used.userDefinition != source.userDefinition
                || used.sessionDefinition != source.sessionDefinition
            return UnusedSource(
                id: source.id, used: used.id, countsOtherwise: countsOtherwise, capabilities: known.sorted())
        }
    }

    /// What to report of it.
    ///
    /// - Parameter words: what capabilities are called.
    package func problem(of app: Slug, in words: (Capability) -> String) -> Diagnostic {
        .warning(
            "source.unused",
            "\(app): nothing of '\(id)' is shown, as '\(used)' provides the same",
            details: ["not shown: " + capabilities.map(words).joined(separator: ", ")],
            hints: (countsOtherwise
                ? [
                    "for two measures of one app, such as crashes and hangs (ANRs), make two apps of it: move '\(id)' to one of its own, and write the same 'group' into both"
                ] : []) + [
                    "for two platforms, make two apps: move '\(id)' to one of its own, with its 'platform', and write the same 'group' into both",
                    "for two environments of one app, keep one source",
                ])
    }
}
