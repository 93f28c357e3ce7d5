package import Analysis
import Formatting
import Statistics

extension TopCrashIssues {
    /// `2 issues explain 83.1% of the 1,204 crashes. They hit between 412 and 640 of the 980 users who met a
    /// crash (42.0–65.3%): one may have met several.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts that the shares are of.
    package func sentence(counts: Audience.Display) -> String {
        let part = PercentFormat(decimals: 1).text(crashes, of: total)
        let few = issues.count == 1 ? "1 issue explains" : "\(issues.count) issues explain"
        let whole =
            counts == .shown
            ? "of the \(countText(total)) \(total == 1 ? "crash" : "crashes")" : "of the crashes"
        let usersText = counts == .shown ? usersText : usersShareText
        guard isReached else {
            let all =
                issues.count == 1 ? "The only issue explains" : "All \(issues.count) issues together explain"
            return "\(all) \(part) \(whole); the others belong to no issue." + usersText
        }
        return "\(few) \(part) \(whole)." + usersText
    }

    private var usersText: String {
        guard let users, let crashedUsers, crashedUsers > 0 else { return "" }
        let style = PercentFormat(decimals: 1)
        let whole = "of the \(countText(crashedUsers)) users who met a crash"
        let low = style.text(users.lowerBound, of: crashedUsers)
        guard users.lowerBound < users.upperBound else {
            return
                " \(issues.count == 1 ? "It" : "They") hit \(countText(users.lowerBound)) \(whole) (\(low))."
        }
        return " They hit between \(countText(users.lowerBound)) and \(countText(users.upperBound)) \(whole) "
            + "(\(low) to \(style.text(users.upperBound, of: crashedUsers))), as one user may meet several."
    }

    private var usersShareText: String {
        guard let users, let crashedUsers, crashedUsers > 0 else { return "" }
        let style = PercentFormat(decimals: 1)
        let low = style.text(users.lowerBound, of: crashedUsers)
        let whole = "of the users who met a crash"
        guard users.lowerBound < users.upperBound else {
            return " \(issues.count == 1 ? "It" : "They") hit \(low) \(whole)."
        }
        return " They hit \(low) to \(style.text(users.upperBound, of: crashedUsers)) \(whole), "
            + "as one user may meet several."
    }
}
