import AppHealth
import Formatting
import Statistics

extension LineChart {
    package var table: ChartTable {
        let series = series
        let plain = seriesTable(series, unit: unit, precision: precision(of: series), comparison: comparison)
        guard !events.isEmpty || !adoption.isEmpty else { return plain }
        let shares = adoption.map { DaySeries($0.points, domain: domain, unit: .rate) }
        let happened = Dictionary(grouping: events, by: \.date)
        let cells = plain.cells.enumerated().map { index, row -> [ChartCell] in
            let day = domain.first.advanced(by: index)
            var more = shares.map { ChartCell.value($0.points[index].value, .rate, .init(decimals: 1)) }
            if !events.isEmpty {
                let texts = (happened[day] ?? []).map { displayText($0.text, limit: 120) }
                more.append(.text(texts.joined(separator: "; ")))
            }
            return row + more
        }
        let names = adoption.map { "Share of \(displayText($0.label, limit: 40))" }
        return ChartTable(
            columns: plain.columns + names + (events.isEmpty ? [] : ["Events"]), cells: cells)
    }
}
