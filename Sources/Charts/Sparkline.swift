import Formatting
package import Statistics

/// A line as small as a word, without axes.
package struct Sparkline: Chart, Hashable {
    /// The shape at the last value; shape and colour say the same.
    package enum EndMark: Hashable, Sendable {
        /// A dot: nothing to say.
        case plain
        /// A triangle.
        case warning
        /// A diamond.
        case critical
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The values from the oldest to the newest, nil for a gap; at most the newest 400 are drawn.
    package let values: [Double?]
    /// What the height spans, for rows that share a scale; otherwise the least to the greatest value.
    package let span: Interval?
    /// The shape at the last value; it is hollow when the newest value is a gap.
    package let endMark: EndMark

    /// Makes a sparkline; values that the unit does not admit are gaps.
    package init(
        name: String, title: String, unit: ChartUnit, values: [Double?], span: Interval? = nil,
        endMark: EndMark = .plain
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.values = values.suffix(400).map { $0.flatMap { unit.admits($0) ? $0 : nil } }
        self.span = span
        self.endMark = endMark
    }

    package func text() -> String { glyphs + "\n" + description }

    package var glyphs: String { sparkText(Array(values.suffix(60)), domain: span) }

    package var description: String {
        let present = values.compactMap { $0 }
        guard let first = present.first, let last = present.last, let low = present.min(),
            let high = present.max()
        else { return values.isEmpty ? "No values." : "No values on \(values.count) days." }
        func text(_ value: Double) -> String { unit.text(value, PercentFormat(decimals: 2)) }
        let gaps = values.count - present.count
        let sentence = "First \(text(first)), lowest \(text(low)), highest \(text(high)), last \(text(last))."
        return gaps == 0 ? sentence : sentence + " \(gaps) of \(values.count) without a value."
    }

    package var table: ChartTable {
        let rows = values.enumerated().map { index, value in
            [
                ChartCell.value(Double(index + 1), .count, PercentFormat(decimals: 0)),
                .value(value, unit, PercentFormat(decimals: 2)),
            ]
        }
        return ChartTable(columns: ["Place", unit == .rate ? "Rate" : "Count"], cells: rows)
    }
}
