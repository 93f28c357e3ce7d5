package import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

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

extension ReleaseVerdict {
    /// Whether it stops a release, and so asks for attention.
    package var stopsRollout: Bool { self == .hold || self == .rollBack }
}

extension ReleaseEvaluation {
    /// One sentence that says why, with numbers and intervals.
    package var why: String { why(counts: .shown) }

    /// The sample, the earlier releases and the difference in one line; nil when there are no counts.
    package func detail(counts: Audience.Display) -> String? { basis.map { detailText($0, counts: counts) } }

    /// The sentence with or without counts of sessions.
    package func why(counts: Audience.Display) -> String {
        switch grounds {
        case .counts: (basis.map { sentence(verdict, $0, counts: counts) } ?? "") + missingCrashes(counts)
        case .fetchFailed(let failure):
            "Latest fetch failed (\(failure.summary)); before that: "
                + (basis.map { sentence(.go, $0, counts: counts) } ?? "")
        case .overdue(let since):
            "Nothing new since \(since.tableText); until then: "
                + (basis.map { sentence(.go, $0, counts: counts) } ?? "")
        case .noCrashes(let silence):
            silenceSentence(silence, counts: counts) + " So far: "
                + (basis.map { sentence(.go, $0, counts: counts) } ?? "")
        case .crashesComingIn(let late):
            "Crash reports of the newest days are still coming in: \(late.pastText). So far: "
                + (basis.map { sentence(.go, $0, counts: counts) } ?? "")
        case .noSource: "No sources configured."
        case .neverAnswered: "No source of crash-free rates has been fetched yet."
        case .notProvided(let providers): "Crash-free rates not available: \(providing(providers)) them."
        case .notByDay(let provider): "'\(provider)' doesn't report daily sessions by release."
        case .noCrashCounts:
            "Crashed sessions of \(label) not reported, or reported as more than all its sessions."
        case .noSessions: "No sessions reported for \(label)."
        case .noCrashedUsers:
            "Affected users of \(label) not reported, or reported as more than all its users."
        case .noUsers: "No users reported for \(label)."
        }
    }

    /// Why no earlier release is held against it; nil when one is.
    var comparisonAbsence: String? {
        guard let basis else { return why }
        return basis.comparison == nil ? String(uncompared(basis).dropFirst()) : nil
    }

    /// ` No crash of 2.0 was reported for …`: that crashes are missing does not wait for enough data.
    private func missingCrashes(_ counts: Audience.Display) -> String {
        silence.map { " " + silenceSentence($0, counts: counts) } ?? ""
    }
}

extension ReleaseEvaluation.Basis {
    /// What its counts are: `sessions`, or `user-days` where the source counts users alone.
    package var unit: String { life.basis == .users ? "user-days" : "sessions" }

    /// `session count`, `number of user-days`.
    package var countName: String { life.basis == .users ? "number of user-days" : "session count" }
}

/// `Crash-free sessions 96.1% (94.9–97.0) over days 0–3, below the 99% target and 3.6 pp worse than 4.2.2 at the
/// same age.`
private func sentence(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, counts: Audience.Display
) -> String {
    let (total, bounds, targets) = (basis.total, basis.crashFree, basis.targets)
    let style = PercentFormat(interval: bounds)
    let rate = style.text(total.total - total.crashed, of: total.total)
    let gaps = basis.life.gaps.count { $0 <= basis.age }
    let days = daysText(0...basis.age)
    let span =
        basis.age == 0
        ? "on \(days)" : gaps == 0 ? "over \(days)" : "over \(basis.age + 1 - gaps) of \(days)"
    let sides = [level(verdict, basis, targets), compared(basis, style)].compactMap(\.self)
    let against = sides.isEmpty ? "" : ", " + sides.joined(separator: " and ")
    let target =
        level(verdict, basis, targets) == nil ? "; target \(PercentFormat.levelText(targets.target))" : ""
    return
        "Crash-free \(basis.life.basis.rawValue) \(rate) (\(style.intervalText(bounds))) \(span)\(against)\(target)."
        + uncompared(basis) + outlook(verdict, basis, targets, counts)
}

