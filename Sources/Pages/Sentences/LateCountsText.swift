import Analysis
import AppHealth
import Diagnostics
import Formatting

extension LateCounts {
    /// `after 1 night, earlier days had 31% of their crashes`.
    var pastText: String {
        let share = PercentFormat(decimals: 0).text(min(crashed, 1))
        return
            "after \(counted(nights, "night")), earlier days had \(share) of their crashes"
    }
}

/// ` Crash reports are still coming in: after 1 night, earlier days had 31% of their crashes.`; empty of a day with most of
/// its crashes, and of one without a rate.
func lateText(_ day: DaySection, on basis: Basis) -> String {
    guard let late = day.lateCounts, day.crashed(basis).value != nil else { return "" }
    return " Crash reports are still coming in: \(late.pastText)."
}
