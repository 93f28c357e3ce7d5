package import AppHealth
package import Statistics

/// Why the crash-free rate dropped against earlier days: which releases, and which issues in the worst of them.
///
/// Counted in sessions, whatever the app's own basis is: the sessions of releases and of days add up to those
/// of the app, while a user may run two releases and be counted twice, so that users by release cannot be taken
/// apart exactly.
package struct DropBreakdown: Hashable, Codable, Sendable {
    /// What one release contributed.
    package struct Part: Hashable, Codable, Sendable {
        /// Its label; nil for the sessions that belong to no release with counts.
        package let label: String?
        /// Its sessions on the earlier and on the later days.
        package fileprivate(set) var counts: RatePart
        /// What it contributed to the rise of the crashed share, in 0…1 of the whole.
        package fileprivate(set) var contribution: RateChange.Contribution
        /// Its share of all sessions earlier, in 0…1.
        package let shareBefore: Double
        /// Its share of all sessions later, in 0…1.
        package let shareAfter: Double
    }

    /// The crashed share of all sessions on either side.
    package struct Ends: Hashable, Codable, Sendable {
        /// On the earlier days.
        package let before: Fraction
        /// On the later days.
        package let after: Fraction

        /// How much it rose, in 0…1.
        var rise: Double { after.value - before.value }

        /// Nil without both.
        init?(before: Fraction?, after: Fraction?) {
            guard let before, let after else { return nil }
            (self.before, self.after) = (before, after)
        }
    }

    /// The earlier days, in order; at least one.
    package let before: [CivilDate]
    /// The later days.
    package let after: ClosedRange<CivilDate>
    /// The crashed share of all sessions before and after; it rose.
    package private(set) var ends: Ends
    /// The releases, the largest contribution first, then those that changed most in either direction.
    package private(set) var parts: [Part]
    /// Whether the first part had no session on any day before the later ones.
    private let isWorstNew: Bool
    /// The issues that rose most in the first part, the largest rise first.
    package internal(set) var issues: [IssueRise]

    /// How many times the change of all releases together the drop may be: beyond that, most of it is in none of them, or
    /// they count other sessions than the app, and parts in their proportions would explain nothing.
    package static let scales = 0.5...2

    /// Takes the drop against earlier days apart; nil when it did not drop, when releases have no counts or do not add up
    /// to it, or without earlier days.
    package init?(_ index: HistoryIndex, before: [CivilDate], after: ClosedRange<CivilDate>) {
        let before = before.sorted()
        let counted = index.counts(ofReleasesIn: before, after)
        let (early, late) = (
            wholeCount(counted.map(\.counts.before)), wholeCount(counted.map(\.counts.after))
        )
        guard let change = RateChange(counted.map(\.counts)), change.difference > 0,
            let ends = index.ends(before, after) ?? Ends(before: early.share, after: late.share),
            ends.rise > 0
        else { return nil }
        // Releases whose counts do not add up to the rate of all have its change in their own proportions.
        let scale = ends.rise / change.difference
        guard Self.scales.contains(scale) else { return nil }
        let found = zip(counted, change.contributions).map { one, contribution in
            Part(
                label: one.label, counts: one.counts, contribution: contribution.scaled(by: scale),
                shareBefore: Double(one.counts.before.total) / Double(early.total),
                shareAfter: Double(one.counts.after.total) / Double(late.total))
        }.sorted { $0.contribution.total > $1.contribution.total }
        let parts =
            found.prefix(1)
            + found.dropFirst().sorted { $0.contribution.total.magnitude > $1.contribution.total.magnitude }
        self.before = before
        self.after = after
        self.ends = ends
        self.parts = Array(parts)
        self.isWorstNew = parts.first.map { index.isNew($0, on: after.lowerBound) } ?? false
        self.issues = index.issues.rises(in: parts.first, of: (early.total, late.total), before, after)
    }

    /// How much the crashed share rose, in 0…1; more than zero.
    package var rise: Double { ends.rise }

    /// Decimals of the points shown: two, more for a small drop.
    package var decimals: Int { rise * 100 >= 0.1 ? 2 : rise * 100 >= 0.01 ? 3 : 4 }

    /// The drop as those see it from whom counts are hidden: between the coarse rates, its parts in the same
    /// proportions. Nil when the rates do not show it.
    var coarse: DropBreakdown? {
        guard let coarse = Ends(before: ends.before.coarse, after: ends.after.coarse), coarse.rise > 0
        else { return nil }
        let scale = coarse.rise / rise
        var drop = self
        drop.ends = coarse
        for place in parts.indices {
            let counts = parts[place].counts
            drop.parts[place].counts = RatePart(before: counts.before.coarse, after: counts.after.coarse)
            drop.parts[place].contribution = parts[place].contribution.scaled(by: scale)
        }
        drop.issues = issues.map(\.coarse)
        return drop
    }
}

