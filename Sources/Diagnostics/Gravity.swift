/// What a diagnostic means for the run that reports it, gravest last.
///
/// The gravest of a run decides the exit code, in one place of the command; nothing else is read out of a
/// diagnostic's id.
package enum Gravity: Int, Sendable, Comparable, CaseIterable {
    /// Worth knowing: the run ends as it would have ended without it.
    case remark
    /// Something failed; the rest was done, and the site or the report shows what failed.
    case shown
    /// Nothing could be done; what was there before is unchanged.
    case nothingDone
    /// What the user wrote is wrong: the command line, the configuration, the content or the theme.
    case usage

    package static func < (lhs: Gravity, rhs: Gravity) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Diagnostics {
    /// The gravest of the list, and at least that nothing was done: for that reason they were thrown.
    package var gravity: Gravity { max(list.map(\.gravity).max() ?? .nothingDone, .nothingDone) }
}
