package import Analysis
package import AppHealth
import Estimates
import Formatting

extension DropBreakdown {
    /// `Crash-free sessions are down 0.62 pp from the 7 days before: 0.55 pp from 4.3.0 crashing more, 0.07 pp from
    /// sessions moving to it. Largest increase in 4.3.0: Atomic.swift line 54 (+412 users a day, 60.2% of the
    /// increase in events per session).` The numbers shown add up.
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts of the issue that increased most.
    package func sentence(counts: Audience.Display) -> String {
        guard let worst = parts.first else { return "" }
        let name = worst.label ?? "sessions of unknown releases"
        // Where its own part is not shown, there is no "it" before.
        let mover = steps.first?.shown == 0 ? name : "it"
        let words = [
            "from \(name) crashing \(worst.within < 0 ? "less" : "more")", moveText(name, mover),
            "from other releases",
        ]
        let causes = zip(steps, words).filter { $0.0.shown != 0 }.map { step, words in
            "\(decimalText(step.shown, decimals: decimals))\u{A0}pp \(words)"
        }
        let drop = decimalText(shownDrop, decimals: decimals)
        let cause = causes.isEmpty ? "no single cause" : causes.joined(separator: ", ")
        return "Crash-free sessions are down \(drop)\u{A0}pp from \(daysText): \(cause)."
            + issueText(in: name, counts)
    }

    /// `the day before`, `the 7 days before`, or `the last 7 alert-free days` where others are between.
    package var daysText: String {
        let isClosed = before.first.map { $0.days(to: after.lowerBound) == before.count } ?? true
        let span = before.count == 1 ? "day" : "\(before.count) days"
        return isClosed
            ? "the \(span) before"
            : before.count == 1 ? "the last alert-free day" : "the last \(before.count) alert-free days"
    }

    /// Where sessions moved: all of the shift together.
    private func moveText(_ name: String, _ mover: String) -> String {
        switch move {
        case .between: "from sessions moving between releases"
        case .toNewWorst: "from sessions on \(name), not in use before"
        case .toWorst: "from sessions moving to \(mover)"
        }
    }

    private func issueText(in name: String, _ counts: Audience.Display) -> String {
        guard let first = issues.first else { return "" }
        let share = PercentFormat(decimals: 1).text(first.share) + " of \(first.wholeText)"
        let size = counts == .shown ? "\(first.text), \(share)" : share
        return " Largest increase in \(name): \(first.issue.label) (\(size))."
    }
}

extension IssueRise {
    /// `the increase in events per session`, or `the increase in events` where those of the release are not known: what
    /// its share is of.
    package var wholeText: String { "the increase in events" + (isPerSession ? " per session" : "") }

    /// `+412 users` against one day, `+412 users a day` against several, or `+640 events` where users are not
    /// known; `+0.42 events per 1,000 sessions` where the release has fewer sessions than before.
    package var text: String {
        let daily = isDaily ? " a day" : ""
        return switch size {
        case .users(let count): "+\(unitText(count, "users"))\(daily)"
        case .events(let count): "+\(unitText(count, "events"))\(daily)"
        case .eventsPerSession(let rise):
            (rise < 1e-5 ? "less than 0.01" : "+" + decimalText(rise * 1000, decimals: 2))
                + " events per 1,000 sessions"
        case .few: "less than 1 event\(daily)"
        }
    }
}

extension Issue {
    /// How sentences name it: `Atomic.swift line 54`, else its title in quotation marks, else its id.
    package var label: String {
        if let place, !place.fileName.isEmpty {
            return place.line.map { "\(place.fileName) line \($0)" } ?? place.fileName
        }
        return isUntitled ? "issue \(id)" : "“\(title)”"
    }
}

extension LeastCrashes {
    /// `557 crashes`, `153 crashed sessions`, or `at least 60 crashes` where only users were counted.
    var text: String {
        switch unit {
        case .crashes: countedText(count, "crash", "crashes")
        case .crashedSessions: unitText(count, words)
        case .affectedUsers: "at least " + countedText(count, "crash", "crashes")
        }
    }

    /// What shares of it are of, without the count.
    var words: String { unit == .crashedSessions ? "crashed sessions" : "crashes" }
}

extension TopCrashIssues {
    /// `3 issues account for 82.0% of 557 crashes. They affect 124–255 of 331 affected users (37.5–77.0%).`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts that the shares are of.
    ///
    /// - Parameter rows: the list below it: where this begins with other issues than those that crash, the sentence says
    ///   that it is about these.
    package func sentence(counts: Audience.Display, above rows: [IssueRow] = []) -> String {
        let part = PercentFormat(decimals: 1).text(share.numerator, of: share.denominator)
        let all = "of " + (counts == .shown ? whole.text : whole.words)
        let isMixed = rows.prefix(issueCount).contains { $0.kind != Issue.Kind.crash.rawValue }
        let noun = isMixed ? "crash issue" : "issue"
        let few = countedText(issueCount, "\(noun) accounts", "\(noun)s account")
        let every =
            issueCount == 1
            ? "The only crash issue accounts" : "All \(countText(issueCount)) crash issues account"
        let span = days.known < days.all ? " on \(days.known) of \(days.all) days" : ""
        let isWhole = isReached || !isComplete
        let head = "\(isWhole ? few : every) for \(part) \(all)\(span)"
        let rest =
            isReached
            ? "."
            : isComplete ? "; the rest belong to no issue." : "; the rest belong to issues not reported."
        return head + rest + usersText(counts)
    }

    private func usersText(_ counts: Audience.Display) -> String {
        guard let users else { return "" }
        let style = PercentFormat(decimals: 1)
        let start = issueCount == 1 ? " It affects" : " They affect"
        let (low, high, all) = (users.least.numerator, users.most.numerator, users.most.denominator)
        let isOne = users.least == users.most
        let share =
            isOne
            ? style.text(low, of: all)
            : style.rangeText(Interval(lower: users.least.value, upper: users.most.value))
        guard counts == .shown else { return "\(start) \(share) of affected users." }
        let sizes = isOne ? countText(low) : countText(low) + "–" + countText(high)
        return "\(start) \(sizes) of \(unitText(all, "affected users")) (\(share))."
    }
}
