import AppHealth
import Charts
import Formatting
import Statistics

/// Whether a tile still shows what its counts say.
func numberMismatch(_ figure: Figure) -> Mismatch? {
    let shown: (value: String, interval: String?)? =
        switch figure.explanation.quantity {
        case .crashFree(let crashed, _): texts(PercentFormat.crashFree(crashed))
        case .share(let share, _, _): texts(PercentFormat.share(share))
        case .count(let count, _, _): (countText(count), nil)
        case .difference(let pair, _): (pair.value, pair.intervalText)
        case .change, .stated, .absent: nil
        }
    guard let shown, shown != (figure.value, figure.interval) else { return nil }
    return Mismatch(
        .number, "“\(figure.label)” doesn't match its counts",
        "shown: \(figure.value) (\(figure.interval ?? "–"))",
        "counted: \(shown.value) (\(shown.interval ?? "–"))")
}

private func texts(_ shown: PercentFormat.Shown) -> (String, String?) { (shown.rate, shown.interval) }

/// Whether the last value of a chart is the number of a tile of a day; nothing to say when either has none or
/// when they are of different days.
func lastPointMismatch(_ chart: any Chart, _ figure: Figure, on day: CivilDate?) -> Mismatch? {
    guard let (shown, last) = chart.table.lastValue, shown == day, let value = number(of: figure),
        last != value
    else { return nil }
    return Mismatch(
        .lastPoint, "The last point of “\(chart.title)” is not “\(figure.label)”", "last point: \(last)",
        "figure: \(value)")
}

private func number(of figure: Figure) -> Double? {
    let value: Double? =
        switch figure.explanation.quantity {
        case .crashFree(let crashed, _): crashed.complement.value
        case .share(let share, _, _): share.value
        case .count(let count, _, _): Double(count)
        case .change, .difference, .stated, .absent: nil
        }
    return figure.hidesCounts ? value.map(coarseRate) : value
}

/// Rates of data files that are none.
package func shareMismatches(_ document: DataDocument) -> [Mismatch] {
    document.tables.flatMap { table in
        table.rows.flatMap { row in
            zip(table.columns, row).compactMap { column, cell in
                guard case .rate(let rate) = cell, !(0...1).contains(rate) else { return nil }
                return Mismatch(
                    .share, "“\(column)” of the table “\(table.name)” is outside 0 to 1", "value: \(rate)",
                    "bounds: 0 to 1")
            }
        }
    }
}

/// Values of a chart of rates that are none.
func shareMismatches(_ chart: any Chart) -> [Mismatch] {
    chart.table.ratesOutOfBounds.map {
        Mismatch(.share, "A value of “\(chart.title)” is outside 0 to 1", "value: \($0)", "bounds: 0 to 1")
    }
}
