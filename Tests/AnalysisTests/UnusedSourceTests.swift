import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Which of the sources of an app are shown nowhere.
struct UnusedSourceTests {
    /// The names of sources with their provider and what they provide, and each that is unused with the one that is used.
    @Test(
        arguments: [
            // Two projects of one service, such as one for each platform.
            (
                [("ios", "sentry", [.sessions, .issues]), ("android", "sentry", [.sessions, .issues])],
                ["android: ios"]
            ),
            (
                [("ios", "sentry", [.sessions, .issues]), ("android", "sentry", [.issues, .notes])],
                ["android: ios"]
            ),
            // Each adds something, or there is nothing of which only one can be shown.
            ([("a", "files", [.sessions]), ("b", "files", [.sessions, .users])], []),
            ([("a", "files", [.sessions]), ("b", "files", [.usage])], []),
            ([("a", "files", [.sessions, .notes]), ("b", "files", [.notes, .releases])], []),
            // Another service counts otherwise: it may be there for its own kinds of data, or in case the first fails.
            ([("sentry", "sentry", [.sessions, .issues]), ("ga4", "ga4", [.sessions])], []),
            (
                [
                    ("a", "sentry", [.sessions]), ("b", "play", [.users]), ("c", "sentry", [.sessions]),
                    ("d", "play", [.users]),
                ], ["c: a", "d: b"]
            ),
        ] as [([(String, String, Set<Capability>)], [String])])
    func thoseThatAddNothing(sources: [(String, String, Set<Capability>)], unused: [String]) {
        let all = sources.map { id, provider, capabilities in
            var source = Source.make(id, knows: capabilities)
            source.provider = provider
            return source
        }
        #expect(UnusedSource.all(in: all).map { "\($0.id): \($0.used)" } == unused)
    }

    /// A source that never responded may provide anything, and the public is not who configures the site.
    @Test(arguments: [(true, Audience.team, true), (false, .team, false), (true, Audience(.public), false)])
    func whatIsFetchedIsShownToTheTeam(isFetched: Bool, audience: Audience, isNamed: Bool) {
        let history = AppHistory.make(
            .make("ios"), .make("android", capturedAt: isFetched ? reportTime : nil))
        var same = history
        for place in same.sources.indices { same.sources[place].source.provider = "sentry" }
        let analysis = AppAnalysis(same, targets: .standard, asOf: reportTime, audience: audience)
        #expect(analysis.sources.all.map { $0.unused?.used.text } == [nil, isNamed ? "ios" : nil])
    }

    /// Crashes and hangs of one package of Google Play.
    @Test(arguments: [true, false]) func twoMeasuresAreTwoApps(areTwo: Bool) {
        var sources = ["crashes", "anr"].map { Source.make($0, knows: [.users]) }
        for place in sources.indices { sources[place].provider = "play" }
        if areTwo { sources[1].userDefinition = "Users with a hang" }
        #expect(UnusedSource.all(in: sources).map(\.countsOtherwise) == [areTwo])
    }
}
