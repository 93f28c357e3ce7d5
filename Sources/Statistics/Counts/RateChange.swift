/// One part of a whole in two windows, such as one release of an app.
package struct RatePart: Hashable, Codable, Sendable {
    /// Its counts in the earlier window: all, and those that crashed.
    package let before: DayCount
    /// Its counts in the later window.
    package let after: DayCount

    /// A part with its counts.
    package init(before: DayCount, after: DayCount) {
        self.before = before
        self.after = after
    }
}

/// The change of a rate of a whole, taken apart exactly into what its parts did.
///
/// With the share w and the rate r of each part, earlier, and w′ and r′, later:
/// Δ = Σ min(w, w′) (r′ − r) + Σ (w′ − w) r̃, where r̃ is r′ of a part that gained a share and r of one that lost some:
/// what was gained has the later rate, what was lost had the earlier one. These are the components of E. M. Kitagawa,
/// "Components of a difference between two rates", Journal of the American Statistical Association 50 (1955) 1168–1194,
/// where what both changes do together goes to the shares that were gained, and to the rates of what is left of others. So
/// no rate counts for more than the sessions it is of: of a part that few have left, chance explains next to nothing.
/// The second sum is that of the parts that gained a share, held against those that lost it: Σ (w′ − w) (r′ − L) over what
/// gained, where L is the mean r of what lost, weighted by the shares lost. So what was gained explains the shift, and what
/// only lost has none. All that a part contributes that was absent in one window is shift.
package struct RateChange: Hashable, Codable, Sendable {
    /// What one part contributes, in units of the rate.
    package struct Contribution: Hashable, Codable, Sendable {
        /// By having a larger share of the whole.
        package let shift: Double
        /// By having another rate itself.
        package let within: Double

        /// Both together.
        package var total: Double { shift + within }

        /// Both so many times as large.
        package func scaled(by factor: Double) -> Contribution {
            Contribution(shift: shift * factor, within: within * factor)
        }
    }

    /// The rate of the whole, later minus earlier.
    package let difference: Double
    /// What each part contributes, in the order of the parts; the sum is `difference`.
    package let contributions: [Contribution]

    /// Takes a change apart; nil when a window is empty.
    package init?(_ parts: [RatePart]) {
        let before = total(parts.map(\.before))
        let after = total(parts.map(\.after))
        guard before.all > 0, after.all > 0 else { return nil }
        difference = after.crashed / after.all - before.crashed / before.all
        let changes = parts.map { PartChange($0, before: before.all, after: after.all) }
        let lost = changes.filter { $0.gain < 0 }
        let share = lost.reduce(0) { $0 + $1.gain }
        let mean = share < 0 ? lost.reduce(0) { $0 + $1.gain * $1.rate } / share : 0
        contributions = changes.map { change in
            Contribution(shift: max(change.gain, 0) * (change.rate - mean), within: change.within)
        }
    }
}

/// What a part did.
private struct PartChange {
    /// The share of the whole that it gained; negative when it lost some.
    let gain: Double
    /// The rate of what it gained or lost.
    let rate: Double
    /// What it contributes by having another rate itself.
    let within: Double

    init(_ part: RatePart, before: Double, after: Double) {
        let shares = (Double(part.before.total) / before, Double(part.after.total) / after)
        let rates = (crashedShare(of: part.before), crashedShare(of: part.after))
        gain = shares.1 - shares.0
        rate = gain > 0 ? rates.1 : rates.0
        within = min(shares.0, shares.1) * (rates.1 - rates.0)
    }
}

/// The crashed share; without sessions any will do, as nothing is multiplied with it.
private func crashedShare(of count: DayCount) -> Double {
    count.total > 0 ? Double(count.crashed) / Double(count.total) : 0
}

private func total(_ counts: [DayCount]) -> (all: Double, crashed: Double) {
    counts.reduce((0, 0)) { ($0.0 + Double($1.total), $0.1 + Double($1.crashed)) }
}
