import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// What is compared with a summary that was sent.
struct AttentionSignsTests {
    private static func pages(
        _ settings: AlertSettings = .standard, muting mutes: [Mute.Subject] = [],
        for audience: Audience = .team
    ) -> AppPages {
        let history = AppHistory(app: AppHistory.make().app, sources: [long])
        let control = AlertControl(
            mutes: mutes.enumerated().map { .make($0, $1) }, settings: [history.app.id: settings])
        return AppPages(
            AppAnalysis(
                history, targets: .standard, asOf: reportTime, control: control, audience: audience),
            site: site)
    }

    private static func texts(_ pages: AppPages) -> [String] {
        pages.facts.days.map { pages.attentionSigns(of: $0).all }
            + WeekPage.weeks(of: [pages.weeks]).flatMap { week in
                let inputs = WeekPageInputs(week, [pages.weeks])
                return inputs.signs(WeekPage(outward: inputs, site: site)).map(\.all)
            }
    }

    static let rows: [(AlertSettings, [Mute.Subject])] = [
        (.init(kinds: [.stability: .init(isOn: false)]), []),
        (.init(kinds: [.stability: .init(least: AlertLevel(points: 20))]), []),
        (.init(kinds: [.velocity: .init(isOn: false), .sourceTrouble: .init(isOn: false)]), []),
        (
            .init(kinds: [
                .velocity: .init(least: AlertLevel(users: 200)), .releaseVerdict: .init(isOn: false),
            ]), []
        ),
        (.init(kinds: [.velocity: .init(isOn: false)]), [.init(kind: .stability)]),
    ]

    /// Neither mutes nor settings change what was sent, and no reader does.
    @Test(arguments: rows.indices, [Audience.team, Audience(.public)])
    func whatIsHiddenIsCompared(row: Int, audience: Audience) {
        let (settings, mutes) = Self.rows[row]
        let (whole, hidden) = (Self.pages(), Self.pages(settings, muting: mutes, for: audience))
        #expect(Self.texts(hidden) == Self.texts(whole))
        #expect(
            whole.facts.days.contains { day in
                let signs = hidden.attentionSigns(of: day)
                return signs.shown != signs.all
            })
    }

    /// What ledgers of earlier versions have: the ids that issues have for the reader, and what was muted alone.
    @Test func formerTextsAreKnown() {
        let (team, open) = (Self.pages(), Self.pages(for: Audience(.public)))
        #expect(team.facts.days.allSatisfy { team.attentionSigns(of: $0).former == [] })
        let changed = open.facts.days.filter { !open.attentionSigns(of: $0).former.isEmpty }
        #expect(!changed.isEmpty)
        for day in changed {
            let signs = team.attentionSigns(of: day)
            #expect(signs.all.contains("knot") || signs.all.contains("rope"), "\(signs.all)")
        }
    }
}
