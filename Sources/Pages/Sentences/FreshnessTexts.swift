import Analysis
import AppHealth
import Formatting
import Statistics

extension Freshness {
    /// One sentence about how fresh and whole the figures are.
    var sentence: String {
        let last = lastDay.map { "Data to \($0.compactText) (\(zone))" }
        let provisional = isProvisional ? "; latest days provisional" : ""
        let stale =
            failed.isEmpty
            ? "" : " The newest fetch of \(failed.map(\.text).joined(separator: ", ")) failed."
        return (last ?? "No data yet") + provisional + "." + stale
    }
}

/// `changed by 0.3 pp between the last two snapshots`.
func doubtText(_ doubt: DayFinality.ProvisionalReason, _ counts: Audience.Display = .shown) -> String {
    switch doubt {
    case .early(let hours): "fetched less than \(hours) hours after it ended"
    case .seenOnce: "one snapshot so far"
    case .rateChanged(let points):
        // Two decimals where one would show nothing.
        "changed by \(pointsText(points, decimals: points >= 0.05 ? 1 : 2)) between the last two snapshots"
    case .countChanged(.some, .some) where counts == .hidden:
        "a count changed between the last two snapshots"
    case .countChanged(let before?, let after?):
        "a count changed from \(countText(before)) to \(countText(after)) between the last two snapshots"
    case .countChanged(nil, _): "a count is new in the last snapshot"
    case .countChanged(_, nil): "a count is missing in the last snapshot"
    }
}
