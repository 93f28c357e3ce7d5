import AppHealth
import Formatting
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

    /// `Crash free users dropped by 6.5% in the past 24 hours. At 86.72%, it is significantly below the 92.75%
    /// that its last 8 weeks let expect of a Wednesday.` The first figure is relative to the expected rate.
    package var sentence: String {
        let finding = episode.finding
        let span = finding.window == 1 ? "24 hours" : "\(finding.window) days"
        let whom = finding.window == 1 ? "a \(episode.first.weekdayName)" : "these days of the week"
        return
            "Crash free \(basis.rawValue) dropped by \(PercentFormat.sentence(share: relativeDrop)) in the past \(span). "
            + "At \(PercentFormat.sentence(crashed: finding.crashed, of: finding.total, unit: basis.rawValue)), it is significantly below the "
            + "\(PercentFormat.sentence(crashedShare: finding.expected)) that \(pastText) let expect of \(whom)."
    }

    /// `its last 8 weeks`, or `its 31 days before` when the archive is younger or has gaps.
    private var pastText: String {
        let days = episode.finding.baselineDays
        return days >= CrashRateDropDetector.baselineDays
            ? "its last \(CrashRateDropDetector.baselineDays / 7) weeks"
            : "the \(days) \(days == 1 ? "day" : "days") on record of its last \(CrashRateDropDetector.baselineDays / 7) weeks"
    }
}
