package import Analysis
import AppHealth
import Estimates
import Formatting

extension StabilityAlert {
    /// `Crash free users dropped by 6.5% in the past 24 hours. At 86.72%, it is significantly below the 92.75%
    /// expected for a Wednesday.` The first number is relative to the expected rate.
    package var sentence: String {
        let finding = episode.finding
        let span = finding.window == 1 ? "24 hours" : "\(finding.window) days"
        let whom = finding.window == 1 ? "a \(episode.first.weekdayName)" : "these weekdays"
        return
            "Crash free \(basis.rawValue) dropped by \(PercentFormat.sentence(share: relativeDrop)) in the past \(span). "
            + "At \(rateText(finding.crashed, of: finding.total, basis)), it is significantly below the "
            + "\(PercentFormat.sentence(crashedShare: finding.expected)) expected for \(whom)\(pastText)."
    }

    /// ` (47 days of data in 8 weeks)` when the archive is younger or has gaps; else empty.
    private var pastText: String {
        let days = episode.finding.baselineDays
        return days >= StabilityRule.history
            ? ""
            : " (\(days) \(days == 1 ? "day" : "days") of data in \(StabilityRule.history / 7) weeks)"
    }
}

extension IssueVelocityAlert {
    /// `An issue in SFSafariViewController.m line 1337 is affecting 2.83% of sessions in the past 24 hours. The
    /// issue was first seen January 27, 2016.`
    package var sentence: String {
        let whole = version.map { "sessions of \($0)" } ?? "sessions"
        let upTo = share.numerator == share.denominator ? "up to " : ""
        let start =
            "An issue in \(issue.label) is affecting \(upTo)\(PercentFormat.sentence(share: share.value)) of \(whole) "
            + "in the past \(spanText)."
        guard let firstSeen = issue.firstSeen else { return start }
        return start + " The issue was first seen \(firstSeen.date.longText)."
    }

    /// `hour`, `4 hours`, `24 hours`, `3 days`.
    package var spanText: String {
        switch hours {
        case 1: "hour"
        case ...24: "\(hours) hours"
        default: "\(hours / 24) days"
        }
    }
}

extension UsageAnomaly {
    /// How much more or less, without a sign: `38.2%`.
    package var sizeText: String {
        change < 0
            ? PercentFormat.sentence(share: min(-change, 1)) : decimalText(change * 100, decimals: 1) + "%"
    }

    /// `Active users were 38.2% below the expected level on Wednesday, Jan 27 UTC: 10,411 vs. about 16,850.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts behind it.
    package func sentence(counts: Audience.Display) -> String {
        let name = measure == .activeUsers ? "Active users" : "Sessions"
        let side = change < 0 ? "below" : "above"
        let said =
            "\(name) were \(sizeText) \(side) the expected level on \(occasion.day.weekdayText) \(zone)"
        guard counts == .shown else { return said + "." }
        return said + ": "
            + "\(countText(finding.count)) vs. about \(countText(roundedCount(finding.expected)))."
    }
}

extension Recovery {
    /// `Crash free users recovered to 99.38% after 9 days.`
    package var sentence: String {
        "Crash free \(basis.rawValue) recovered to \(rateText(share.numerator, of: share.denominator, basis)) after "
            + "\(days) \(days == 1 ? "day" : "days")."
    }
}

extension WithdrawnAlert {
    /// `Withdrawn: data was revised. Original alert: Crash free users dropped by 6.5% in the past 24 hours.`
    package var sentence: String {
        "Withdrawn: data was revised." + (includesOriginal ? " Original alert: \(entry.sentence)" : "")
    }
}

/// A crash-free rate as the sentences of events write it.
private func rateText(_ crashed: Int, of whole: Int, _ basis: Basis) -> String {
    PercentFormat.sentence(
        crashed: crashed, of: whole, interval: Fraction(crashed, of: whole)?.complement.interval,
        unit: basis.rawValue)
}