extension HistoryIndex {
    /// The crashed share of all sessions as pages show it; nil where it is not known of all of the days.
    fileprivate func ends(_ before: [CivilDate], _ after: ClosedRange<CivilDate>) -> DropBreakdown.Ends? {
        func share(_ days: [CivilDate]) -> Fraction? {
            let counts = days.compactMap { rates.health[$0]?.sessionCount }
            return counts.count == days.count ? wholeCount(counts).share : nil
        }
        return DropBreakdown.Ends(before: share(before), after: share(days(of: after)))
    }

    private func days(of span: ClosedRange<CivilDate>) -> [CivilDate] {
        (0...span.lowerBound.days(to: span.upperBound)).map { span.lowerBound.advanced(by: $0) }
    }

    /// The sessions of every release on earlier and later days, and what belongs to none of them, ordered by
    /// version.
    fileprivate func counts(
        ofReleasesIn before: [CivilDate], _ after: ClosedRange<CivilDate>
    ) -> [(label: String?, counts: RatePart)] {
        let after = days(of: after)
        let (early, late) = (releases.counts.sessions(on: before), releases.counts.sessions(on: after))
        let labels = Set(early.keys).union(late.keys).sorted { Version($0) < Version($1) }
        let parts = labels.map { label -> (label: String?, counts: RatePart) in
            (label, RatePart(before: early[label] ?? .nothing, after: late[label] ?? .nothing))
        }
        let rest = RatePart(
            before: rest(wholeCount(parts.map(\.counts.before)), on: before),
            after: rest(wholeCount(parts.map(\.counts.after)), on: after))
        return rest.before.total + rest.after.total > 0 ? parts + [(nil, rest)] : parts
    }

    /// Whether a release had no session on any day before a day.
    fileprivate func isNew(_ part: DropBreakdown.Part, on day: CivilDate) -> Bool {
        guard let label = part.label, part.counts.before.total == 0 else { return false }
        return !days(before: day).contains {
            (releases.counts.health[ReleaseDay(date: $0, version: label)]?.sessions ?? 0) > 0
        }
    }

    /// The sessions of all releases together less those of each; nothing where the counts do not allow it, or where the
    /// error of counting approximately explains the difference.
    private func rest(_ known: DayCount, on days: [CivilDate]) -> DayCount {
        let whole = wholeCount(days.map { rates.health[$0]?.sessionCount })
        guard known.total > 0, whole.total >= known.total else { return .nothing }
        let rest = whole.total - known.total
        let missed = [whole, known].map { ($0.deviation ?? 0) * Double($0.total) }
        let error = (missed[0] * missed[0] + missed[1] * missed[1]).squareRoot()
        if let reach = deviationReach(error), Double(rest) <= reach { return .nothing }
        return DayCount(
            total: rest, crashed: whole.crashed - known.crashed,
            deviation: error > 0 && rest > 0 ? error / Double(rest) : nil) ?? .nothing
    }
}

extension ReleaseCounts {
    /// The sessions of each release on some days; in the order of the days, on which the error of a sum depends.
    fileprivate func sessions(on days: [CivilDate]) -> [String: DayCount] {
        var counts: [String: DayCount] = [:]
        for day in days {
            for release in byDay[day] ?? [] {
                guard let label = release.version, let count = release.sessionCount else { continue }
                counts[label] = (counts[label] ?? .nothing) + count
            }
        }
        return counts
    }
}

