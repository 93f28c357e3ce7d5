package import AppHealth

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

    /// The same where it is known what they counted: rates may be of a later source than the first that counts.
    package static func all(in known: [SourceHistory]) -> [UnusedSource] {
        let rated = Set(RateSources(known).all.map(\.source.id))
        return all(in: known.map(\.source)).filter { !rated.contains($0.id) }
    }
}
