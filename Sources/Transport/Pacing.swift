import Glibc

/// Clock, chance and sleep for retries, given from outside so that tests need none of them.
package struct Pacing: Sendable {
    /// Seconds since 1970, UTC.
    package var now: @Sendable () -> Int
    /// A number of 0..<1.
    package var random: @Sendable () -> Double
    /// Waits so many milliseconds; throws when the task is cancelled.
    package var sleep: @Sendable (_ milliseconds: Int) async throws -> Void

    /// A pacing of these three.
    package init(
        now: @escaping @Sendable () -> Int, random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (_ milliseconds: Int) async throws -> Void
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
    }

    /// The system's clock, chance and sleep.
    package static let system = Pacing(
        now: { time(nil) }, random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) })
}
