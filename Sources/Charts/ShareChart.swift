package import AppHealth
import Formatting
import Statistics

/// Shares of a whole by day, stacked: the adoption of releases.
package struct ShareChart: Chart, Hashable {
    /// One part of the whole.
    package struct Part: Hashable, Sendable {
        /// Its name, such as a version label.
        package let label: String
        /// Its counts by day; a day that is left out has none.
        package let counts: [CivilDate: Int]

        /// Makes a part.
        package init(label: String, counts: [CivilDate: Int]) {
            self.label = label
            self.counts = counts
        }
    }

    package var name: String
    package var title: String
    /// The days shown.
    package let domain: DateDomain
    /// The parts from the newest to the oldest.
    package let parts: [Part]
    /// The whole of each day, at least the sum of its parts; a day without one is a gap.
    package let wholes: [CivilDate: Int]
    /// Why a day that has no whole has none.
    package let absences: [CivilDate: ChartPoint.Absence]

    /// The share that a part must reach on some day to stand by itself; smaller ones are pooled.
    package static let pooledBelow = 0.05
    /// How many parts stand by themselves.
    package static let mostParts = 5

    /// Makes a chart.
    package init(
        name: String, title: String, domain: DateDomain, parts: [Part], wholes: [CivilDate: Int],
        absences: [CivilDate: ChartPoint.Absence] = [:]
    ) {
        self.name = name
        self.title = title
        self.domain = domain
        self.parts = parts
        self.wholes = wholes
        self.absences = absences
    }

    package func text() -> String {
        let layers = layers
        let newest = layers.first.map { layer in
            sparkText(layer.shares.suffix(60).map(\.self), domain: Interval(lower: 0, upper: 1))
        }
        return (newest ?? "") + "\n" + sentence(layers)
    }

    package var description: String { sentence(layers) }

    package var table: ChartTable {
        let layers = layers
        let rows = (0..<domain.count).map { index in
            let day = domain.first.advanced(by: index)
            let shares = layers.map {
                ChartCell.value($0.shares[index], .rate, PercentFormat(decimals: 1))
            }
            return [.day(day)] + shares + [.text(whole(day) == nil ? absence(of: day).text : "")]
        }
        return ChartTable(columns: ["Day"] + layers.map(\.label) + ["State"], cells: rows)
    }
}

extension ShareChart {
    /// A part that stands by itself, or what is left: its shares by day, nil on days without a whole.
    struct Layer {
        let label: String
        let isRest: Bool
        var shares: [Double?]
    }

    /// The whole of a day, when there is one.
    func whole(_ day: CivilDate) -> Int? { wholes[day].flatMap { $0 > 0 ? $0 : nil } }

    /// Why a day has no share.
    func absence(of day: CivilDate) -> ChartPoint.Absence {
        absences[day] ?? (wholes[day] == 0 ? .noSessions : .missing)
    }

    /// The layers from the newest to the oldest, then the rest of the whole when it is ever seen.
    var layers: [Layer] {
        let days = (0..<domain.count).map { domain.first.advanced(by: $0) }
        let wholes = days.map(whole)
        let shares = parts.map { part in
            zip(days, wholes).map { day, whole in
                whole.map { min(Double(max(part.counts[day] ?? 0, 0)) / Double($0), 1) }
            }
        }
        let greatest = shares.map { $0.compactMap(\.self).max() ?? 0 }
        let large = shares.indices.filter { greatest[$0] >= Self.pooledBelow }
        let kept = large.sorted { (greatest[$0], $1) > (greatest[$1], $0) }.prefix(Self.mostParts).sorted()
        var layers = kept.map {
            Layer(label: displayText(parts[$0].label, limit: 18), isRest: false, shares: shares[$0])
        }
        let rest = wholes.indices.map { day in
            wholes[day].map { _ in max(1 - kept.reduce(0) { $0 + (shares[$1][day] ?? 0) }, 0) }
        }
        if rest.contains(where: { ($0 ?? 0) > 0.000_5 }) {
            layers.append(Layer(label: "other", isRest: true, shares: rest))
        }
        return layers
    }

    func sentence(_ layers: [Layer]) -> String {
        let days = "\(domain.first.longText) to \(domain.last.longText)"
        guard let last = layers.first?.shares.lastIndex(where: { $0 != nil }) else {
            return "\(days): no values."
        }
        let precision = PercentFormat(decimals: 1)
        let shares = layers.compactMap { layer in
            layer.shares[last].map { "\(layer.label) \(precision.text(min($0, 1)))" }
        }
        let day = domain.first.advanced(by: last).shortText
        let gaps = (0..<domain.count).count { whole(domain.first.advanced(by: $0)) == nil }
        let missing = gaps == 0 ? "" : gaps == 1 ? " 1 day has no value." : " \(gaps) days have no value."
        return "\(days): on \(day) \(shares.joined(separator: ", "))." + missing
    }
}
