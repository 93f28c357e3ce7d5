package import Analysis
package import AppHealth
import Charts
package import Diagnostics
import Markup
import Templates

/// What the fences of one content page show: gathered while the reports of the apps pass by, one at a time.
package struct LiveBlocks: Sendable {
    /// The page.
    package let path: SitePath
    /// What the fences request that no report could show, such as a release that is not known.
    package private(set) var problems: [Diagnostic] = []
    private let fences: [LiveFence]
    /// The names of the blocks, unique on the page.
    private let names: [String]
    private var views: [(any TemplateModel)?]

    /// Nothing is gathered yet.
    package init(_ path: SitePath, fences: [LiveFence]) {
        self.path = path
        self.fences = fences
        self.names = uniqueNames(of: fences)
        self.views = fences.map { _ in nil }
    }

    /// Whether a fence requests something about an app.
    package func requests(_ app: Slug) -> Bool { fences.contains { $0.request.app == app } }

    /// Gathers what is requested about an app.
    package mutating func gather(from analysis: AppAnalysis) {
        let scope = AppScope(analysis.facts, .relative(from: path))
        for (index, fence) in fences.enumerated() where fence.request.app == analysis.facts.app.id {
            if let problem = analysis.problem(with: fence) {
                problems.append(problem)
            } else {
                views[index] = scope.liveView(of: fence.request, named: names[index], analysis)
            }
        }
    }

    /// Gathers what is requested about all apps together.
    package mutating func gather(from digests: [AppSummaryRow]) {
        for (index, fence) in fences.enumerated() where fence.request.app == nil {
            views[index] =
                ratesChart(digests)?.named(names[index])
                ?? AbsentBlock(title: "Crash-free rates of all apps", why: "Fewer than two apps.")
        }
    }

    /// A text with its blocks in their places.
    func body(
        _ source: String, markdown: String? = nil, options: CommonMarkOptions = .init()
    ) -> ContentBody {
        var options = options
        options.takenAnchors.formUnion(charts.map { "figure-" + $0.chart.name })
        options.takenAnchors.formUnion(tiles.compactMap(\.nameOnPage).map { "number-" + $0 })
        return ContentBody(source, markdown: markdown, views: views, options: options)
    }

    private var tiles: [Figure] { views.compactMap { $0 as? TilesBlock }.flatMap(\.tiles) }

    /// The charts among the blocks.
    var charts: [ChartView] { views.compactMap { $0 as? ChartView } }
}

extension LiveFence {
    /// The words with which a content page begins a fence that is drawn.
    package static let names: Set = ["chart", "block"]
}

/// `crash-free-sketchbook`, and `crash-free-sketchbook-2` when it is requested again.
private func uniqueNames(of fences: [LiveFence]) -> [String] {
    var taken: Set<String> = []
    return fences.map { fence in
        let words = [fence.request.kind, fence.request.app?.text].compactMap(\.self).joined(separator: "-")
        let stem = String(words.map { $0 == "." || $0 == "_" ? "-" : $0 })
        var (name, number) = (stem, 2)
        while !taken.insert(name).inserted {
            name = "\(stem)-\(number)"
            number += 1
        }
        return name
    }
}
