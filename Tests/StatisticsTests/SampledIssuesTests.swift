import Statistics
import Testing

/// Issues of an app of which one session in a hundred was counted, and multiplied.
struct SampledIssuesTests {
    private static let days = 365

    /// 100 counted sessions a day with twenty issues; one of them rises tenfold on the last two days where it shall.
    private func sample(seed: UInt64, rises: Bool = false) -> (sessions: [Int], issues: [[Int]]) {
        var noise = Noise(seed: seed)
        let sessions = (0..<Self.days).map { _ in noise.count(100) }
        let issues = (1...20).map { rank in
            sessions.indices.map { day in
                let rise = rises && rank == 1 && day >= Self.days - 2 ? 10.0 : 1
                return noise.count(2 * rise / Double(rank))
            }
        }
        return (sessions, issues)
    }

    private func series(
        _ sample: (sessions: [Int], issues: [[Int]]), times factor: Int = 1, issues other: Int? = nil
    ) throws -> IssueSeries {
        try #require(
            IssueSeries(
                sessions: sample.sessions.map { $0 * factor },
                affected: sample.issues.map { $0.map { $0 * (other ?? factor) } }))
    }

    private let detector = IssueVelocityDetector(pace: .daily)
    private let factors = [Double](repeating: 100, count: Self.days)

    /// What is found is what the sample shows, with the counts as they were stated.
    @Test(arguments: 1...6 as ClosedRange<UInt64>, [true, false])
    func aSampleIsJudgedByWhatWasSeen(seed: UInt64, rises: Bool) throws {
        let sample = sample(seed: seed, rises: rises)
        let plain = detector.findings(in: try series(sample))
        let found = detector.findings(in: try series(sample, times: 100), sampling: factors)
        #expect(found.map(\.hour) == plain.map(\.hour) && found.map(\.issue) == plain.map(\.issue))
        #expect(found.map(\.score) == plain.map(\.score) && found.map(\.expected) == plain.map(\.expected))
        #expect(found.map(\.affected) == plain.map { $0.affected * 100 })
        #expect(found.map(\.sessions) == plain.map { $0.sessions * 100 })
        #expect(found.allSatisfy { $0.sampling == 100 } && plain.allSatisfy { $0.sampling == nil })
        #expect(!rises || found.contains { $0.issue == 0 && $0.hour >= Self.days - 2 })
    }

    /// A past of more sessions than a number holds is held at the most that any app has.
    @Test func aPastBeyondAllNumbersIsHeld() throws {
        let factor = 10_000_000_000_000_000
        let found = detector.findings(
            in: try series(sample(seed: 1, rises: true), times: factor),
            sampling: [Double](repeating: Double(factor), count: Self.days))
        #expect(!found.isEmpty && found.allSatisfy { $0.past == 1_000_000_000_000_000 })
    }

    /// Sessions of a sample say nothing of issues that another source counted as a whole.
    @Test func issuesThatAreNoMultiplesAreNoSample() throws {
        let mixed = try series(sample(seed: 3, rises: true), times: 100, issues: 7)
        #expect(detector.findings(in: mixed, sampling: factors) == detector.findings(in: mixed))
        #expect(detector.findings(in: mixed, sampling: []) == detector.findings(in: mixed))
    }

    @Test func factorsAreThoseOfTheCountsOrAsStated() throws {
        var noise = Noise(seed: 5)
        let counts = (0..<60).map { day in
            day == 30
                ? nil : DayCount(total: 100 * noise.count(1000), crashed: 100 * noise.count(20))
        }
        #expect(sampleFactors(of: counts) == [Double](repeating: 100, count: 60))
        let odd = (0..<60).map { DayCount(total: 1001 + $0, crashed: 7) }
        #expect(sampleFactors(of: odd) == [Double](repeating: 1, count: 60))
        #expect(sampleFactors(of: odd, stated: odd.map { _ in 10.3 }) == odd.map { _ in 10.3 })
        #expect(isMultiple(31, of: 10.3) && !isMultiple(54, of: 10.3) && isMultiple(0, of: 100))
    }
}
