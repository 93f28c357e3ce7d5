import Statistics

@testable import Charts

/// Charts say the trend that they are given: samples get the one of their values.
extension SeriesTrend {
    init?(_ values: [Double?]) {
        let known = values.suffix(Self.span).compactMap(\.self)
        guard known.count >= 8, let test = MannKendall(known) else { return nil }
        self = test.pValue >= 0.01 ? .flat : test.score > 0 ? .rising : .falling
    }
}

extension LineChart {
    /// The chart with the trend of its values.
    var trended: LineChart {
        LineChart(
            name: name, title: title, unit: unit, domain: domain, points: points, rules: rules,
            releases: releases, comparison: comparison, events: events, adoption: adoption,
            trend: SeriesTrend(series.points.map(\.value)))
    }
}

extension BarChart {
    /// The chart with the trend of its values.
    var trended: BarChart {
        BarChart(
            name: name, title: title, domain: domain, points: points, expectation: expectation,
            trend: SeriesTrend(series.points.map(\.value)))
    }
}

/// A chart with the trend of its values, when it is one that says a trend.
func trended(_ chart: any Chart) -> any Chart {
    (chart as? LineChart)?.trended ?? (chart as? BarChart)?.trended ?? chart
}
