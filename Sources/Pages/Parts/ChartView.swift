package import Charts
import Markup
package import Templates

/// A chart on a page: the drawing, the words, and the numbers.
package struct ChartView: TemplateModel {
    package static let modelName = "chart"
    /// What is drawn.
    package let chart: any Chart

    /// A view of a chart.
    package init(_ chart: any Chart) { self.chart = chart }

    package static let fields: [Field<ChartView>] = [
        .text("name", "The chart's name, unique on its page, such as `crash-free-users`") { $0.chart.name },
        .text("title", "What it shows, such as `Crash-free users, 90 days`") { $0.chart.title },
        .text("description", "One sentence that says what it shows") { $0.chart.description },
        .text("glyphs", "Its values as a line of block characters, such as `▁▂▃·█`") { $0.glyphs },
        .markup("drawing", "The chart: SVG in HTML, a line of block characters in Markdown") {
            view, language in
            switch language {
            case .html, .xml: view.chart.svg()
            case .markdown, .plain: Markup(escaping: view.chart.text(), language: language)
            }
        },
        .list("table", "The rows behind the chart") { $0.rows },
        .texts("columns", "The headings of the rows") { $0.chart.table.columns },
    ]

    private var glyphs: String {
        String(chart.text().prefix { !$0.isNewline })
    }

    private var rows: [ChartRow] { chart.table.rows.map(ChartRow.init) }
}

/// One row of the numbers behind a chart.
package struct ChartRow: TemplateModel {
    package static let modelName = "chart-row"
    /// The cells from left to right.
    package var cells: [String]

    package static let fields: [Field<ChartRow>] = [
        .texts("cells", "The cells from left to right, such as `2026-11-19`", \.cells)
    ]
}
