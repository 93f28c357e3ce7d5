package import Analysis
import AppHealth
import Formatting
import Statistics

extension DropBreakdown {
    /// `Of the fall of 0.62 pp in crash-free sessions against the 7 days before, 0.55 come from 4.3.0
    /// crashing more and 0.07 from sessions that moved to it; in 4.3.0 the issue in Atomic.swift line 54 rose most
    /// (+412 users a day).` The figures shown add up.
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts of the issue that rose most.
    package func sentence(counts: Audience.Display) -> String {
        guard let worst = parts.first else { return "" }
        let name = worst.label ?? "sessions of no known release"
        let pieces = [
            (
                worst.contribution.within,
                "from \(name) crashing \(worst.contribution.within < 0 ? "less" : "more")"
            ),
            (parts.reduce(0) { $0 + $1.contribution.shift }, shiftText(worst, name)),
            (
                parts.dropFirst().reduce(0) { $0 + $1.contribution.within },
                "from the other releases themselves"
            ),
        ]
        let shown = roundedParts(pieces.map { $0.0 * 100 }, decimals: decimals)
        let told = zip(shown, pieces).filter { $0.0 != 0 }.enumerated().map { place, one in
            "\(decimalText(one.0, decimals: decimals)) \(place == 0 ? "come " : "")\(one.1.1)"
        }
        let fall = pointsText(shown.reduce(0, +), decimals: decimals)
        let cause = told.isEmpty ? "nothing stands out" : listed(told)
        return "Of the fall of \(fall) in crash-free sessions against \(daysText), "
            + "\(cause)\(issueText(in: name, counts))."
    }

    /// `the day before`, `the 7 days before`, or `the last 7 days without an alert` where others lie between.
    package var daysText: String {
        let isClosed = before.first.map { $0.days(to: after.lowerBound) == before.count } ?? true
        let span = before.count == 1 ? "day" : "\(before.count) days"
        return isClosed ? "the \(span) before" : "the last \(span) without an alert"
    }

    /// Where sessions moved: all of the shift together. It is the worst release's alone only where no other
    /// gained sessions: then what it gains is what the others lose.
    private func shiftText(_ worst: Part, _ name: String) -> String {
        let gain = worst.shareAfter - worst.shareBefore
        guard gain > 0, parts.dropFirst().allSatisfy({ $0.shareAfter - $0.shareBefore <= gain * 0.05 }) else {
            return "from sessions moving between releases"
        }
        guard worst.counts.before.total > 0 else {
            return "from sessions on \(name), which was not in use then"
        }
        // Alone, there is no "it" before.
        return "from sessions that moved to \(worst.contribution.within * 100 >= 0.00005 ? "it" : name)"
    }

    private func issueText(in name: String, _ counts: Audience.Display) -> String {
        guard let first = issues.first else { return "" }
        let size = counts == .shown ? " (\(first.text))" : ""
        return "; in \(name) the issue in \(first.issue.label) rose most\(size)"
    }

    /// The contributions in percentage points as they are shown, by part: shift and within. All of them add up
    /// to the fall as it is shown.
    package var shownPoints: [(shift: Double, within: Double)] {
        let all = roundedParts(
            parts.flatMap { [$0.contribution.shift * 100, $0.contribution.within * 100] }, decimals: decimals)
        return parts.indices.map { (all[2 * $0], all[2 * $0 + 1]) }
    }
}

extension IssueRise {
    /// `+412 users` against one day, `+412 users a day` against several, or `+640 events` where users are not
    /// known.
    package var text: String {
        let (count, unit) = users.map { ($0, "user") } ?? (events, "event")
        return (count > 0 ? "+" : "") + countText(count) + " \(unit)\(count == 1 ? "" : "s")"
            + (isDaily ? " a day" : "")
    }
}
