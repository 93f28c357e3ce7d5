package import Charts
import Diagnostics
import Markup
package import Templates

/// A chart on a page: the drawing, the words, and the numbers.
package struct ChartView: TemplateModel {
    package static let modelName = "chart"
    /// What is drawn.
    package let chart: any Chart
    /// What was drawn once, for a chart that has files of its own.
    private let figure: ChartFigure?
    private var hasFiles: Bool

    /// A view of a chart without files, such as a sparkline in a table.
    package init(_ chart: any Chart) {
        self.chart = chart
        self.figure = nil
        self.hasFiles = false
    }

    /// A view of a chart that has its drawing and its numbers as files next to the page; the page must list it
    /// among its charts.
    package init(figure chart: any Chart) {
        self.chart = chart
        self.figure = ChartFigure(chart)
        self.hasFiles = true
    }

    /// The same chart with files under another name and perhaps under another title.
    func named(_ name: String, title: String? = nil) -> ChartView {
        var chart = chart
        chart.name = name
        if let title { chart.title = title }
        return ChartView(figure: chart)
    }

    /// The same chart under another title.
    func titled(_ title: String) -> ChartView {
        var chart = chart
        chart.title = title
        return figure == nil ? ChartView(chart) : ChartView(figure: chart)
    }

    /// The same chart under another name, without files.
    func small(named name: String) -> ChartView {
        var chart = chart
        chart.name = name
        return ChartView(chart)
    }

    package static let fields: [Field<ChartView>] = [
        .text("name", "The chart's name, unique on its page, such as `crash-free-users`") { $0.chart.name },
        .text("title", "What it shows, such as `Crash-free users, 90 days`") { $0.chart.title },
        .text("description", "One sentence that says what it shows") { $0.description },
        .text("glyphs", "Its values as a line of block characters, such as `▁▂▃·█`") { $0.chart.glyphs },
        .markup(
            "drawing",
            "The chart: SVG in HTML, for a place that also has `description`, wide and narrow; a line of block characters in Markdown"
        ) {
            view, language in
            switch language {
            case .html, .xml: view.figure.map { view.chart.captioned($0.drawing) } ?? view.chart.svg()
            case .markdown, .plain: Markup(escaping: view.chart.text(), language: language)
            }
        },
        .list(
            "table",
            "The rows behind the chart; three and more days in a row that say the same are one, such as `2026-08-25 to 2026-11-05`"
        ) { $0.rows },
        .list("recent", "The last 7 rows, for a chart by day whose file has all; all without a file") {
            view in view.rows.suffix(view.hasFiles ? recentRows : .max)
        },
        .optionalText("older", "The rows before those, such as `83 earlier rows`; absent without any") {
            view in
            let count = view.rows.count - recentRows
            return count > 0 && view.hasFiles ? counted(count, "earlier row") : nil
        },
        .texts("columns", "The headings of the rows: of the columns with a value in any of them") {
            $0.columns
        },
        .optionalUrl(
            "svg",
            "The file of the drawing next to the page, such as `chart-usage.svg`; absent for small charts"
        ) { $0.fileName("svg") },
        .optionalUrl(
            "csv",
            "The file of the data next to the page, such as `chart-usage.csv`; absent for small charts"
        ) { $0.fileName("csv") },
    ]

    /// The files that belong next to the page, with their texts: none for a small chart.
    package var files: [(name: String, text: String)] {
        guard let figure, let numbers else { return [] }
        return [
            (chart.fileStem + ".svg", figure.drawing.standalone.text), (chart.fileStem + ".csv", numbers.csv),
        ]
    }

    /// The table of which a file has the numbers, and these; nil without a file.
    var numbers: (table: ChartTable, csv: String)? {
        guard let figure, hasFiles else { return nil }
        return (figure.table, figure.table.csv)
    }

    private var description: String { figure?.drawing.description ?? chart.description }

    /// The rows that a page shows.
    private var rows: [ChartRow] {
        figure?.rows ?? chart.table.condensed.rows.map { ChartRow(cells: $0) }
    }

    /// Their headings.
    private var columns: [String] { figure?.columns ?? chart.table.withoutEmptyColumns.columns }

    private func fileName(_ ending: String) -> String? {
        hasFiles ? chart.fileStem + "." + ending : nil
    }

    /// The chart without files next to its page.
    var alone: ChartView {
        var view = self
        view.hasFiles = false
        return view
    }
}

