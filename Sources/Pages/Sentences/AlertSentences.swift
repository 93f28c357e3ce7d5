package import Analysis
import AppHealth
import Diagnostics
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

    private var pastText: String { baselineText(episode.finding.baselineDays) }
}

/// ` (47 normal days in 8 weeks)` when the archive is younger or has gaps, or drops were on the others; else empty.
private func baselineText(_ days: Int) -> String {
    days >= StabilityRule.history
        ? ""
        : " (\(countedText(days, "normal day")) in \(StabilityRule.history / 7) weeks)"
}

extension CrashCountAlert {
    /// `Crashes rose to 4.1× the expected number in the past 24 hours. At 87 crashes, it is significantly above the
    /// about 21 expected for a Wednesday. No crashed sessions are known, so there is no rate.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts behind it.
    package func sentence(counts: Audience.Display) -> String {
        let finding = episode.finding
        let start =
            "Crashes rose to \(timesText(finding.ratio)) in \(finding.spanText)."
        guard counts == .shown else { return "\(start) \(noRate)" }
        let whom = finding.window == 1 ? "a \(episode.first.weekdayName)" : "these weekdays"
        return start
            + " At \(countedText(finding.crashes, "crash", "crashes")), it is significantly above the "
            + "about \(countText(roundedCount(finding.expected))) expected for \(whom)"
            + "\(baselineText(finding.baselineDays)). \(noRate)"
    }

    /// Why it is based on counts, and of whom.
    private var noRate: String {
        isOfShare
            ? "Crashes are those of a share of all users. No crashed sessions are known, so there is no rate."
            : "No crashed sessions are known, so there is no rate."
    }

    /// The same in a few words.
    package var basisText: String {
        "\(isOfShare ? "crashes of a share of all users" : "crash counts"): no crashed sessions are known, so no rate"
    }
}

extension CrashCountFinding {
    /// `the past 24 hours`, `the past 3 days`, `2 of the past 3 days`.
    fileprivate var spanText: String {
        if window == 1 { return "the past 24 hours" }
        return "\(known < window ? "\(known) of " : "")the past \(window) days"
    }
}

extension IssueVelocityAlert {
    /// `An issue in SFSafariViewController.m line 1337 is affecting 2.83% of sessions in the past 24 hours. The
    /// issue was first seen January 27, 2016.` Without sessions: `… caused 34 events in the past 24 hours, where about
    /// 6 are expected (no sessions are known, so no share). …`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without counts.
    package func sentence(counts: Audience.Display) -> String {
        guard let firstSeen = issue.firstSeenDay else { return start(counts) }
        return start(counts) + " The issue was first seen \(firstSeen.longText)."
    }

    private func start(_ counts: Audience.Display) -> String {
        guard let share else { return countedStart(counts) }
        let whole = version.map { "sessions of \($0)" } ?? "sessions"
        let upTo = share.numerator == share.denominator ? "up to " : ""
        return
            "An issue in \(issue.label) is affecting \(upTo)\(PercentFormat.sentence(share: share.value)) of \(whole) "
            + "in the past \(spanText)."
    }

    private func countedStart(_ counts: Audience.Display) -> String {
        guard case .events(let events) = extent, case .ownPast(let finding, _, _) = grounds else { return "" }
        let expected = finding.expectedEvents
        guard counts == .shown else {
            return
                "An issue in \(issue.label) caused \(timesText(finding.ratio)) of events in the past "
                + "\(spanText) (\(Self.noShare))."
        }
        let usual = roundedCount(expected)
        return
            "An issue in \(issue.label) caused \(countedText(events, "event")) in the past \(spanText), "
            + (usual == 0 ? "where none are expected" : "where about \(countText(usual)) are expected")
            + " (\(Self.noShare))."
    }

    private static let noShare = "no sessions are known, so no share"

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
        // One of a few users is percents by itself.
        let isFew = finding.expected < Self.few
        if change < 0, !isFew { return PercentFormat.sentence(share: min(-change, 1)) }
        let percent = isFew ? min(abs(change), 1e6) * 100 : change * 100
        return groupedText(decimalText(percent, decimals: isFew ? 0 : 1)) + "%"
    }

    private static var few: Double { 100 }

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
            + "\(countText(finding.count)) vs. about \(expectedText)."
    }

    /// What was expected; of a few users with a decimal.
    var expectedText: String {
        finding.expected < 10
            ? trimmedDecimalText(finding.expected, decimals: 1) : countText(roundedCount(finding.expected))
    }
}

extension Recovery {
    /// `Crash free users recovered to 99.38% after 9 days.` `Crashes recovered to 18 a day after 9 days.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without counts.
    package func sentence(counts: Audience.Display) -> String {
        switch level {
        case .rate(let basis, let share, _):
            "Crash free \(basis.rawValue) recovered to "
                + rateText(share.numerator, of: share.denominator, basis)
                + " after \(counted(days, "day"))."
        case .crashes(let crashes, _):
            "\(isOfShare ? "Reported crashes" : "Crashes") recovered to \(counts == .shown ? "\(countText(crashes)) a day" : "the expected level") after "
                + "\(counted(days, "day"))."
        }
    }
}

extension WithdrawnAlert {
    /// `Withdrawn: no longer supported by the data. Original alert: Crash free users dropped by 6.5% in the past 24 hours.`
    ///
    /// Whether the data was revised, or sources and rules are others, is not known.
    package var sentence: String {
        "Withdrawn: no longer supported by \(isVerdict ? "data and targets" : "the data")."
            + (original.map { " Original \(name): \($0)" } ?? "")
    }

    private var isVerdict: Bool { entry.rule == ReleaseVerdictRule.id }

    private var name: String {
        isVerdict ? "verdict" : entry.rule == RecoveryRule.id ? "recovery" : "alert"
    }

    /// What was reported; where that is hidden, of a verdict the release and the verdict.
    private var original: String? {
        if includesOriginal { return entry.sentence }
        return isVerdict ? entry.subject + "." : nil
    }
}

extension RaisedAlert {
    /// The sentence that reported it; where it is hidden, `Raised Thu, Nov 19, 2026, 06:30 UTC.`
    package var sentence: String { includesOriginal ? entry.sentence : "Raised \(entry.raisedAt.proseText)." }
}

/// A crash-free rate as the sentences of events write it.
private func rateText(_ crashed: Int, of whole: Int, _ basis: Basis) -> String {
    PercentFormat.sentence(
        crashed: crashed, of: whole, interval: Fraction(crashed, of: whole)?.complement.interval,
        unit: basis.rawValue)
}
