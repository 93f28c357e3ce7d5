import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct ReleaseStageTests {
    /// Sessions of the release of 10,000 in all, the oldest day first; nil is a day that reports no release at all.
    @Test(
        arguments: [
            ([100], "low"), ([1200], "adopted"), ([1020], "low"), ([1200, 1020], "adopted"),
            ([1200, 990], "adopted"),
            ([1200, 900], "replaced"), ([1200, 900, 1020], "replaced"), ([1200, 900, 1200], "adopted"),
            ([1200, nil], "adopted"), ([1200, 0], "replaced"), ([100, 0], "low"),
        ] as [([Int?], String)])
    func stageFollowsTheInterval(sessions: [Int?], name: String) {
        let health = sessions.reversed().enumerated().flatMap { back, own -> [HealthDay] in
            guard let own else { return [.make(back, sessions: 10_000)] }
            let rows: [HealthDay] = [
                .make(back, sessions: 10_000), .make(back, of: "other", sessions: 10_000 - own),
            ]
            // A release without sessions has no row.
            return own > 0 ? rows + [.make(back, of: "1", sessions: own)] : rows
        }
        let stages = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releaseStages
        #expect(stages["1"]?.name == name)
        #expect(stages["1"]?.basis == .sessions)
    }

    @Test func usersAreReadWhereTheyAreReported() {
        let health: [HealthDay] = [
            .make(sessions: 10_000, users: 4000), .make(of: "1", sessions: 100, users: 2000),
            .make(of: "2", sessions: 9900, users: nil),
        ]
        let stages = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releaseStages
        #expect(
            stages["1"]?.name == "adopted" && stages["1"]?.basis == .users && stages["1"]?.share.value == 0.5
        )
        #expect(stages["2"] == nil)
    }

    @Test func impossibleSharesChangeNothing() {
        let health: [HealthDay] = [
            .make(1, sessions: 100), .make(1, of: "1", sessions: 90), .make(0, sessions: 100),
            .make(0, of: "1", sessions: 101),
        ]
        let stage = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releaseStages["1"]
        #expect(stage?.name == "adopted" && stage?.day == .back(1))
        #expect(HistoryIndex(.make(), asOf: reportTime).releaseStages.isEmpty)
    }
}
