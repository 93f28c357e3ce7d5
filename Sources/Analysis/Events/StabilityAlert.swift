import AppHealth
package import Statistics

/// The crash-free rate fell below what the app's own past let one expect.
package struct StabilityAlert: Hashable, Sendable {
    /// Its name, app, day (the first night) and place in time.
    package internal(set) var occasion: EventIdentity
    /// The fall from its first night to its last one.
    package let episode: StabilityEpisode
    /// What the other basis tells of the same nights; nil when it has no figures.
    package let other: OtherBasis?

    /// What the rate of the other basis did.
    package struct OtherBasis: Hashable, Sendable {
        /// The other basis.
        package let basis: Basis
        /// What was found in it during the episode; nil when it did not fall noticeably.
        package let finding: DropFinding?
    }

    /// What the rate is counted in.
    package var basis: Basis { episode.basis }

    /// How far the crash-free rate fell on the first night, in 0…1 of the whole (0.01 is a percentage point).
    package var drop: Double { episode.finding.size }

    /// How far it fell relative to the expected rate, in 0…1.
    package var relativeDrop: Double {
        let base = 1 - episode.finding.expected
        return base > 0 ? min(max(drop / base, 0), 1) : 0
    }
}
