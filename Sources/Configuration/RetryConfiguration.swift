/// How hard a fetch tries to get an answer; what is nil is left to the program.
package struct RetryConfiguration: Hashable, Sendable {
    /// The most attempts for one request, the first included.
    package var attempts: Int?
    /// The most seconds for one request with all its attempts and waits.
    package var seconds: Int?
    /// The most seconds between two attempts, unless the service asks for more; 0 waits not at all.
    package var longestWaitSeconds: Int?
}

extension YAMLFile {
    mutating func retries(_ value: YAMLValue?) -> RetryConfiguration {
        guard let value, let keys = mapping(value, keys: ["attempts", "seconds", "longestWait"]) else {
            return RetryConfiguration()
        }
        return RetryConfiguration(
            attempts: number(keys["attempts"], in: 1...20).map { Int($0) },
            seconds: number(keys["seconds"], in: 1...3600).map { Int($0) },
            longestWaitSeconds: number(keys["longestWait"], in: 0...3600).map { Int($0) })
    }
}
