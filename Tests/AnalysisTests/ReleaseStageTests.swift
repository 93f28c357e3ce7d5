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
        let stages = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releases.stages
        #expect(stages["1"]?.name == name)
        #expect(stages["1"]?.basis == .sessions)
    }

    @Test func usersAreReadWhereTheyAreReported() {
        let health: [HealthDay] = [
            .make(sessions: 10_000, users: 4000), .make(of: "1", sessions: 100, users: 2000),
            .make(of: "2", sessions: 9900, users: nil),
        ]
        let stages = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releases.stages
        #expect(
            stages["1"]?.name == "adopted" && stages["1"]?.basis == .users && stages["1"]?.share.value == 0.5
        )
        // Its users are not known, and its sessions are.
        #expect(stages["2"]?.name == "adopted" && stages["2"]?.basis == .sessions)
    }

    /// A day on which the users of a release are not known, as two builds of it were in use, is none without users.
    @Test(
        arguments: [
            // Its sessions of 10,000 on the last day, on which its users are not known.
            (9000, .complete, "adopted", .sessions, 0.9), (50, .complete, "replaced", .sessions, 0.005),
            (nil, .complete, "adopted", .users, 0.5), (nil, .unknown, "adopted", .users, 0.5),
            (0, .complete, "replaced", .sessions, 0),
        ] as [(Int?, Coverage, String, Basis, Double)])
    func usersThatAreNotKnownAreNotNone(
        sessions: Int?, coverage: Coverage, name: String, basis: Basis, share: Double
    ) {
        let health: [HealthDay] = [
            .make(1, sessions: 10_000, users: 4000), .make(1, of: "1", sessions: 6000, users: 2000),
            .make(1, of: "2", sessions: 4000, users: 2000), .make(sessions: 10_000, users: 4000),
            .make(of: "1", sessions: sessions, crashed: 1), .make(of: "2", sessions: 1000, users: 400),
        ]
        let source = SourceHistory.make(
            health: health, coverage: [CoverageSpan(.releaseHealth, .back(1)...lastDay, coverage)])
        let stage = HistoryIndex(.make(source), asOf: reportTime).releases.stages["1"]
        #expect(stage?.name == name && stage?.basis == basis && stage?.share.value == share)
    }

    /// Where so few use the app that no share of a day is surely small, the days without a session of the release tell.
    @Test(arguments: [(27, "adopted"), (28, "replaced"), (40, "replaced")])
    func aReleaseWithoutUseIsReplaced(days: Int, name: String) {
        let health = (0..<days + 9).flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 12, crashed: 0),
                .make(back, of: back < days ? "2" : "1", sessions: 12, crashed: 0),
            ]
        }
        let stages = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releases.stages
        #expect(stages["1"]?.name == name && stages["1"]?.share.value == 0)
        #expect(stages["2"]?.name == "adopted")
    }

    @Test func impossibleSharesChangeNothing() {
        let health: [HealthDay] = [
            .make(1, sessions: 100), .make(1, of: "1", sessions: 90), .make(0, sessions: 100),
            .make(0, of: "1", sessions: 101),
        ]
        let stage = HistoryIndex(.make(.make(health: health)), asOf: reportTime).releases.stages["1"]
        #expect(stage?.name == "adopted" && stage?.day == .back(1))
        #expect(HistoryIndex(.make(), asOf: reportTime).releases.stages.isEmpty)
    }
}