/// The drop as it is shown: in percentage points that add up to the difference of the rates as they are shown.
extension DropBreakdown {
    /// The crash-free sessions before the drop, in percent, as shown.
    package var shownBefore: Double { shownRate(ends.before) }

    /// The same after it.
    package var shownAfter: Double { shownRate(ends.after) }

    /// The drop from the one to the other.
    package var shownDrop: Double { shownBefore - shownAfter }

    private func shownRate(_ crashed: Fraction) -> Double {
        roundedPercent(crashed.complement.numerator, of: crashed.denominator, decimals: decimals)
    }

    /// What the drop is made of: the release that contributed most crashing more, sessions moving between releases,
    /// and the other releases themselves. The points as shown add up to the drop as shown.
    package var steps: [Step] {
        guard let worst = parts.first else { return [] }
        let points = [
            worst.contribution.within, parts.reduce(0) { $0 + $1.contribution.shift },
            parts.dropFirst().reduce(0) { $0 + $1.contribution.within },
        ].map { $0 * 100 }
        return zip(points, rounded(points, to: shownDrop)).map { Step(points: $0, shown: $1) }
    }

    /// Points rounded so that they add up to a total; what contributed nothing stays nothing.
    private func rounded(_ points: [Double], to total: Double) -> [Double] {
        let counted = points.indices.filter { points[$0] != 0 }
        var shown = points
        for (place, value) in zip(
            counted, roundedParts(counted.map { points[$0] }, decimals: decimals, total: total))
        {
            shown[place] = value
        }
        return shown
    }

    /// A part of the drop, in percentage points.
    package struct Step: Hashable, Codable, Sendable {
        /// As it is.
        package let points: Double
        /// Rounded so that all steps add up.
        package let shown: Double
    }

    /// What one release contributed, in percentage points as shown.
    package struct Points: Hashable, Codable, Sendable {
        /// By having a larger share of the sessions.
        package let shift: Double
        /// By crashing more itself.
        package let within: Double
    }

    /// What each part contributed, rounded so that the parts add up to the steps as they are shown.
    package var shownPoints: [Points] {
        let totals = steps.map(\.shown)
        guard totals.count == 3 else { return [] }
        let shifts = rounded(parts.map { $0.contribution.shift * 100 }, to: totals[1])
        let others = rounded(parts.dropFirst().map { $0.contribution.within * 100 }, to: totals[2])
        return zip(shifts, [totals[0]] + others).map { Points(shift: $0, within: $1) }
    }

    /// What all parts, or those from one on, contributed together.
    package func shownPoints(from place: Int) -> Points {
        let rest = shownPoints.dropFirst(place)
        return Points(
            shift: rest.reduce(0) { $0 + $1.shift }, within: rest.reduce(0) { $0 + $1.within })
    }

    /// Where sessions moved.
    package enum Move: Hashable, Codable, Sendable {
        /// To the release that contributed most.
        case toWorst
        /// To that release, which was not in use before.
        case toNewWorst
        /// Between several releases.
        case between
    }

    /// Where sessions moved: it is the worst release's alone only where no other gained sessions, as then what it
    /// gains is what the others lose.
    package var move: Move {
        guard let worst = parts.first else { return .between }
        let gain = worst.shareAfter - worst.shareBefore
        guard gain > 0, parts.dropFirst().allSatisfy({ $0.shareAfter - $0.shareBefore <= gain * 0.05 }) else {
            return .between
        }
        return isWorstNew ? .toNewWorst : .toWorst
    }
}

extension DropBreakdown.Part {
    /// What it contributed by crashing more itself, in 0…1 of the whole.
    package var within: Double { contribution.within }

    /// Its sessions on the earlier days.
    package var countBefore: DayCount { counts.before }

    /// Its sessions on the later days.
    package var countAfter: DayCount { counts.after }

    /// The crashed share of its sessions on the earlier days; nil without any.
    package var crashedBefore: Fraction? { counts.before.share }

    /// The same on the later days.
    package var crashedAfter: Fraction? { counts.after.share }
}
