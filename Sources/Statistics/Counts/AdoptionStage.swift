/// How far a release has come among those who use the app.
package enum AdoptionStage: String, Hashable, Codable, Sendable, CaseIterable {
    /// It was never surely taken up.
    case low
    /// It is surely in use.
    case adopted
    /// It was adopted, and is surely not in use any more.
    case replaced

    /// The share from which a release counts as in use; Sentry documents the same one, without an interval.
    package static let threshold = 0.1

    /// The stage after a day with this interval of the share: adopted when the lower bound is at the threshold
    /// or above, replaced when the upper bound is below it after having been adopted, else unchanged.
    ///
    /// The interval is the hysteresis: a share that wavers about the threshold changes nothing.
    package func next(_ share: Interval?, threshold: Double = AdoptionStage.threshold) -> AdoptionStage {
        guard let share else { return self }
        if share.lower >= threshold { return .adopted }
        return share.upper < threshold && self == .adopted ? .replaced : self
    }
}
