import Analysis
import AppHealth
import Diagnostics
import HistoryFixtures
import Testing

@testable import Pages

struct FigureTests {
    private static let day = HealthDay.make(sessions: 30_000, crashed: 3, users: 10_000, crashedUsers: 50)

    /// The figures of crash-free users on the overview, in each state that a source can be in.
    @Test(
        arguments: [
            (.make(health: [day]), .loaded, "99.50%", nil),
            (
                .make(capturedAt: .noon(back: 0), failure: timeout, health: [day]), .stale, "99.50%",
                "Stale: data from Wed, Jan 27, 2016, 12:00 UTC"
            ),
            (.make(capturedAt: nil, failure: timeout), .failed, "–", "Failed: No answer within 30 seconds"),
            (
                .make(knows: [.sessions], health: [day]), .unavailable, "–",
                "Not available: 'files' doesn't provide this"
            ),
            (
                .make(health: [.make(1)]), .unavailable, "–",
                "Not available: no users reported for Tue, Jan 26, 2016"
            ),
            (.make(), .unavailable, "–", "Not available: no data for Wed, Jan 27, 2016"),
            (SourceHistory(source: .make()), .unavailable, "–", "Not available: never fetched"),
            (
                .make(health: [.make(users: 0, crashedUsers: 0)]), .unavailable, "no users",
                "Not available: no users on Wed, Jan 27, 2016"
            ),
            (
                .make(health: [.make(users: 5, crashedUsers: 6)]), .unavailable, "–",
                "Not available: no users reported for Wed, Jan 27, 2016"
            ),
        ] as [(SourceHistory, Figure.State, String, String?)])
    func stateOfTheSourceIsThatOfTheFigure(
        source: SourceHistory, state: Figure.State, value: String, note: String?
    ) throws {
        let figure = try #require(AppPages(.make(source), site: site).overview.tiles.first)
        #expect(figure.state == state)
        #expect(plain(figure.value) == value)
        #expect(figure.stateNote == note)
        #expect((figure.interval == nil) == (state == .failed || state == .unavailable))
    }

    @Test func appWithoutASourceSaysSo() {
        let page = AppPages(.make(), site: site).overview
        #expect(Set(page.tiles.map(\.stateNote)) == ["Not available: no source configured"])
        #expect(page.verdict.name == "unknown")
        #expect(page.verdict.why == "No rate: no source configured.")
        #expect(page.frame.freshness == "No data yet.")
        #expect(page.sources.isEmpty && page.usage == nil && page.coverage == nil)
    }

    @Test(arguments: [("users", "of 1 user"), ("sessions", "of 1 session"), ("user-days", "of 1 user-day")])
    func oneIsSingular(unit: String, detail: String) throws {
        let share = try #require(Fraction(1, of: 1))
        let figure = Figure(
            .crashFreeUsers, crashed: .loaded(share, asOf: reportTime), of: unit, from: nil,
            in: AppScope(AppAnalysis.make().facts, .absent))
        #expect(figure.detail == detail)
    }

    /// A link made of blanks could not be followed.
    @Test(arguments: [("", "(no title)"), (" \t", "(no title)"), ("A", "A")])
    func issueWithoutWordsIsNamed(title: String, headline: String) {
        #expect(AppHealth.Issue(id: "a", title: title).headline == headline)
    }

    @Test func smallSampleIsInsufficient() {
        let scope = AppScope(AppAnalysis.make().facts, .absent)
        let share = Fraction(1, of: 8).map { Measured.loaded($0, asOf: reportTime) }
        let figure = Figure(
            .crashFreeUsers, crashed: share ?? .absent(.noSource), of: "users", from: nil, in: scope)
        #expect(figure.state == .insufficient)
        #expect(plain(figure.stateNote) == "Low precision: about 17,000 more users needed for ±0.5 pp")
        #expect(plain(figure.value) == "87.5%" && figure.detail == "of 8 users")
    }

    @Test(arguments: [(5, 10_000, Figure.State.loaded), (10, 1000, .insufficient), (0, 300, .insufficient)])
    func rateIsBelowTheMinimumByTheWidthOfItsInterval(crashed: Int, users: Int, state: Figure.State) throws {
        let source = SourceHistory.make(health: [.make(users: users, crashedUsers: crashed)])
        let figure = try #require(AppPages(.make(source), site: site).overview.tiles.first)
        #expect(figure.state == state)
        #expect((figure.stateNote?.contains("more users needed for") == true) == (state == .insufficient))
    }

    @Test func zeroIsANumber() {
        let page = AppPages(
            .make(.make(health: [.make(sessions: 0, crashed: 0, users: 0, crashedUsers: 0)])), site: site
        ).overview
        #expect(page.tiles.map(\.value) == ["no users", "no sessions", "0", "0"])
        #expect(page.tiles.map(\.state) == [.unavailable, .unavailable, .loaded, .loaded])
    }

    @Test func sourceThatKnowsSessionsAloneIsDecidedBySessions() {
        let page = AppPages(.make(.make(knows: [.sessions], health: [Self.day])), site: site).overview
        #expect(page.tiles.map { plain($0.value) } == ["–", "99.990%", "–", "30,000"])
        #expect(page.verdict.name == "meets")
        #expect(
            plain(page.verdict.why)
                == "Crash-free sessions 99.990% (99.971–99.997) on Wed, Jan 27, 2016; target 99.5%.")
    }

    @Test(arguments: [
        (0, 10_000, "100%"), (1, 10_000, "99.990%"), (1, 1_000_000, ">99.999%"),
        (1, PlausibleCount.largest, ">99.999%"),
        (10_000, 10_000, "0%"), (9999, 10_000, "0.010%"),
    ])
    func rateIsAllOnlyWhenNothingCrashed(crashed: Int, users: Int, text: String) throws {
        let source = SourceHistory.make(health: [.make(users: users, crashedUsers: crashed)])
        let figure = try #require(AppPages(.make(source), site: site).overview.tiles.first)
        #expect(plain(figure.value) == text)
    }

    @Test func failureIsShownWithoutItsControlCharacters() throws {
        let source = SourceHistory.make(
            capturedAt: nil, failure: Diagnostic.error("a.b", "No\u{1B}[31m\nanswer\u{202E}"))
        let figure = try #require(AppPages(.make(source), site: site).overview.tiles.first)
        #expect(figure.stateNote == #"Failed: No\u{1b}[31m\u{a}answer\u{202e}"#)
    }

    @Test func targetOfAllIsNotPromisedToBeProved() throws {
        let levels = try #require(Targets(target: 1, critical: 0.9))
        let history = AppHistory.make(.make(health: [.make(users: 500, crashedUsers: 0)]))
        let page = AppPages(AppAnalysis(history, targets: levels, asOf: reportTime), site: site).overview
        #expect(page.verdict.name == "insufficient")
        #expect(page.verdict.why.hasSuffix("target 100%. No sample can prove a target of 100%."))
    }
}
