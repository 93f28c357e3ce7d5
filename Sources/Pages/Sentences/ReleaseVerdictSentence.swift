package import Analysis
import AppHealth
import Diagnostics
import Formatting
import Statistics

extension ReleaseVerdict {
    /// `go`, `hold`, `roll back`, `not enough data`, `unknown`.
    package var words: String {
        switch self {
        case .go: "go"
        case .hold: "hold"
        case .rollBack: "roll back"
        case .notEnoughData: "not enough data"
        case .unknown: "unknown"
        }
    }
}

extension ReleaseEvaluation {
    /// One sentence that says why, with numbers and intervals.
    package var why: String { why(counts: .shown) }

    /// The sentence with or without counts of sessions.
    package func why(counts: Audience.Display) -> String {
        switch grounds {
        case .counts: basis.map { sentence(verdict, $0, counts: counts) } ?? ""
        case .fetchFailed(let failure):
            "The newest fetch failed (\(failure.summary)), so what it does now is not known. "
                + (basis.map { sentence(.go, $0, counts: counts) } ?? "")
        case .noSource: "No source is configured."
        case .neverAnswered: "No source of crash-free rates has ever answered."
        case .notByDay(let provider): "\(provider) does not count the sessions of a release by day."
        case .noCrashCounts: "How many sessions of \(label) crashed was not counted."
        case .noSessions: "No sessions of \(label) were counted."
        }
    }
}

/// Why a verdict is what it is, in one or two sentences with numbers and intervals.
private func sentence(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, counts: Audience.Display
) -> String {
    let (total, bounds, targets) = (basis.total, basis.crashFree, basis.targets)
    let style = PercentFormat(interval: bounds)
    let rate = style.text(total.total - total.crashed, of: total.total)
    let own =
        "Crash-free sessions \(rate) (\(style.intervalText(bounds)), sure at every look)"
        + "\(counts == .shown ? " of \(countText(total.total))" : "") on \(basis.age == 0 ? "day 0" : "days 0 to \(basis.age)")"
    return own + ", " + level(verdict, basis, targets) + "; " + compared(basis) + "."
        + outlook(verdict, basis, targets, counts)
}

/// Where the rate lies against the level that decides.
private func level(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, _ targets: Targets
) -> String {
    if basis.crashFree.upper < targets.critical {
        return "below the critical level \(PercentFormat.levelText(targets.critical))"
    }
    let side =
        basis.crashFree.upper < targets.target
        ? "below the" : verdict == .go ? "at or above the" : "against a"
    return "\(side) target of \(PercentFormat.levelText(targets.target))"
}

/// What the comparison shows, or why there is none.
private func compared(_ basis: ReleaseEvaluation.Basis) -> String {
    guard let comparison = basis.comparison, let earlier = comparison.earlier.share,
        let own = comparison.own.share
    else {
        return switch basis.life.start {
        case .known: "there is no earlier release to compare it with"
        case .beforeFigures: "it was in use before the first figures, so it is compared with none"
        case .belowShare:
            "it never had \(PercentFormat.levelText(ReleaseHistory.threshold)) of all sessions, so it is compared with none"
        }
    }
    let names = listed(comparison.peers.map(\.label))
    let theirs = PercentFormat.crashFree(
        crashed: earlier.numerator, of: earlier.denominator, unit: Basis.sessions.rawValue
    ).text
    guard comparison.isWorse else {
        return "it is not shown to crash more than \(names) at the same age, which had \(theirs)"
    }
    let pair = ProportionPair(
        later: (own.numerator, own.denominator), earlier: (earlier.numerator, earlier.denominator))
    let rise = pair.flatMap { newcombeInterval(of: $0) }.map { interval in
        ", \(pointsText(100 * (own.value - earlier.value), decimals: 2)) better (\(standardConfidenceText) interval "
            + "\(decimalText(100 * interval.lower, decimals: 2)) to \(decimalText(100 * interval.upper, decimals: 2)))"
    }
    return
        "it crashes more than \(names) at the same age and number of sessions, which had \(theirs)\(rise ?? "")"
}

/// What is missing.
private func outlook(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, _ targets: Targets,
    _ counts: Audience.Display
) -> String {
    guard case .notEnoughData(let needed) = verdict else { return "" }
    if let needed {
        guard counts == .shown else { return " More sessions are needed." }
        return switch basis.life.start {
        case .belowShare:
            " \(countText(needed)) more sessions a day bring it to \(PercentFormat.levelText(ReleaseHistory.threshold)) of all."
        default: " About \(estimateText(needed)) more sessions are needed."
        }
    }
    return basis.crashFree.lower >= targets.target
        ? " A second day is needed." : " No number of sessions can settle it at this rate."
}

/// `4.2.2`, `4.2.2 and 4.2.1`, `4.2.2, 4.2.1 and 4.1.1`.
func listed(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
}
