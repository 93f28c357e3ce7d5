import AppHealth
import Statistics

/// The releases of an app: those that sources list, and what was counted of them.
package struct ReleaseIndex: Sendable {
    /// What was counted of each by day.
    package let counts: ReleaseCounts
    /// By what the counts of each day were multiplied.
    let sampling: DailySampling
    /// The days with which they end.
    let ends: ReleaseEnds
    /// The lives of all that have counts, in the order of their first days, then of their versions.
    package let lives: [ReleaseHistory]
    /// Every source, in the order of the configuration.
    let sources: [SourceHistory]
    /// The day of the report: what is dated after it has not come out.
    private let today: CivilDate

    /// - Parameters:
    ///   - sources: Every source, in the order of the configuration.
    ///   - counter: The one that counts them by day.
    ///   - today: The day of the report.
    ///   - days: The days that the app has figures of.
    init(
        _ sources: [SourceHistory], countedBy counter: SourceHistory?, asOf: Instant, today: CivilDate,
        within days: FigureDays
    ) {
        self.sources = sources
        self.today = today
        counts = ReleaseCounts(counter, asOf: asOf)
        sampling = DailySampling(of: counts.totals, counts.basis, from: counter, through: days.lastWhole)
        ends = ReleaseEnds(counts, lastDay: days.last)
        lives =
            ReleaseLifeFinder(
                counts: counts, sampling: sampling, dates: sources.daysOfReleases(until: today),
                firstUse: days.firstUse
            ).lives
    }

    /// What is counted of a release on a day; nil when a count is missing or impossible.
    func count(of label: String, on day: CivilDate) -> DayCount? {
        counts.health[ReleaseDay(date: day, version: label)].flatMap(counts.basis.count)?
            .multiplied(by: sampling[day])
    }

    /// Whether a release is dated after the day of the report: it has not come out.
    func isToCome(_ release: Release) -> Bool { release.isToCome(on: today) }

    /// A release without a day that is still to come: one that is planned for later has not come out.
    func withoutDayToCome(_ release: Release) -> Release {
        guard isToCome(release) else { return release }
        var release = release
        (release.releasedAt, release.releasedOn) = (nil, nil)
        return release
    }
}

extension Release {
    /// Whether it is dated after a day.
    fileprivate func isToCome(on today: CivilDate) -> Bool { releaseDay.map { $0 > today } ?? false }
}

extension [SourceHistory] {
    /// The earliest day that they give each release that came out, by its label.
    fileprivate func daysOfReleases(until today: CivilDate) -> [String: ReleaseDate] {
        let dates = flatMap { history in
            history.releases.filter { !$0.isToCome(on: today) }.compactMap { release in
                release.releaseDay.map {
                    (release.version.label, ReleaseDate(day: $0, isStated: history.source.statesReleaseDays))
                }
            }
        }
        // Of the same day, one that is stated says more.
        return Dictionary(dates) { known, other in
            if known.day == other.day { return known.isStated ? known : other }
            return other.day < known.day ? other : known
        }
    }
}
