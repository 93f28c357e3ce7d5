package import Analysis
import AppHealth
package import Diagnostics
import Formatting

/// Warnings about mutes that are no longer of use: expired in every app, or matching nothing.
///
/// - Parameter uses: what became of the mutes, in every app.
package func muteProblems(_ mutes: [Mute], _ uses: [MuteUse]) -> [Diagnostic] {
    let byMute = Dictionary(grouping: uses, by: \.mute.number)
    return mutes.compactMap { mute in
        let uses = byMute[mute.number] ?? []
        let ends = uses.compactMap(\.ended)
        if let last = ends.max(), ends.count == uses.count { return expired(mute, last) }
        if uses.contains(where: { $0.fitting > 0 || $0.namesIssue }) { return nil }
        return unmatched(mute, near: uses.compactMap(\.near).first)
    }
}

private func expired(_ mute: Mute, _ end: Instant) -> Diagnostic {
    .warning(
        "mute.expired", "Mute expired on \(end.date): \(mute.what)",
        details: ["it was set \(mute.untilWords), by \(mute.by)"], at: mute.location,
        hints: ["remove it, or give it a later end"])
}

private func unmatched(_ mute: Mute, near: String?) -> Diagnostic {
    .warning(
        "mute.unmatched", "Mute matches nothing: \(mute.what)", at: mute.location,
        hints: [near.map { "did you mean issue '\($0)'?" } ?? "remove it, or check what it names"])
}

extension Mute {
    /// `Issue Velocity Alert, issue 1a2b, in sketchbook`.
    package var what: String {
        [
            subject.kind?.title ?? "All activity", subject.issue.map { "issue \($0)" },
            subject.version.map { "version \($0)" }, subject.source.map { "source \($0)" },
            subject.app.map { "in \($0)" } ?? "all apps",
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// `until Tue, Dec 1, 2026 or until seen in 4.3.0`; `permanently`.
    package var untilWords: String {
        let words = [
            end.date.map { "until \($0.compactText)" }, end.version.map { "until seen in \($0)" },
            end.level.map { "until \($0.words(of: subject.kind))" },
        ].compactMap { $0 }
        return words.isEmpty ? "permanently" : words.joined(separator: " or ")
    }
}

extension AlertLevel {
    /// `200 users a day or 5% of sessions`, as events of a kind measure it; nil for several kinds.
    package func words(of kind: EventKind?) -> String {
        [
            users.map { "\($0) users a day" }, share.map { shareWords(shortDecimal($0) + "%", of: kind) },
            points.map { "a drop of \(trimmedPointsText($0, decimals: 3))" },
        ].compactMap { $0 }.joined(separator: " or ")
    }
}

/// A share is one of sessions; of use, and of crashes without a rate, it is a difference from what was expected.
private func shareWords(_ percent: String, of kind: EventKind?) -> String {
    switch kind {
    case .usage: "a difference of \(percent) from the expected level"
    case .stability: "\(percent) more crashes than expected"
    default: "\(percent) of sessions"
    }
}

/// A level as a person wrote it, with at most three decimals: `0.25`, `5`.
func shortDecimal(_ value: Double) -> String { trimmedDecimalText(value, decimals: 3) }

extension HiddenEvents {
    /// `3 more New Issues hidden (limit 5 a day)`.
    package var sentence: String { Self.sentence(count, kind, reason) }

    /// The sentence for so many of a kind.
    package static func sentence(_ count: Int, _ kind: EventKind, _ reason: Reason) -> String {
        let events = count == 1 ? kind.title : kind.plural
        return switch reason {
        case .off: "\(count) \(events) hidden (turned off)"
        case .belowLevel(let level, let kind):
            "\(count) \(events) hidden (below \(level.words(of: kind)))"
        case .limit(let limit): "\(count) more \(events) hidden (limit \(limit) a day)"
        }
    }
}

extension EventKind {
    /// Several of them: `New Issues`, `Recoveries`.
    package var plural: String {
        title.hasSuffix("y") ? title.dropLast() + "ies" : title + "s"
    }
}
