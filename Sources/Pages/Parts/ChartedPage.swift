package import Templates

/// A page with charts whose files stand beside it.
package protocol ChartedPage: TemplateModel {
    /// The charts made with `ChartView(figure:)`.
    var charts: [ChartView] { get }
}

extension AppPage: ChartedPage {
    package var charts: [ChartView] { [stability] + [usage].compactMap(\.self) }
}

extension UsagePage: ChartedPage {
    package var charts: [ChartView] { [chart, sessions, calendar].compactMap(\.self) }
}

extension IssuesPage: ChartedPage {
    package var charts: [ChartView] { [users, ranks].compactMap(\.self) }
}

extension IssuePage: ChartedPage {
    package var charts: [ChartView] { [chart].compactMap(\.self) }
}

extension ReleasesPage: ChartedPage {
    package var charts: [ChartView] { [ages, adoption].compactMap(\.self) }
}

extension ReleasePage: ChartedPage {
    package var charts: [ChartView] { [stability].compactMap(\.self) }
}

extension PortfolioPage: ChartedPage {
    package var charts: [ChartView] { [rates].compactMap(\.self) + (introduction?.charts ?? []) }
}

extension MethodsPage: ChartedPage {
    package var charts: [ChartView] { introduction?.charts ?? [] }
}

extension ContentPage: ChartedPage {
    package var charts: [ChartView] { body.charts }
}
