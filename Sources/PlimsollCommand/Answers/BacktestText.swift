import Analysis
import AppHealth
import Diagnostics
import Formatting
import Pages
import Statistics

/// The result of back-tests for a person.
func backtestText(_ backtests: [(backtest: Backtest, targets: Targets)], asOf: Instant) -> String {
    let parts = backtests.map { lines(of: $0.backtest, $0.targets) }
    let head = "Backtest as of \(asOf)"
    return ([[head]] + parts).map { $0.map(printable).joined(separator: "\n") }.joined(separator: "\n\n")
        + "\n"
}

private func lines(of backtest: Backtest, _ targets: Targets) -> [String] {
    let span =
        "\(backtest.first) to \(backtest.last), \(counted(backtest.coveredDays, "day")) in the archive"
    return ["\(backtest.app.name) (\(backtest.app.id)): \(span)", "  " + knownText(backtest.knownDays)]
        + backtest.results.flatMap { lines(of: $0) } + levelLines(backtest, targets)
}

/// `Days known: 90 with a rate, 88 with all crashes, 90 with issues (76 with all), 90 with use`.
private func knownText(_ days: Backtest.DaysByNeed) -> String {
    let all = days.allIssues < days.issues ? " (\(days.allIssues) with all)" : ""
    let crashes = days.areCrashesOfShare ? "crashes of a share" : "all crashes"
    return
        "Days known: \(days.rate) with a rate, \(days.crashes) with \(crashes), \(days.issues) with issues\(all), "
        + "\(days.use) with use"
}

private func lines(of result: Backtest.Result) -> [String] {
    let indent = result.variant.isStandard ? "  " : "    "
    let kind = result.kind.title(onCrashCounts: result.isOnCrashCounts)
    let title = result.ruleID == SourceIdleRule.id ? "\(kind) without a newer day" : kind
    let name =
        result.variant.isStandard ? "\(title) (\(result.kind.key))" : "with \(result.variant.name)"
    var line = "\(indent)\(name): fired \(result.dates.count)×"
    let pace = result.dates.isEmpty ? nil : result.perYear
    let rates = [
        pace.map { "\(decimalText($0, decimals: $0 < 10 ? 1 : 0)) a year" },
        result.expectedPerYear.map {
            "about \(decimalText($0, decimals: 1))\(pace == nil ? " a year" : "") by chance"
        },
    ].compactMap(\.self)
    if !rates.isEmpty { line += " (\(rates.joined(separator: "; ")))" }
    if result.muted > 0 { line += ", \(result.muted) muted now" }
    return [line] + (result.dates.isEmpty ? [] : [indent + "  on " + dateText(result.dates)])
}

/// The days, each once, with how often where more than once; three days and more in a row as a span:
/// `2026-10-02 to 2026-10-09, 2026-10-13, 2026-10-14 (×3)`.
private func dateText(_ dates: [CivilDate]) -> String {
    let counts = Dictionary(dates.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
    var runs: [(first: CivilDate, last: CivilDate, count: Int)] = []
    for (date, count) in counts {
        if let run = runs.last, run.count == count, run.last.advanced(by: 1) == date {
            runs[runs.count - 1].last = date
        } else {
            runs.append((date, date, count))
        }
    }
    return runs.map { run in
        let often = run.count == 1 ? "" : " (×\(run.count))"
        if run.first == run.last { return "\(run.first)" + often }
        let isPair = run.first.advanced(by: 1) == run.last
        return isPair ? "\(run.first)\(often), \(run.last)\(often)" : "\(run.first) to \(run.last)\(often)"
    }.joined(separator: ", ")
}

private func levelLines(_ backtest: Backtest, _ targets: Targets) -> [String] {
    switch backtest.suggestion {
    case .success(let suggestion): levelLines(suggestion, backtest, targets)
    case .failure(let shortage): ["  No suggestion: \(shortage.words)."]
    }
}

private func levelLines(
    _ suggestion: LevelSuggestion, _ backtest: Backtest, _ targets: Targets
) -> [String] {
    let style = PercentFormat(decimals: 2)
    let median = style.text(suggestion.median) + " (" + style.intervalText(suggestion.medianInterval) + ")"
    let (misses, days) = (suggestion.usualMisses, "\(suggestion.usualDays) days without outliers")
    return [
        "  Median crash-free \(backtest.basis.rawValue) of \(suggestion.days) days: \(median)",
        "  Suggested: target \(level(suggestion.targets.target)), missed on \(misses.target) of \(days); "
            + "critical \(level(suggestion.targets.critical)), missed on \(misses.critical)",
        "  Configured: target \(level(targets.target)), critical \(level(targets.critical))",
    ] + cautions(suggestion)
}

private func cautions(_ suggestion: LevelSuggestion) -> [String] {
    var lines: [String] = []
    if suggestion.farBelow > 0 {
        lines.append("  \(counted(suggestion.farBelow, "outlier day")) excluded.")
    }
    // With fewer than 200 on a day, single crashes make the levels.
    if suggestion.oneCrash > 0.005 {
        lines.append(
            "  Use with care: one crash moves a typical day by "
                + "\(decimalText(suggestion.oneCrash * 100, decimals: 1))\u{A0}pp.")
    }
    return lines
}

extension LevelSuggestion.Shortage {
    fileprivate var words: String {
        switch self {
        case .moreDays(let missing): "needs \(counted(missing, "more day")) of data"
        case .tooLow: "the crash-free rate is too low for two levels"
        }
    }
}

/// A limit in percent without needless decimals: `99.3`.
private func level(_ level: Double) -> String { PercentFormat.levelNumber(level) }
