import Statistics

extension LineChart {
    /// What stands on the right of the plot: the last value, the comparison and the levels.
    func directLabels(_ series: DaySeries, _ summary: SeriesSummary, _ other: DaySeries?) -> [DirectLabel] {
        var labels: [DirectLabel] = []
        if let last = summary.last, let value = series.points[last].value {
            labels.append(DirectLabel(.value, unit.text(value, precision(of: series))))
        }
        if let comparison, let other, other.points.contains(where: { $0.value != nil }) {
            labels.append(DirectLabel(.comparison, displayText(comparison.label, limit: 18)))
        }
        for rule in rules {
            let text = "\(displayText(rule.label, limit: 14)) \(unit.levelText(rule.value))"
            labels.append(DirectLabel(rule.kind == .target ? .target : .critical, text))
        }
        return labels
    }

    /// The labels at the height of what they name.
    func placed(
        _ labels: [DirectLabel], _ series: DaySeries, _ summary: SeriesSummary, _ other: DaySeries?,
        _ y: LinearScale
    ) -> [DirectLabel] {
        var levels = rules.makeIterator()
        return labels.map { label in
            let value =
                switch label.role {
                case .value: summary.last.flatMap { series.points[$0].value }
                case .comparison: other?.points.last { $0.value != nil }?.value
                case .target, .critical, .older: levels.next()?.value
                }
            return DirectLabel(label.role, label.text, y: y(unit.onAxis(value ?? 0)))
        }
    }
}
