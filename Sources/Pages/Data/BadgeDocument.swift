package import Analysis
import AppHealth
package import Charts
import Diagnostics
import Estimates
import Formatting
package import Markup

/// The badge of an app, drawn, and as what others need to draw it.
package struct BadgeDocument: Sendable {
    /// The badge.
    package let badge: Badge
    /// The drawing as a file of its own.
    package var svg: Markup { badge.svg }
    /// What is reported, such as `crash-free users`.
    package var label: String { badge.label }
    /// The figure with its interval and its day: an age would be true only at the instant of the build.
    package var message: String { badge.message }
    /// Whether there is no current figure because a fetch failed.
    package var isFailure: Bool { badge.state == .failed || badge.state == .stale }
    /// Its color in hexadecimal digits; gray for what is no verdict on current figures.
    package var color: String {
        guard badge.state == .loaded || badge.state == .failed else { return "9a9fa3" }
        return switch badge.tone {
        case .good: "1a6643"
        case .bad: "a22f1b"
        case .neutral: "9a9fa3"
        }
    }
}

extension BadgeDocument {
    /// The badge of an app with its last day: the crash-free rate, its interval and its day.
    package init(_ last: DaySection, _ stability: StabilitySection, _ facts: AppFacts) {
        self.init(badge: drawnBadge(last, stability, facts))
    }
}

private func drawnBadge(_ last: DaySection, _ stability: StabilitySection, _ facts: AppFacts) -> Badge {
    let basis = facts.basis.rawValue
    let measured = last.crashed(facts.basis)
    let scope = AppScope(facts, .absent)
    let verdict = VerdictView(now: last, nil, staleSince: nil, in: scope)
    let label = "crash-free \(basis)"
    let title = "\(facts.app.name): \(verdict.words). \(VerdictView(last, in: scope).why)"
    let day = last.date.shortText
    func badge(_ message: String, _ state: Badge.State, _ tone: Badge.Tone) -> Badge {
        Badge(label: label, message: message, state: state, tone: tone, title: title)
    }
    func stale(_ message: String, _ tone: Badge.Tone, _ why: SourceProblem) -> Badge {
        var stale = badge("\(message) · \(day), stale", .stale, tone)
        stale.title += " Stale: \(printable(why.diagnostic(for: .public).summary))."
        return stale
    }
    switch measured {
    case .failed: return badge("✕ failed, no data yet", .failed, .bad)
    case .absent:
        // The crashes in place of a rate may be old too.
        guard stability.isCounted, case .stale(_, _, let why) = stability.crashCount(on: last.date)
        else { return badge("? not available", .unavailable, .neutral) }
        return stale("? not available", .neutral, why)
    case .stale(let share, _, let why):
        return stale("\(verdict.mark) \(figure(share))", tone(verdict), why)
    case .loaded(let share, _):
        let isEnough = verdict.look != .insufficient
        let message = "\(verdict.mark) \(figure(share)) · "
        return isEnough
            ? badge(message + day, .loaded, tone(verdict))
            : badge(message + "too few \(basis) · \(day)", .insufficient, .neutral)
    }
}

private func tone(_ verdict: VerdictView) -> Badge.Tone {
    switch verdict.look {
    case .meets: .good
    case .misses, .critical: .bad
    case .even, .insufficient, .unknown: .neutral
    }
}

/// `99.31% ±0.04`, where the larger distance holds for both sides; both bounds where one is less than three quarters
/// of the other, where the larger one would lead past 100%, and where the decimals show no distance.
private func figure(_ crashed: Fraction) -> String {
    let text = PercentFormat.crashFree(crashed)
    let free = crashed.complement
    guard let bounds = free.interval else {
        return text.rate
    }
    let (down, up) = (free.value - bounds.lower, bounds.upper - free.value)
    let distance = decimalText(max(down, up) * 100, decimals: text.display.decimals)
    let isShown = text.isExact && distance.contains { ("1"..."9").contains($0) }
    guard isShown, min(down, up) >= 0.75 * max(down, up), free.value + max(down, up) < 1 else {
        return "\(text.rate) (\(text.interval))"
    }
    return "\(text.rate) ±\(distance)"
}