/// `25,196 sessions; earlier releases 99.635% (99.609–99.659); difference −3.56 pp (−3.81 to −3.33). Also worse at
/// the same session count. The release's interval is always-valid; the others are 95% at a single check.`
private func detailText(_ basis: ReleaseEvaluation.Basis, counts: Audience.Display) -> String {
    var facts = counts == .shown ? [unitText(basis.total.total, basis.unit)] : []
    facts += dataPartText(basis.total.sampling).map { [$0] } ?? []
    var (ending, intervals) = ("", "Always-valid interval.")
    if let comparison = basis.comparison, let earlier = comparison.earlier.share,
        let own = comparison.own.share
    {
        let theirs = PercentFormat.crashFree(earlier).text
        facts.append("earlier releases \(theirs)")
        intervals =
            "The release's interval is always-valid; the others are \(standardConfidenceText) at a single check."
        if let bounds = comparison.difference {
            let style = PercentFormat(decimals: 2)
            facts.append(
                "difference \(style.changeText(earlier.value - own.value)) (\(style.changeBounds(bounds)))")
        }
        ending = claim(comparison, basis)
        let halted = basis.unmatched.map(\.label)
        if !halted.isEmpty {
            let was = UnmatchedRelease.Reason.worse.words(areSeveral: halted.count > 1)
            ending += " Not compared with \(listed(halted)), which \(was)."
        }
    }
    guard let first = facts.first else { return intervals }
    let head = first.prefix(1).uppercased() + first.dropFirst()
    return ([head] + facts.dropFirst()).joined(separator: "; ") + "." + ending + " " + intervals
}

/// What the difference does not say of why a release is worse, was, or is not shown to be; empty where it says all.
private func claim(_ comparison: ReleaseComparison, _ basis: ReleaseEvaluation.Basis) -> String {
    if let days = comparison.sameDays { return onSameDays(days) }
    let bounds = comparison.difference
    guard let claim = comparison.claim else {
        guard let bounds, bounds.upper < 0 else { return "" }
        return " Timing or early adopters can explain this difference. "
            + "Worse takes proof that holds at every daily check, also at the same \(basis.countName)."
    }
    if let better = claim.better {
        return " Worse on \(daysText(claim.days)), until \(daysText(better)) showed the contrary."
    }
    let isOfEarlier = bounds.map { $0.upper >= 0 } ?? false
    return (comparison.isWorseAtSessions ? " Also worse at the same \(basis.countName)." : "")
        + (isOfEarlier
            ? " Shown to be worse on \(daysText(claim.days)), it stays so until later days show that it is better."
            : "")
}

/// ` On the same days it had 98.91%, 4.2.1 and 4.2.0 98.95%: what moves all releases can explain the difference.`
private func onSameDays(_ days: ReleaseComparison.SameDays) -> String {
    guard let own = days.own.share, let others = days.othersShare else { return "" }
    let (text, names) = (PercentFormat.crashFree(own).text, listed(days.others.map(\.label)))
    return " On the same days it had \(text), \(names) \(PercentFormat.crashFree(others).text): "
        + "what moves all releases can explain the difference."
}

extension ReleaseComparison {
    /// Whether its first sessions crashed more than as many of earlier releases.
    fileprivate var isWorseAtSessions: Bool {
        let others = peers.map(\.atSessions)
        let total = others.reduce(0.0) { $0 + Double($1.total) }
        let crashed = others.reduce(0.0) { $0 + Double($1.crashed) }
        return Double(ownAtSessions.crashed) * total > crashed * Double(ownAtSessions.total)
    }
}

/// `day 0`, `days 0–2`.
private func daysText(_ days: ClosedRange<Int>) -> String {
    days.count == 1 ? "day \(days.lowerBound)" : "days \(days.lowerBound)–\(days.upperBound)"
}

/// Where the rate is against the limit that decides; nil when the interval includes the target.
private func level(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, _ targets: Targets
) -> String? {
    if basis.crashFree.upper < targets.critical {
        return "below the \(PercentFormat.levelText(targets.critical)) critical level"
    }
    if basis.crashFree.upper < targets.target {
        return "below the \(PercentFormat.levelText(targets.target)) target"
    }
    return verdict == .go ? "at or above the \(PercentFormat.levelText(targets.target)) target" : nil
}

