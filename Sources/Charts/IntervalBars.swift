import Formatting
package import Statistics

/// Rows of estimates with their intervals, on one scale from zero.
package struct IntervalBars: Chart, Hashable {
    /// One row.
    package struct Row: Hashable, Sendable {
        /// What is estimated; foreign text.
        package let label: String
        /// The estimate, or nil when there is none.
        package let value: Double?
        /// The span that the estimate may have.
        package let interval: Interval?

        /// Makes a row.
        package init(label: String, value: Double?, interval: Interval?) {
            self.label = label
            self.value = value
            self.interval = interval
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The rows in their order, at most twenty.
    package let rows: [Row]
    /// What stands before a row's name in the sentence, such as `Issue`.
    package let subject: String

    /// Makes a chart; values that the unit does not admit, or below zero, are missing.
    package init(name: String, title: String, unit: ChartUnit, subject: String, rows: [Row]) {
        self.name = name
        self.title = title
        self.unit = unit
        self.subject = subject
        self.rows = rows.prefix(20).map { row in
            let isKnown = row.value.map { unit.admits($0) && $0 >= 0 } ?? false
            let hasBounds = row.interval.map { unit.admits($0.lower) && unit.admits($0.upper) } ?? false
            return Row(
                label: row.label, value: isKnown ? row.value : nil,
                interval: isKnown && hasBounds ? row.interval : nil)
        }
    }

    package var description: String {
        let known = rows.filter { $0.value != nil }
        guard let first = known.max(by: { ($0.value ?? 0) < ($1.value ?? 0) }) else { return "No values." }
        func text(_ row: Row) -> String {
            "\(displayText(row.label, limit: 60)) \(valueText(row))"
        }
        let missing = rows.count - known.count
        let gaps = missing == 0 ? "" : " \(missing) of \(rows.count) have no value."
        if known.count == 1 { return "One value: \(text(first))." + gaps }
        let last = known.min { ($0.value ?? 0) < ($1.value ?? 0) } ?? first
        return "\(rows.count) \(subject): most \(text(first)), least \(text(last))." + gaps
    }

    package func text() -> String {
        sparkText(
            rows.map(\.value), domain: rows.compactMap(\.value).max().map { Interval(lower: 0, upper: $0) })
            + "\n" + description
    }

    package var table: ChartTable {
        let precision = precision
        return ChartTable(
            columns: ["Name", unit == .rate ? "Rate" : "Count", "95% interval"],
            cells: rows.map { row in
                [
                    .text(displayText(row.label, limit: 200)), .value(row.value, unit, precision),
                    .interval(row.interval, unit, precision),
                ]
            })
    }
}

extension IntervalBars {
    /// The decimals that the widest interval bears out, for all rows alike.
    var precision: PercentFormat {
        PercentFormat(interval: rows.compactMap(\.interval).max { $0.width < $1.width })
    }

    /// `1.24% (1.02–1.51)`.
    func valueText(_ row: Row) -> String {
        guard let value = row.value else { return "–" }
        let precision = precision
        let bounds = row.interval.map { " (\(intervalText($0, unit, precision)))" } ?? ""
        return unit.text(value, precision) + bounds
    }
}
