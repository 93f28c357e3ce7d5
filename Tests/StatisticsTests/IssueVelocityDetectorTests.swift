import Statistics
import Testing

struct IssueVelocityDetectorTests {
    @Test func steadyIssuesAreQuiet() throws {
        #expect(IssueVelocityDetector().findings(in: try series()).isEmpty)
    }

    @Test func aNewIssueIsFoundInItsFirstHour() throws {
        let findings = IssueVelocityDetector().findings(
            in: try series { issue, hour, count in
                issue == 2 ? (hour >= 700 ? 60 : 0) : count
            })
        let first = try #require(findings.first)
        #expect(first.issue == 2 && first.hour == 700 && first.affected == 60 && first.sessions == 1_000)
        #expect(first.score > first.bar && first.expected < 0.001)
        #expect(findings.allSatisfy { $0.issue == 2 })
    }

    @Test func aRisingKnownIssueIsFound() throws {
        let findings = IssueVelocityDetector().findings(
            in: try series { issue, hour, count in
                issue == 0 && hour >= 700 ? count + 40 : count
            })
        #expect(try #require(findings.first).hour < 703)
    }

    @Test func aFewSessionsAreNoFinding() throws {
        let findings = IssueVelocityDetector().findings(
            in: try series { issue, hour, count in
                issue == 2 ? (hour == 700 ? 4 : 0) : count
            })
        #expect(findings.isEmpty)
    }

    @Test func gapsAndQuietHoursAreReadOver() throws {
        let sessions = (0..<800).map { $0 % 50 == 7 ? nil : $0 % 24 < 4 ? 0 : 1_000 }
        let affected = (0..<800).map { sessions[$0] == nil || $0 % 24 < 4 ? 0 : 5 + $0 % 3 }
        let series = try #require(HourlyIssues(sessions: sessions, affected: [affected]))
        #expect(IssueVelocityDetector().findings(in: series).isEmpty)
    }

    /// Of 1,000 sessions at one hour, where usually 0 to 2 meet the issue: the record of a week alone is no bar yet, so
    /// what is soon beaten by chance is not reported, and a burst is.
    @Test(arguments: [(400, 6, false), (400, 30, true), (750, 6, true)])
    func firstWeeksNeedMoreThanTheirShortRecord(hour: Int, count: Int, isFound: Bool) throws {
        let findings = IssueVelocityDetector().findings(
            in: try series { issue, step, _ in issue == 0 && step == hour ? count : (step * (issue + 5)) % 3 }
        )
        #expect(findings.isEmpty != isFound)
    }

    /// No window reaches over an hour that is not known: it would be said to be longer than it is.
    @Test func windowsHaveNoGaps() throws {
        let sessions: [Int?] = (0..<800).map { $0 % 2 == 1 && $0 > 690 ? nil : 1_000 }
        let affected = (0..<800).map { sessions[$0] == nil ? 0 : $0 >= 700 ? 60 : 4 }
        let series = try #require(HourlyIssues(sessions: sessions, affected: [affected]))
        let findings = IssueVelocityDetector().findings(in: series)
        #expect(!findings.isEmpty && findings.allSatisfy { $0.window == 1 })
    }

    @Test func extremeSeriesAreAnswered() throws {
        let empty = try #require(HourlyIssues(sessions: [], affected: []))
        #expect(IssueVelocityDetector().findings(in: empty).isEmpty)
        let vast = [Int](repeating: 1_000_000_000_000, count: 700)
        let all = try #require(HourlyIssues(sessions: vast, affected: [vast]))
        #expect(IssueVelocityDetector().findings(in: all).isEmpty)
        #expect(HourlyIssues(sessions: [1], affected: [[]]) == nil)
        #expect(HourlyIssues(sessions: [-1], affected: []) == nil)
        #expect(HourlyIssues(sessions: [1], affected: [[-1]]) == nil)
    }

    /// Three issues of an app with a thousand sessions an hour.
    private func series(_ change: (Int, Int, Int) -> Int = { $2 }) throws -> HourlyIssues {
        let affected = (0..<3).map { issue in
            (0..<800).map { hour in change(issue, hour, 3 + (hour * (issue + 5)) % 4) }
        }
        return try #require(HourlyIssues(sessions: [Int](repeating: 1_000, count: 800), affected: affected))
    }
}