/// What the comparison with earlier releases shows; nil when there is none.
private func compared(_ basis: ReleaseEvaluation.Basis, _ style: PercentFormat) -> String? {
    guard let comparison = basis.comparison, let earlier = comparison.earlier.share,
        let own = comparison.own.share
    else { return nil }
    let names = listed(comparison.peers.map(\.label))
    if comparison.sameDays != nil {
        return "worse than \(names) at the same age, but not significantly on the same days"
    }
    guard let claim = comparison.claim else {
        return "not significantly worse than \(names) at the same age"
    }
    if let better = claim.better { return "better than \(names) at the same age on \(daysText(better))" }
    // The claim holds, though all days together may say otherwise.
    guard own.value > earlier.value else {
        return "worse than \(names) at the same age on \(daysText(claim.days))"
    }
    let size = decimalText(100 * (own.value - earlier.value), decimals: style.decimals)
    return "\(size)\u{A0}pp worse than \(names) at the same age"
}

/// Why there is no comparison; empty when there is one.
private func uncompared(_ basis: ReleaseEvaluation.Basis) -> String {
    if let comparison = basis.comparison, comparison.earlier.share != nil, comparison.own.share != nil {
        return ""
    }
    return switch basis.life.start {
    case .known: uncomparedEarlier(basis)
    case .beforeFigures: " No comparison: in use before data began."
    case .sameVersion(let label): " No comparison: the same version as \(label), in use before."
    case .belowShare:
        " No comparison: never reached \(PercentFormat.levelText(ReleaseHistory.threshold)) of \(basis.life.basis.rawValue)."
    }
}

/// ` No comparison: 1.0 was in use before data began.`: why no earlier release is a measure for one whose first day is
/// known.
private func uncomparedEarlier(_ basis: ReleaseEvaluation.Basis) -> String {
    if basis.comparison != nil { return " No comparison: no data of both at the same age." }
    let reasons = UnmatchedRelease.Reason.allCases.compactMap { reason in
        let names = basis.unmatched.filter { $0.reason == reason }.map(\.label)
        return names.isEmpty
            ? nil : "\(listed(names)) \(reason.words(areSeveral: names.count > 1, of: basis.life.basis))"
    }
    return reasons.isEmpty
        ? " No earlier release to compare with." : " No comparison: \(reasons.joined(separator: "; "))."
}

extension UnmatchedRelease.Reason {
    fileprivate func words(areSeveral: Bool, of basis: Basis = .sessions) -> String {
        let was = areSeveral ? "were" : "was"
        return switch self {
        case .beforeFigures: "\(was) in use before data began"
        case .sameVersion:
            areSeveral ? "are other labels of earlier releases" : "is another label of an earlier release"
        case .belowShare:
            "never reached \(PercentFormat.levelText(ReleaseHistory.threshold)) of \(basis.rawValue)"
        case .critical: "\(was) below the critical level"
        case .worse: "\(was) worse than earlier releases"
        case .uncounted: "had no crash data"
        case .otherSource: areSeveral ? "were counted by another source" : "was counted by another source"
        }
    }
}

/// What is missing.
private func outlook(
    _ verdict: ReleaseVerdict, _ basis: ReleaseEvaluation.Basis, _ targets: Targets,
    _ counts: Audience.Display
) -> String {
    guard case .notEnoughData(let needed) = verdict else { return "" }
    if let needed {
        guard counts == .shown else { return " More \(basis.unit) needed." }
        let whole = basis.life.basis.rawValue
        return switch basis.life.start {
        case .belowShare:
            " Needs \(countText(needed)) more \(needed == 1 ? String(whole.dropLast()) : whole) a day to reach that share."
        default: " About \(moreText(needed, basis.unit)) needed."
        }
    }
    return basis.crashFree.lower >= targets.target
        ? " Needs a second day of data." : " Too close to the target to call."
}

/// `4.2.2`, `4.2.2 and 4.2.1`, `4.2.2, 4.2.1 and 4.1.1`.
func listed(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
}

extension Verdict {
    /// `meets target`, `below target`, `critical`, `not enough data`, `unknown`.
    package var words: String {
        switch self {
        case .meets: "meets target"
        case .misses: "below target"
        case .critical: "critical"
        case .notEnoughData: "not enough data"
        case .unknown: "unknown"
        }
    }
}

extension ReleaseStage {
    /// `Adopted`, `Replaced`, `Low`.
    package var words: String { name.sentenceCased }
}
