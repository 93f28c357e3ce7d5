import Analysis
package import AppHealth

/// A week of an app with what its row takes from the rest of the app: nothing that another night moves.
package struct AppWeek: Encodable, Sendable {
    /// What the pages of the app share, as far as the row needs it.
    let facts: AppFacts
    /// The week.
    let week: WeekFacts

    init(_ facts: AppFacts, _ week: WeekFacts) {
        self.facts = facts.row(through: week.week.last, linking: week.releases.map(\.label))
        self.week = week
    }
}

/// All that a page of a week of all apps is made from, and of its first part the data and the summary next to it,
/// besides what every page of the site shares.
package struct WeekPageInputs: Encodable, Sendable {
    /// The week.
    let week: CivilWeek
    /// Which part of its apps, from 1.
    let part: Int
    /// How the apps are spread over pages.
    let parts: PageParts
    /// One sentence on the week.
    let sentence: String
    /// When the newest figure was captured.
    let capturedAt: Instant?
    /// The apps of the part, of the first part all apps; those first that need attention most.
    let apps: [AppWeek]
    /// The week with a page before it; nil for the first one.
    let previous: CivilWeek?
    /// The week with a page after it; nil for the newest one.
    let next: CivilWeek?

    /// A part of the apps of a week.
    ///
    /// - Parameter weeks: all weeks that have a page, the newest first.
    package init(_ list: WeekList, part: Int = 1, _ apps: [WeeksOfApp], weeks: [CivilWeek] = []) {
        let rows = part == 1 ? list.places.indices : list.parts.rows(of: part)
        let place = weeks.firstIndex(of: list.week)
        func another(_ step: Int) -> CivilWeek? {
            place.flatMap { weeks.indices.contains($0 + step) ? weeks[$0 + step] : nil }
        }
        week = list.week
        self.part = part
        parts = list.parts
        sentence = list.sentence
        capturedAt = list.capturedAt
        self.apps = rows.map { list.app(at: $0, of: apps) }
        (previous, next) = (another(1), another(-1))
    }

    /// All apps of a week, on a page without others next to it.
    package init(_ week: CivilWeek, _ apps: [WeeksOfApp]) { self.init(WeekList(week, apps), apps) }

    /// The apps of the page itself.
    var rows: ArraySlice<AppWeek> { part == 1 ? apps.prefix(parts.rows(of: 1).count) : apps[...] }
}
