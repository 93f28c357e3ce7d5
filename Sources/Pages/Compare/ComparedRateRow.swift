package import Analysis
package import AppHealth
import Estimates
import Formatting
package import Templates

/// A crash-free rate of two releases over the same span, with the difference.
package struct ComparedRateRow: TemplateModel {
    package static let modelName = "compared-rate"
    package var label: String
    package var span: String
    package var difference: Figure
    package var later: Figure
    package var earlier: Figure

    package static let fields: [Field<ComparedRateRow>] = [
        .text("label", "What is counted, such as `Crash-free sessions at the same age`", \.label),
        .text("span", "Over which span, such as `days 0–3`; empty when there is none", \.span),
        .model("difference", "The later release minus the earlier one, in percentage points", \.difference),
        .model("later", "The rate of the later release", \.later),
        .model("earlier", "The rate of the earlier release", \.earlier),
    ]
}

extension ComparedRateRow {
    /// The row of a rate as the audience sees it.
    init(_ rate: PairRate, of names: RateDifference.Names, in scope: AppScope) {
        let (id, differenceID) = rate.span.figures
        let unit = rate.span.unit
        let window = rate.window.map { $0.text(scope) } ?? ""
        func figure(_ measured: Measured<Fraction>, _ label: String) -> Figure {
            var figure = Figure(id, crashed: measured, of: unit, window, from: rate.source, in: scope)
            figure.explanation = figure.explanation.within(Slug(anyText: label).text)
            // The span is once in the row.
            figure.detail =
                scope.hidesCounts
                ? nil : measured.value.map { "of \(unitText($0.denominator, unit))" }
            return figure
        }
        self.label = scope.labels[id]
        // The label says it of their lives.
        self.span = rate.span == .life ? "" : window
        self.later = figure(rate.later, names.later)
        self.earlier = figure(rate.earlier, names.earlier)
        self.difference = Figure(
            differenceID, difference: rate.difference(names), of: unit, window, from: rate.source,
            in: scope)
    }

    /// Its three numbers.
    var figures: [Figure] { [difference, later, earlier] }
}

extension PairSpan {
    /// What it counts: `sessions`, `users`, `user-days`.
    package var unit: String {
        switch self {
        case .userDaysAtAge, .sameUserDays: "user-days"
        default: basis.rawValue
        }
    }

    /// The names of the rate over it and of the difference.
    fileprivate var figures: (rate: FigureID, difference: FigureID) {
        switch self {
        case .sameAge: (.sameAge, .sameAgeDifference)
        case .sameSessions: (.sameSessions, .sameSessionsDifference)
        case .life: (.lives, .livesDifference)
        case .userDaysAtAge: (.userDaysAtAge, .userDaysAtAgeDifference)
        case .sameUserDays: (.sameUserDays, .sameUserDaysDifference)
        case .usersAtAge: (.usersAtAge, .usersAtAgeDifference)
        case .usersOnDay: (.usersOnDay, .usersOnDayDifference)
        }
    }
}

extension PairRate.Window {
    /// `days 0–3`, `days 0–9, data of both for 8`.
    func text(_ scope: AppScope) -> String {
        switch self {
        case .ages(let age, let counted):
            let span = age == 0 ? "day 0" : "days 0–\(age)"
            return counted == age + 1 ? span : span + ", data of both for \(counted)"
        case .firstSessions(let count):
            return scope.hidesCounts
                ? "the same number of first sessions" : "first \(countText(count)) sessions"
        case .firstUserDays(let count):
            return scope.hidesCounts
                ? "the same number of first user-days" : "first \(countText(count)) user-days"
        case .lives: return "lifetime"
        case .age(let age): return "day \(age)"
        case .day(let day): return "on \(day.compactText)"
        }
    }
}

extension RateDifference.Names {
    /// The address of the page of the two releases.
    func path(of app: Slug) -> SitePath { .compare(earlier, with: later, of: app) }
}

extension PairFacts {
    /// The address of its page.
    package func path(of app: Slug) -> SitePath { names.path(of: app) }
}
