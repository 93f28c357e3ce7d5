/// In what steps a series of issues is counted and how far back a detector looks; all lengths are in steps.
package struct VelocityPace: Hashable, Sendable {
    /// Steps that are put together, and what share of the false alarms they are granted.
    package struct Window: Hashable, Sendable {
        /// How many steps.
        package let steps: Int
        /// Its share, in 0…1; those of all windows add up to one.
        package let share: Double
    }

    /// The windows in which an issue may be found.
    package let windows: [Window]
    /// How far back an issue's own rate looks.
    package let history: Int
    /// The steps before the present one that are left out, so that a rise does not raise its own bar.
    package let lag: Int
    /// The steps before the first forecast.
    package let warmUp: Int
    /// The steps before the first report: the record needs some length too.
    package let firstReport: Int
    /// How far back the app's record looks.
    package let record: Int
    /// How long an alarm lasts, within which scores are cut off.
    package let alarm: Int
    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens: by hours those that `SCORE.md` of the bench is about; by days series of a year
    /// and a half, as those are too short for more than a bound.
    package let falseReportsPerYear: Double

    /// Hours: three weeks of them, windows of one, two and four.
    package static let hourly = VelocityPace(
        windows: [Window(steps: 1, share: 0.6), Window(steps: 2, share: 0.2), Window(steps: 4, share: 0.2)],
        history: 504, lag: 7, warmUp: 168, firstReport: 336, record: 504, alarm: 24,
        falseReportsPerYear: 4.0)

    /// Days: eight weeks of them, windows of one and three.
    package static let daily = VelocityPace(
        windows: [Window(steps: 1, share: 0.6), Window(steps: 3, share: 0.4)],
        history: 56, lag: 3, warmUp: 21, firstReport: 28, record: 182, alarm: 7, falseReportsPerYear: 0.3)
}
