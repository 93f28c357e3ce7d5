import Analysis
package import AppHealth
import Estimates
import Formatting

extension ExplainedPages {
    /// The weeks that have a page.
    package var weeks: [CivilWeek] { analysis.weeks.map(\.week) }

    /// The numbers of the app on the page of a week, under the name of the app; none when it has no such week.
    package func numbers(of week: CivilWeek) -> [Explanation] {
        let weeks = analysis.weeks
        guard let facts = weeks.first(where: { $0.week == week }) else { return [] }
        let before = weeks.first { $0.week.last == week.first.advanced(by: -1) }
        let numbers = [
            scope.rateNumber(facts, from: origin), scope.changeNumber(facts, since: before, from: origin),
            scope.budgetNumber(analysis.day(week.last).budget, from: origin),
        ]
        return numbers.compactMap(\.self).map { $0.within(analysis.facts.app.id.text) }
    }
}

extension AppScope {
    /// The crash-free rate of a week as its page shows it; nil without a rate.
    func shownRate(of week: WeekFacts) -> PercentFormat.Shown? {
        week.crashed.map {
            PercentFormat.crashFree(
                crashed: $0.numerator, of: $0.denominator, interval: week.interval, unit: facts.basis.rawValue
            )
        }
    }

    /// What the days of a week add up to.
    private var weekUnit: String { facts.basis == .users ? "user-days" : facts.basis.rawValue }

    fileprivate func rateNumber(_ week: WeekFacts, from source: SourceFacts?) -> Explanation? {
        guard let crashed = week.crashed, let shown = shownRate(of: week) else { return nil }
        let id: FigureID = facts.basis == .users ? .crashFreeUsers : .crashFreeSessions
        return Explanation(
            id: id.rawValue, label: labels[id], value: shown.rate, interval: shown.interval,
            window: weekText(week),
            quantity: .stated(
                rows: countRows(crashed, of: ""),
                formula: "1 − crashed \(weekUnit) ÷ all \(weekUnit), summed over the days; "
                    + "the interval is as much wider as the days vary beyond chance"),
            origin: source.map(Explanation.Origin.init))
    }

    fileprivate func changeNumber(
        _ week: WeekFacts, since before: WeekFacts?, from source: SourceFacts?
    ) -> Explanation? {
        guard let change = week.change, let now = week.crashed, let before, let then = before.crashed else {
            return nil
        }
        let display = PercentFormat(interval: change.interval)
        return Explanation(
            id: FigureID.change.rawValue, label: "\(labels[.change]) of crash-free \(facts.basis.rawValue)",
            value: display.changeText(change.value), interval: display.changeBounds(change.interval),
            window: "\(weekText(week)) vs. \(weekText(before))",
            quantity: .stated(
                rows: countRows(now, of: " of the week") + countRows(then, of: " of the week before"),
                formula: "rate of the week − rate of the week before"),
            origin: source.map(Explanation.Origin.init))
    }

    private func countRows(_ crashed: Fraction, of when: String) -> [Explanation.Row] {
        [
            Explanation.Row(what: weekUnit + when, count: countText(crashed.denominator)),
            Explanation.Row(what: "crashed \(weekUnit)\(when)", count: countText(crashed.numerator)),
        ]
    }

    private func weekText(_ week: WeekFacts) -> String {
        let span = spanText(week.week.first, week.week.last)
        return week.countedDays == 7 ? span : "\(span), \(week.countedDays) of 7 days"
    }
}
