import AppHealth
package import Diagnostics

/// Warnings about mutes that are no longer of use: those that have ended in every app that they concern, and
/// those that fit no event.
///
/// - Parameter uses: what became of the mutes, in every app.
package func muteProblems(_ mutes: [Mute], _ uses: [MuteUse]) -> [Diagnostic] {
    let byMute = Dictionary(grouping: uses, by: \.mute.number)
    return mutes.compactMap { mute in
        let uses = byMute[mute.number] ?? []
        let ends = uses.compactMap(\.ended)
        if let last = ends.max(), ends.count == uses.count { return expired(mute, last) }
        if uses.contains(where: { $0.fitting > 0 }) { return nil }
        return unmatched(mute, near: uses.compactMap(\.near).first)
    }
}

private func expired(_ mute: Mute, _ end: Instant) -> Diagnostic {
    .warning(
        "mute.expired", "The mute of \(mute.what) ended on \(end.date)",
        details: ["it stood \(mute.untilWords), by \(mute.by)"], at: mute.location,
        hints: ["remove it, or give it a later end"])
}

private func unmatched(_ mute: Mute, near: String?) -> Diagnostic {
    .warning(
        "mute.unmatched", "The mute of \(mute.what) fits no event", at: mute.location,
        hints: [near.map { "did you mean issue '\($0)'?" } ?? "remove it, or check what it names"])
}
