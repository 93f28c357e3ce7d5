import AppHealth

extension LineChart {
    /// Counts against the counts of the same weekdays a week before, which stand behind as a dashed line.
    ///
    /// - Parameter points: the counts of the domain and of the seven days before it.
    package static func againstTheWeekBefore(
        name: String, title: String, domain: DateDomain, points: [ChartPoint], events: [EventMark] = []
    ) -> LineChart {
        let before = points.map { point in
            ChartPoint(point.date.advanced(by: 7), point.value)
        }
        return LineChart(
            name: name, title: title, unit: .count, domain: domain, points: points,
            comparison: ComparisonLine(label: "Week before", points: before), events: events)
    }
}
