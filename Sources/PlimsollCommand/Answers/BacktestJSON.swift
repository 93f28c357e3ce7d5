import Analysis
import AppHealth
import Foundation
import Statistics

/// The result of back-tests for a program.
func backtestDocument(
    _ backtests: [(backtest: Backtest, targets: Targets)], asOf: Instant
) -> some Encodable {
    BacktestFile(
        asOf: asOf.description, apps: backtests.map { BacktestFile.App($0.backtest, $0.targets) })
}

/// The shape of the result: rates in 0…1, days as `2026-11-19`.
private struct BacktestFile: Encodable {
    struct App: Encodable {
        let id: String
        let basis: String
        let first: String
        let last: String
        let coveredDays: Int
        let knownDays: Days
        let rules: [Rule]
        let target: Double
        let critical: Double
        let suggestion: Suggestion?
        let moreDaysNeeded: Int

        init(_ backtest: Backtest, _ targets: Targets) {
            id = backtest.app.id.text
            basis = backtest.basis.rawValue
            first = backtest.first.description
            last = backtest.last.description
            coveredDays = backtest.coveredDays
            knownDays = Days(backtest.knownDays)
            rules = backtest.results.map(Rule.init)
            target = targets.target
            critical = targets.critical
            suggestion = (try? backtest.suggestion.get()).map(Suggestion.init)
            moreDaysNeeded =
                if case .failure(.moreDays(let missing)) = backtest.suggestion { missing } else { 0 }
        }
    }

    struct Days: Encodable {
        let rate: Int
        let crashes: Int
        let issues: Int
        let allIssues: Int
        let use: Int

        init(_ days: Backtest.DaysByNeed) {
            rate = days.rate
            crashes = days.crashes
            issues = days.issues
            allIssues = days.allIssues
            use = days.use
        }
    }

    struct Rule: Encodable {
        let rule: String
        let kind: String
        let variant: String
        let events: Int
        let dates: [String]
        let muted: Int
        let perYear: Double?
        let expectedPerYear: Double?

        init(_ result: Backtest.Result) {
            rule = result.ruleID
            kind = result.kind.key
            variant = result.variant.name
            events = result.dates.count
            dates = result.dates.map(\.description)
            muted = result.muted
            perYear = result.perYear
            expectedPerYear = result.expectedPerYear
        }
    }

    struct Suggestion: Encodable {
        let days: Int
        let farBelow: Int
        let oneCrash: Double
        let median: Double
        let medianLower: Double
        let medianUpper: Double
        let target: Double
        let targetMisses: Int
        let critical: Double
        let criticalMisses: Int
        let usualDays: Int
        let usualTargetMisses: Int
        let usualCriticalMisses: Int

        init(_ suggestion: LevelSuggestion) {
            days = suggestion.days
            farBelow = suggestion.farBelow
            oneCrash = suggestion.oneCrash
            median = suggestion.median
            medianLower = suggestion.medianInterval.lower
            medianUpper = suggestion.medianInterval.upper
            target = suggestion.targets.target
            targetMisses = suggestion.misses.target
            critical = suggestion.targets.critical
            criticalMisses = suggestion.misses.critical
            usualDays = suggestion.usualDays
            usualTargetMisses = suggestion.usualMisses.target
            usualCriticalMisses = suggestion.usualMisses.critical
        }
    }

    let format = "plimsoll-backtest"
    let version = 1
    let asOf: String
    let apps: [App]
}
