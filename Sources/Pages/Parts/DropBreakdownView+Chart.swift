import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

extension DropBreakdown {
    /// The drop as steps from the rate before to the rate after: the release that contributed most crashing more,
    /// sessions moving between releases, and the other releases themselves. The steps shown add up.
    var waterfall: WaterfallChart? {
        guard let worst = parts.first, let before = crashFree(\.before), let after = crashFree(\.after) else {
            return nil
        }
        let name = worst.label ?? "unknown releases"
        let points = [
            worst.contribution.within, parts.reduce(0) { $0 + $1.contribution.shift },
            parts.dropFirst().reduce(0) { $0 + $1.contribution.within },
        ]
        let labels = [
            "\(name) crashing \(points[0] < 0 ? "less" : "more")", "Sessions moving", "Other releases",
        ]
        let shown = roundedParts(points.map { $0 * 100 }, decimals: decimals)
        return WaterfallChart(
            name: "why-it-dropped", title: "Why crash-free sessions dropped",
            start: .init(label: "Before", rate: before),
            steps: zip(labels, shown).filter { $1 != 0 }.map { .init(label: $0, change: -$1 / 100) },
            end: .init(label: "After", rate: after), display: PercentFormat(decimals: decimals))
    }

    /// The crash-free sessions of all parts together.
    private func crashFree(_ days: KeyPath<RatePart, DayCount>) -> Double? {
        let count = parts.reduce(DayCount.nothing) { $0 + $1.counts[keyPath: days] }
        return Fraction(count.crashed, of: count.total)?.complement.value
    }
}
