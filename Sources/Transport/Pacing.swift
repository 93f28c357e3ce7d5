import Glibc

/// Clocks, chance and sleep for retries and limits, given from outside so that tests need none of them.
package struct Pacing: Sendable {
    /// Seconds since 1970, UTC.
    package var now: @Sendable () -> Int
    /// A number of 0..<1.
    package var random: @Sendable () -> Double
    /// Waits so many milliseconds; throws when the task is cancelled.
    package var sleep: @Sendable (_ milliseconds: Int) async throws -> Void
    /// Milliseconds since any fixed moment; never goes back.
    package var milliseconds: @Sendable () -> Int

    /// A pacing of these; without a clock of milliseconds, the one of seconds serves.
    package init(
        now: @escaping @Sendable () -> Int, random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (_ milliseconds: Int) async throws -> Void,
        milliseconds: (@Sendable () -> Int)? = nil
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
        self.milliseconds = milliseconds ?? { now() &* 1000 }
    }

    /// The system's clock, chance and sleep.
    package static let system = Pacing(
        now: { time(nil) }, random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) }, milliseconds: uptime)
}

private func uptime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000
}
