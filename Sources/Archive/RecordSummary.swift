/// What recording one snapshot added to the archive: revisions by kind.
package struct RecordSummary: Hashable, Sendable {
    /// Revisions of health by day.
    package var health = 0
    /// Revisions of use by day.
    package var usage = 0
    /// Revisions of releases.
    package var releases = 0
    /// Revisions of issues.
    package var issues = 0
    /// Revisions of counts by day of issues.
    package var issueDays = 0
    /// Revisions of health and of issues by hour.
    package var hours = 0
    /// Revisions of notes.
    package var notes = 0
    /// One when the source describes itself differently than before, or for the first time.
    package var descriptions = 0
    /// One when no attempt of this instant had succeeded before.
    package var attempts = 0
    /// Values that differ from those recorded before for the very same instant; they were not stored.
    package var conflicts = 0

    /// Makes an empty summary.
    package init() {}

    /// All revisions of values; the attempt is none.
    package var revisions: Int {
        health + usage + releases + issues + issueDays + hours + notes + descriptions
    }
}
