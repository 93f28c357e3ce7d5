package import AppHealth
package import Diagnostics

/// A value of a section with its state. Why there is none is a fact; its words are made where it is shown.
package enum Measured<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value, current as of the instant.
    case loaded(Value, asOf: Instant)
    /// The last good value; the newest attempt to refresh it did not succeed.
    case stale(Value, asOf: Instant, why: SourceProblem)
    /// No value was ever had; the attempt to get one did not succeed.
    case failed(why: Diagnostic)
    /// No source knows it, or none has it for this span.
    case absent(Absence)

    /// The value, when there is one in any state.
    package var value: Value? {
        switch self {
        case .loaded(let value, _), .stale(let value, _, _): value
        case .failed, .absent: nil
        }
    }

    /// Since when the value is old, as the newest attempt to refresh it did not succeed; nil of one that is current, and
    /// where there is none.
    package var staleSince: Instant? {
        if case .stale(_, let asOf, _) = self { asOf } else { nil }
    }

    /// A value that was captured at an instant, whatever became of its source since.
    func captured(at instant: Instant?) -> Measured {
        switch self {
        case .loaded(let value, let asOf), .stale(let value, let asOf, _):
            .loaded(value, asOf: instant ?? asOf)
        case .failed, .absent: self
        }
    }

    /// The same state with another value; nil from `transform` makes it absent for the reason.
    package func map<Other>(
        orAbsent why: @autoclosure () -> Absence, _ transform: (Value) -> Other?
    ) -> Measured<Other> {
        switch self {
        case .failed(let why): return .failed(why: why)
        case .absent(let why): return .absent(why)
        case .loaded(let value, let asOf):
            return transform(value).map { .loaded($0, asOf: asOf) } ?? .absent(why())
        case .stale(let value, let asOf, let cause):
            return transform(value).map { .stale($0, asOf: asOf, why: cause) } ?? .absent(why())
        }
    }
}

extension Measured: Codable where Value: Codable {}

/// Why a value is absent.
package enum Absence: Hashable, Codable, Sendable {
    /// No source is configured.
    case noSource
    /// No source was ever queried.
    case neverFetched
    /// These providers do not provide it.
    case unknowable(providers: [String])
    /// There are no figures at all of the day.
    case noFigures(CivilDate)
    /// Some events of the day belong to no listed issue, so that it is not known how many of them are crashes.
    case unlistedEvents(CivilDate)
    /// There are no figures of the day, which is later than all that the source brought, yet.
    case noFiguresYet(CivilDate)
    /// The same, as the newest fetch of the source failed, or as it is overdue.
    case unreached(CivilDate, source: Slug, isOverdue: Bool)
    /// Nothing was counted on the day: none is not unknown.
    case none(Basis, CivilDate)
    /// The figures of the day lack this one.
    case noFigure(Basis, CivilDate)
    /// What was counted on the day is known, and how much of it crashed is not.
    case noCrashedFigure(Basis, CivilDate)
    /// There is no use on record of the day.
    case noUse(CivilDate)
    /// The source counts no users of the month.
    case noMonthlyUsers
    /// No source lists releases.
    case noReleaseSource
    /// No source counts sessions.
    case noSessionSource
    /// Nothing was counted over the span.
    case noSessions
    /// The release has no sessions.
    case noSessionsOf(release: String)
    /// The release has no sessions on the day.
    case noSessionsOn(release: String, CivilDate)
    /// The sessions of the release are not counted by day.
    case noSessionsByDay(release: String)
    /// No users of the release by day, of a source that counts users alone.
    case noUsersByDay(release: String)
    /// The provider does not provide it by release.
    case unknowableOfReleases(provider: String)
    /// Crashed sessions are not counted.
    case noCrashCounts
    /// The release was in use before the first figures.
    case inUseBefore(release: String)
    /// A release is another label of the version of one that was in use before.
    case sameVersion(release: String, as: String)
    /// The release never had the share of all sessions from which it counts as in use.
    case neverInUse(release: String)
    /// A release was counted by another source than the one it is compared with.
    case otherSource(release: String)
    /// There is no age of which both releases have counts.
    case noCommonAge
    /// Users of both releases were counted at no age.
    case noUsersAtAnAge
    /// Users of both releases were counted on none of the last days.
    case noUsersOn(lastDays: Int)
}
