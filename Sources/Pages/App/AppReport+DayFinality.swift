import Analysis
import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// Whether the stability figures of a day may still change.
    func isProvisional(_ day: CivilDate) -> Bool {
        evidence.settlement(of: day)?.doubt != nil
    }

    /// Why the stability figures of a day may still change; nil when they are settled or there are none.
    func provisional(_ day: CivilDate) -> String? {
        evidence.settlement(of: day)?.doubt.map { doubtText($0, audience.counts) }
    }

    /// Whether the use of a day may still change.
    func isUsageProvisional(_ day: CivilDate) -> Bool {
        usageSource?.usageSettlement[day]?.doubt != nil
    }

    /// Whether the issues of a day may still change: with the stability that their source tells of it, or by
    /// the age of the day where it tells none.
    func areIssuesProvisional(_ day: CivilDate) -> Bool {
        guard let source = evidence.issues, let capturedAt = source.capturedAt else { return false }
        if let settlement = source.healthSettlement[day] { return settlement.doubt != nil }
        return evidence.end(of: day).seconds(to: capturedAt) < source.source.settling.settlesAfterHours * 3600
    }
}

/// `changed by 0.3 pp between the last two snapshots`.
func doubtText(_ doubt: DayFinality.ProvisionalReason, _ counts: Audience.Display = .shown) -> String {
    switch doubt {
    case .early(let hours): "last fetched less than \(hours) hours after its end"
    case .seenOnce: "one snapshot so far"
    case .rateChanged(let points):
        // Two decimals where one would show nothing.
        "changed by \(pointsText(points, decimals: points >= 0.05 ? 1 : 2)) between the last two snapshots"
    case .countChanged(.some, .some) where counts == .hidden:
        "a count changed between the last two snapshots"
    case .countChanged(let before?, let after?):
        "a count changed from \(countText(before)) to \(countText(after)) between the last two snapshots"
    case .countChanged(nil, _): "a count is new in the last snapshot"
    case .countChanged(_, nil): "a count is gone from the last snapshot"
    }
}
