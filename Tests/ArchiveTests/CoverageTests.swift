import AppHealth
import Archive
import Diagnostics
import GRDB
import Testing

struct CoverageTests {
    /// A week after the fixture day.
    private let late = Instant(startOf: day.advanced(by: 7)).secondsSinceEpoch

    private func days(_ first: Int, _ last: Int) -> ClosedRange<CivilDate> {
        day.advanced(by: first)...day.advanced(by: last)
    }

    /// Records what each snapshot states, and returns what is known of three days at an instant.
    private func known(_ statements: [(at: Int, spans: [CoverageSpan])], at instant: Int) throws -> [Coverage]
    {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for statement in statements {
            try archive.record(.at(statement.at) { $0.coverage = statement.spans })
        }
        let coverage = try archive.known(at: instant).coverage
        return (0...2).map { coverage(.issueDays, on: day.advanced(by: $0)) }
    }

    @Test func newestStatementOfADayCounts() throws {
        let cut = Coverage.partial(counted: 30, of: 145)
        let first = (at: late, spans: [CoverageSpan(.issueDays, days(0, 1), cut)])
        let second = (at: late + 10, spans: [CoverageSpan(.issueDays, days(1, 2))])
        let third = (at: late + 20, spans: [CoverageSpan(.issueDays, days(2, 2), .unknown)])
        #expect(try known([first], at: late) == [cut, cut, .unknown])
        #expect(try known([first], at: late - 1) == [.unknown, .unknown, .unknown])
        for order in [[first, second, third], [third, second, first], [second, first, third]] {
            #expect(try known(order, at: late + 10) == [cut, .complete, .complete])
            #expect(try known(order, at: late + 20) == [cut, .complete, .unknown])
            #expect(try known(order, at: late + 9) == [cut, cut, .unknown])
        }
    }

    @Test func lastStatementOfASnapshotCounts() throws {
        let open = Coverage.partial(counted: nil, of: nil)
        let spans = [
            CoverageSpan(.issueDays, days(0, 2)), CoverageSpan(.issueDays, days(0, 0), open),
            CoverageSpan(.issueUsers, days(0, 2), .unknown), CoverageSpan(.issueDays, days(2, 2), .unknown),
        ]
        #expect(try known([(at: late, spans: spans)], at: late) == [open, .complete, .unknown])
    }

    @Test func statementIsStoredOnceForAnInstant() throws {
        let spans = [CoverageSpan(.issueDays, days(0, 0))]
        let again = [CoverageSpan(.issueDays, days(0, 0), .unknown)]
        #expect(
            try known([(at: late, spans: spans), (at: late, spans: again)], at: late).first == .complete)
    }

    /// How far counts may miss is kept with their days, and a day has it as long as its newest snapshot says so.
    @Test func whatIsApproximateIsKept() throws {
        let sketched = Coverage.approximate(deviation: 0.002_872)
        let spans = [CoverageSpan(.issueDays, days(0, 1), sketched)]
        let again = (at: late + 10, spans: [CoverageSpan(.issueDays, days(1, 1))])
        let known = self.known
        #expect(try known([(at: late, spans: spans)], late) == [sketched, sketched, .unknown])
        #expect(try known([(at: late, spans: spans), again], late + 10) == [sketched, .complete, .unknown])
        // A day that lost rows keeps both: how much is missing, and how far the rest may miss.
        let part = Coverage.partial(counted: nil, of: nil, deviation: 0.002_872)
        let lossy = (at: late, spans: [CoverageSpan(.issueDays, days(0, 0), part)])
        #expect(try known([lossy], late) == [part, .unknown, .unknown])
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (at, coverage) in [(late, sketched), (late + 10, Coverage.complete)] {
            try archive.record(
                .at(at) {
                    $0.health = [
                        HealthDay(date: day, sessions: 1000, crashedSessions: 5),
                        HealthDay(date: day, version: "2.0", sessions: 500, crashedSessions: 5),
                    ]
                    $0.coverage = [
                        CoverageSpan(.sessions, days(0, 0), coverage),
                        CoverageSpan(.releaseHealth, days(0, 0), sketched),
                    ]
                })
        }
        #expect(try archive.known(at: late).health.map(\.deviation) == [0.002_872, 0.002_872])
        #expect(try archive.known(at: late).healthAsReported[day]?.deviation == 0.002_872)
        #expect(try archive.known(at: late + 10).health.map(\.deviation) == [nil, 0.002_872])
    }

    @Test func whatASourceEstimatesIsKept() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10) { $0.source.estimates = [.users, .issueUsers] })
        #expect(try archive.known(at: 10).source.estimates == [.users, .issueUsers])
        #expect(try archive.known(at: 10).source.capabilities == Snapshot.at(10) { _ in }.source.capabilities)
    }

    @Test func unreadableStatementIsSkippedAndReported() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10) { $0.coverage = [CoverageSpan(.issueDays, days(0, 0))] })
        try archive.close()
        let queue = try DatabaseQueue(path: folder.archivePath)
        try queue.write { try $0.execute(sql: "UPDATE coverage SET state = 'half'") }
        try queue.close()
        let (history, warnings) = try folder.archive().history(
            of: .harbour, sources: [.files], asOf: Instant(secondsSinceEpoch: 10))
        #expect(history.sources.first?.coverage(.issueDays, on: day) == .unknown)
        #expect(warnings.first?.details == ["coverage: 1"])
    }

    @Test func crashesOfADayAreKept() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10) { $0.health = [HealthDay(date: day, crashes: 34)] })
        try archive.record(.at(20) { $0.health = [HealthDay(date: day, crashes: 36)] })
        #expect(try archive.known().health.map(\.crashes) == [36])
        #expect(try archive.known().healthAsReported[day]?.crashes == 34)
    }
}
