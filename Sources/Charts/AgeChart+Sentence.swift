import Formatting
import Statistics

extension AgeChart {
    /// What is known of the newest release, and of the others at the same age.
    package var description: String {
        let series = series
        guard let newest = series.first, let line = lines.first,
            let age = newest.points.lastIndex(where: { $0.value != nil })
        else { return "No values." }
        let precision = precision
        let day = "day \(age) after its release"
        var parts = [
            "\(displayText(line.label, limit: 40)) has \(unit.text(newest.points[age].value ?? 0, precision)) on \(day)."
        ]
        let others = zip(lines, series).dropFirst().compactMap { other, days in
            days.points[age].value.map {
                "\(displayText(other.label, limit: 40)) \(unit.text($0, precision))"
            }
        }
        if !others.isEmpty { parts.append("At the same age: \(others.joined(separator: ", ")).") }
        parts.append(lowest(newest, precision))
        let reached = newest.points.prefix(line.values.count)
        let gaps = reached.count { $0.value == nil }
        if gaps > 0 { parts.append("\(gaps) of its \(reached.count) days have no value.") }
        if rules.isEmpty { return parts.joined(separator: " ") }
        let levels = rules.map { "\(displayText($0.label, limit: 40)) \(unit.levelText($0.value))" }
        return parts.joined(separator: " ") + " Levels: " + levels.joined(separator: ", ") + "."
    }

    private func lowest(_ series: DaySeries, _ precision: PercentFormat) -> String {
        let summary = SeriesSummary(series)
        guard let low = summary.lowest, let high = summary.highest else { return "" }
        func text(_ index: Int) -> String {
            "\(unit.text(series.points[index].value ?? 0, precision)) on day \(index)"
        }
        return "Its lowest is \(text(low)), its highest \(text(high))."
    }
}
