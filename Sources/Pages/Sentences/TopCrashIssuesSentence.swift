package import Analysis
import Formatting
import Statistics

extension TopCrashIssues {
    /// `3 issues account for 82.0% of 557 crashes. They affect 124–255 of 331 affected users (37.5–77.0%).`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts that the shares are of.
    package func sentence(counts: Audience.Display) -> String {
        let part = PercentFormat(decimals: 1).text(crashes, of: total)
        let whole =
            counts == .shown ? "of \(countText(total)) \(total == 1 ? "crash" : "crashes")" : "of crashes"
        let few = issues.count == 1 ? "1 issue accounts" : "\(issues.count) issues account"
        let all = issues.count == 1 ? "The only issue accounts" : "All \(issues.count) issues account"
        let head = "\(isReached ? few : all) for \(part) \(whole)"
        return head + (isReached ? "." : "; the rest belong to no issue.") + usersText(counts)
    }

    private func usersText(_ counts: Audience.Display) -> String {
        guard let users, let crashedUsers, crashedUsers > 0 else { return "" }
        let style = PercentFormat(decimals: 1)
        let start = issues.count == 1 ? " It affects" : " They affect"
        let (low, high) = (users.lowerBound, users.upperBound)
        let share =
            low == high
            ? style.text(low, of: crashedUsers)
            : style.rangeText(
                Interval(
                    lower: Double(low) / Double(crashedUsers), upper: Double(high) / Double(crashedUsers)))
        guard counts == .shown else { return "\(start) \(share) of affected users." }
        let sizes = low == high ? countText(low) : countText(low) + "–" + countText(high)
        return "\(start) \(sizes) of \(countText(crashedUsers)) affected users (\(share))."
    }
}
