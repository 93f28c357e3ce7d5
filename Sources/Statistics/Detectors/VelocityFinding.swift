/// An issue that spreads faster than its own past and the app's record explain.
package struct VelocityFinding: Hashable, Sendable {
    /// The place of the last step (hour or day) in the series.
    package let hour: Int
    /// The place of the issue.
    package let issue: Int
    /// The steps that were put together, the last one being `hour`.
    package let window: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among issues and windows.
    package let score: Double
    /// What the score had to exceed.
    package let bar: Double
    /// Sessions that met the issue in the window.
    package let affected: Int
    /// Sessions in the window.
    package let sessions: Int
    /// The share of sessions that was to be expected, in 0…1.
    package let expected: Double
    /// The sessions that the expectation rests on.
    package let past: Int
}
