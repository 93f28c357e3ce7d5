import Analysis
package import AppHealth
import Formatting

/// A week of all apps as its pages list them: made once for all of them.
package struct WeekList: Sendable {
    /// The week.
    package let week: CivilWeek
    /// How the apps are spread over pages.
    package let parts: PageParts
    /// Where the apps that have the week are, and the week in each; those first that need attention most.
    let places: [(app: Int, week: Int)]
    /// One sentence on the week.
    let sentence: String
    /// When the newest figure was captured.
    let capturedAt: Instant?

    /// How many apps a page has room for: a row takes 1.2 kB.
    private static let partSize = 30

    /// The apps that have the week.
    package init(_ week: CivilWeek, _ apps: [WeeksOfApp]) {
        let known = apps.indices.compactMap { app in
            apps[app].all.firstIndex { $0.week == week }.map { (app: app, week: $0) }
        }
        let keys = known.map { place in
            let app = apps[place.app].facts.app
            return (need: apps[place.app].all[place.week].verdict.need, name: app.name, id: app.id)
        }
        let order = known.indices.sorted { first, second in
            let (first, second) = (keys[first], keys[second])
            return first.need != second.need
                ? first.need > second.need : (first.name, first.id) < (second.name, second.id)
        }
        self.week = week
        places = order.map { known[$0] }
        parts = PageParts(
            of: places.map { _ in 1 }, most: Self.partSize, apps: places.count)
        sentence = weekSentence(places.map { (apps[$0.app].facts.app.name, apps[$0.app].all[$0.week]) })
        capturedAt = places.compactMap { apps[$0.app].all[$0.week].capturedAt }.max()
    }

    /// The app at a place, and the week of it.
    func app(at row: Int, of apps: [WeeksOfApp]) -> AppWeek {
        let place = places[row]
        return AppWeek(apps[place.app].facts, apps[place.app].all[place.week])
    }
}

/// `Sketchbook is below target. 2 of 3 apps meet their target. Alerts: 1 opened, 0 closed.`
private func weekSentence(_ apps: [(name: String, week: WeekFacts)]) -> String {
    let status = statusParts(
        apps.map { app in
            let status: StatusInSentence =
                switch app.week.verdict {
                case .critical: .critical
                case .misses: .below
                case .meets: .meeting
                case .notEnoughData: .unsure
                case .unknown: app.week.silentDays > 0 ? .silent : .unrated
                }
            return (app.name, status)
        })
    let (opened, closed) = apps.reduce((0, 0)) { ($0.0 + $1.week.opened, $0.1 + $1.week.closed) }
    let alerts = "Alerts: \(countText(opened)) opened, \(countText(closed)) closed"
    return (status + [alerts]).joined(separator: ". ") + "."
}
