/// Sessions and crashed sessions of a new release and of the old one on the same day.
package struct ReleaseDayCounts: Hashable, Sendable {
    /// Sessions of the new release.
    package let newSessions: Int
    /// Crashed sessions of the new release.
    package let newCrashed: Int
    /// Sessions of the old release.
    package let oldSessions: Int
    /// Crashed sessions of the old release.
    package let oldCrashed: Int
    /// The relative standard error of the sessions of the new release; 0 where they are exact.
    package let newDeviation: Double
    /// The relative standard error of the sessions of the old release; 0 where they are exact.
    package let oldDeviation: Double

    /// The counts; nil when one is negative or more sessions crashed than there were.
    package init?(
        newSessions: Int, newCrashed: Int, oldSessions: Int, oldCrashed: Int,
        newDeviation: Double = 0, oldDeviation: Double = 0
    ) {
        guard newCrashed >= 0, oldCrashed >= 0, newCrashed <= newSessions, oldCrashed <= oldSessions else {
            return nil
        }
        self.newSessions = newSessions
        self.newCrashed = newCrashed
        self.oldSessions = oldSessions
        self.oldCrashed = oldCrashed
        self.newDeviation = newDeviation
        self.oldDeviation = oldDeviation
    }
}
