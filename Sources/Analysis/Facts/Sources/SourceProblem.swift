package import AppHealth
package import Diagnostics

/// Why the newest figures of a source are not current.
package enum SourceProblem: Hashable, Codable, Sendable {
    /// The newest fetch failed.
    case failed(Diagnostic)
    /// The source ended on a day, and no other one follows it.
    case ended(Slug, on: CivilDate)
    /// It was fetched at an instant and brought no newer day of all its figures, or of one kind.
    case idle(DailyFigure?, since: CivilDate, fetchedAt: Instant)
    /// Nothing was fetched since an instant.
    case overdue(since: Instant)
}
