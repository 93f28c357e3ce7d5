import AppHealth
import Diagnostics
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// Users of one source next to sessions of another.
struct RateSourcesTests {
    private static let span = 0..<40

    /// A source of sessions and releases.
    private static func sessions(
        to newest: Int = 0, knows: Set<Capability> = [.sessions, .releaseHealth, .releases],
        failure: Diagnostic? = nil, capturedAt: Instant? = reportTime
    ) -> SourceHistory {
        .make(
            "sessions", knows: knows, capturedAt: capturedAt, failure: failure,
            health: span.filter { $0 >= newest }.flatMap {
                [
                    HealthDay.make($0, sessions: 20_000, crashed: 100),
                    .make($0, of: $0 < 20 ? "1.1" : "1.0", sessions: 19_000, crashed: 95),
                ]
            },
            releases: ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: nil) })
    }

    /// A source of users; its own sessions and releases are no ones that it provides.
    private static func users(
        to newest: Int = 0, knows: Set<Capability> = [.users], failure: Diagnostic? = nil
    ) -> SourceHistory {
        .make(
            "users", knows: knows, failure: failure,
            health: span.filter { $0 >= newest }.flatMap {
                [
                    HealthDay.make($0, sessions: 7, crashed: 7, users: 8000, crashedUsers: 80),
                    .make($0, of: "9.9", sessions: 7, crashed: 7),
                ]
            })
    }

    private func analysis(_ sources: [SourceHistory]) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: reportTime)
    }

    /// What counts use alone may be the older source and come first.
    @Test(arguments: [true, false]) func aRateIsOfTheFirstSourceThatHasOne(isFirst: Bool) throws {
        let use = SourceHistory.make(
            "use", knows: [.sessions], health: Self.span.map { .make($0, sessions: 500) })
        let report = analysis(isFirst ? [use, Self.sessions()] : [Self.sessions(), use])
        #expect(report.stability.sessions?.facts?.source.id.text == "sessions")
        #expect(
            report.day(lastDay).sessions
                == .loaded(try #require(Fraction(100, of: 20_000)), asOf: reportTime))
        #expect(report.sources.all.first { $0.source.id.text == "sessions" }?.unused == nil)
    }

    @Test(arguments: [[sessions(), users()], [users(), sessions()]])
    func eachKindIsOfTheFirstSourceThatProvidesIt(sources: [SourceHistory]) throws {
        let report = analysis(sources)
        let day = report.day(lastDay)
        #expect(report.facts.basis == .users)
        #expect(day.users == .loaded(try #require(Fraction(80, of: 8000)), asOf: reportTime))
        #expect(day.sessions == .loaded(try #require(Fraction(100, of: 20_000)), asOf: reportTime))
        #expect(report.stability.users?.facts?.source.id.text == "users")
        #expect(report.stability.sessions?.facts?.source.id.text == "sessions")
        #expect(report.stability.health.count == Self.span.count)
        #expect(day.coverage == .complete && day.finality != nil)
        let release = try #require(report.releases["1.1"])
        let alone = try #require(analysis([Self.sessions()]).releases["1.1"])
        #expect(release.evaluation == alone.evaluation && release.evaluation.basis != nil)
        #expect(release.adoption == alone.adoption && release.adoption.value?.value == 0.95)
        #expect(release.crashed == alone.crashed && release.source?.source.id.text == "sessions")
        #expect(report.releases["9.9"] == nil && !report.releases.known.contains("9.9"))
        #expect(report.totalConflicts(on: lastDay).isEmpty)
        #expect(day.budget?.budget.allowed.rounded() == 0.005 * 28 * 8000)
    }

    /// The one that fails is the one whose figures are stale, and whose later days could not be fetched.
    @Test(arguments: [false, true])
    func eachKindHasTheStateOfItsSource(isLaterFirst: Bool) throws {
        let failed = Self.sessions(to: 5, failure: timeout, capturedAt: .noon(back: 4))
        let report = analysis(isLaterFirst ? [Self.users(), failed] : [failed, Self.users()])
        #expect(report.facts.lastDay == lastDay)
        let known = report.day(.back(5))
        let share = try #require(Fraction(100, of: 20_000))
        #expect(known.sessions == .stale(share, asOf: .noon(back: 4), why: .failed(timeout)))
        #expect(known.users.value?.denominator == 8000 && known.users.isLoaded)
        #expect(report.day(lastDay).sessions == .absent(.noFigure(.sessions, lastDay)))
        let stability = report.stability
        #expect(stability.newestDay(of: .sessions, through: lastDay) == .back(5))
        #expect(stability.newestDay(of: .users, through: lastDay) == lastDay)
        // Nothing newer of the release is known, though the report ends later.
        #expect(report.releases["1.1"]?.adoptionDay == .back(5))
        #expect(report.releases["1.1"]?.adoption.value?.value == 0.95)
        let days = [CivilDate.back(60), .back(5), .back(2)]
        #expect(
            stability.rates(.sessions, on: days).days.map(\.absence) == [.notCollected, .missing, .failed])
        #expect(stability.rates(.users, on: days).days.map { $0.crashed != nil } == [false, true, true])
    }

    /// The report ends with the last day of the rate of the app, however far the other source is.
    @Test func lastDayIsThatOfTheRate() {
        let report = analysis([Self.users(to: 3), Self.sessions()])
        #expect(report.facts.lastDay == .back(3))
        #expect(report.lastDay.users.value != nil && report.lastDay.sessions.value != nil)
    }

    /// What is approximate in one source is exact in the other.
    @Test func errorsAreThoseOfTheirSource() {
        var users = Self.users()
        for place in users.health.indices { users.health[place].deviation = 0.01 }
        let report = analysis([Self.sessions(), users])
        #expect(report.day(lastDay).users.value?.error != nil)
        #expect(report.day(lastDay).sessions.value?.error == nil)
        #expect(report.releases["1.1"]?.stage?.share.error == nil)
    }

    /// Releases of a third source are parts of its own sessions, and explain no drop of others.
    @Test func releasesAreHeldAgainstTheSessionsOfTheirSource() {
        let third = SourceHistory.make(
            "third", knows: [.sessions, .releaseHealth, .releases],
            health: Self.span.flatMap {
                [
                    HealthDay.make($0, sessions: 1000, crashed: 10),
                    .make($0, of: "1.1", sessions: 800, crashed: 8),
                ]
            }, releases: [Release(version: Version("1.1"), releasedAt: nil)])
        let report = analysis([Self.sessions(knows: [.sessions]), Self.users(), third])
        #expect(report.day(lastDay).sessions.value?.denominator == 20_000)
        #expect(report.releases["1.1"]?.adoption.value?.value == 0.8)
        #expect(report.releases["1.1"]?.source?.source.id.text == "third")
        #expect(report.releases.totals[lastDay] == 1000)
        #expect(report.totalConflicts(on: lastDay).isEmpty)
    }

    /// Why the rate dropped is said where the sessions of the releases are those of the app alone.
    @Test(arguments: [true, false])
    func sessionsOfOthersExplainNoDrop(isOne: Bool) {
        func health(_ scale: Int) -> [HealthDay] {
            (0..<60).flatMap { back in
                let crashed = (back == 0 ? 60 : 10) * scale
                return [
                    HealthDay.make(back, sessions: 10_000 * scale, crashed: crashed),
                    .make(back, of: "1.0", sessions: 10_000 * scale, crashed: crashed),
                ]
            }
        }
        let own = SourceHistory.make(
            "own", knows: isOne ? [.sessions, .releaseHealth] : [.sessions], health: health(2))
        let other = SourceHistory.make("other", knows: [.sessions, .releaseHealth], health: health(1))
        let report = analysis([own, other])
        #expect(report.activity.events.contains { $0.kind == .stability })
        #expect((report.day(lastDay).breakdown != nil) == isOne)
        #expect(report.stability.causes.isEmpty == !isOne)
    }
}

extension Measured {
    fileprivate var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