/// How many rows of a chart a page shows that only wants the newest.
private let recentRows = 7

/// What is made once of a chart that is on a page and in files.
private struct ChartFigure: Sendable {
    let drawing: Drawing
    let table: ChartTable
    let rows: [ChartRow]
    let columns: [String]

    init(_ chart: any Chart) {
        drawing = chart.drawing()
        table = chart.table
        let shown = table.condensed
        rows = shown.rows.map { ChartRow(cells: $0) }
        columns = shown.columns
    }
}

/// One row of the data of a chart.
package struct ChartRow: TemplateModel {
    package static let modelName = "chart-row"
    package var cells: [String]

    package static let fields: [Field<ChartRow>] = [
        .texts("cells", "The cells from left to right, such as `2026-11-19`", \.cells)
    ]
}

/// A page with charts whose files are next to it.
package protocol ChartedPage: TemplateModel {
    /// The charts made with `ChartView(figure:)`.
    var charts: [ChartView] { get }
    /// Leaves the charts on the page without files next to it.
    mutating func leaveOutChartFiles()
}

extension ChartedPage {
    /// For pages whose files are not chosen.
    package mutating func leaveOutChartFiles() {}
}

extension AppPage: ChartedPage {
    package var charts: [ChartView] {
        [stability, eventCounts?.chart, causes?.chart, usage].compactMap(\.self)
    }

    package mutating func leaveOutChartFiles() {
        (stability, usage) = (stability?.alone, usage?.alone)
        let events = eventCounts?.chart?.alone
        eventCounts?.chart = events
        let drop = causes?.chart?.alone
        causes?.chart = drop
    }
}

extension DayPage: ChartedPage {
    package var charts: [ChartView] { [causes?.chart].compactMap(\.self) }

    package mutating func leaveOutChartFiles() {
        let drop = causes?.chart?.alone
        causes?.chart = drop
    }
}

extension UsagePage: ChartedPage {
    package var charts: [ChartView] { [chart, sessions, calendar].compactMap(\.self) }

    package mutating func leaveOutChartFiles() {
        (chart, sessions, calendar) = (chart?.alone, sessions?.alone, calendar?.alone)
    }
}

extension IssuesPage: ChartedPage {
    package var charts: [ChartView] { [users, ranks].compactMap(\.self) }

    package mutating func leaveOutChartFiles() { (users, ranks) = (users?.alone, ranks?.alone) }
}

extension IssuePage: ChartedPage {
    package var charts: [ChartView] { [chart].compactMap(\.self) }

    package mutating func leaveOutChartFiles() { chart = chart?.alone }
}

extension ReleasesPage: ChartedPage {
    package var charts: [ChartView] { [ages, adoption].compactMap(\.self) }

    package mutating func leaveOutChartFiles() { (ages, adoption) = (ages?.alone, adoption?.alone) }
}

extension ReleasePage: ChartedPage {
    package var charts: [ChartView] { [stability].compactMap(\.self) }

    package mutating func leaveOutChartFiles() { stability = stability?.alone }
}

extension PortfolioPage: ChartedPage {
    package var charts: [ChartView] { [rates].compactMap(\.self) + (introduction?.charts ?? []) }

    package mutating func leaveOutChartFiles() { rates = rates?.alone }
}

extension MethodsPage: ChartedPage {
    package var charts: [ChartView] { introduction?.charts ?? [] }
}

extension ContentPage: ChartedPage {
    package var charts: [ChartView] { body.charts }
}
