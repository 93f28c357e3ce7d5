import AppHealth

/// A column of a chart's table: what people read above it, and what programs call it.
///
/// The headings are text and may be reworded; the keys head the file of data and stay.
package struct ChartColumn: Hashable, Sendable {
    /// What the table shows above it.
    package let heading: String
    /// What the file of data calls it, in lower camel case or after the name of what is drawn.
    package let key: String

    /// A column with a heading of its own.
    init(_ heading: String, key: String) {
        self.heading = heading
        self.key = key
    }

    /// The column of a thing that has a name, such as a release: the name is its key too. A name that is what the
    /// program calls a column is in quotation marks, as an issue may be called `Total`.
    static func named(_ label: String, limit: Int = 60) -> ChartColumn {
        let name = displayText(label, limit: limit)
        let shown = isOwnName(name) ? "“\(name)”" : name
        return ChartColumn(shown, key: shown)
    }

    /// Whether a name is that of a column of the program's, but for capitals and marks around it.
    private static func isOwnName(_ name: String) -> Bool { ownNames.contains(words(of: name)) }

    private static func words(of name: String) -> String {
        name.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ").lowercased()
    }

    private static let ownNames = Set(
        (columns.flatMap { [$0.heading, $0.key] + $0.boundKeys } + countLabels + countColumns + [
            "file", "line",
        ]).map(words))

    private static let columns = [
        value(.rate), value(.count), day, weekday, age(from: .release), place, name, part, interval, change,
        previousWeek,
        expected, expectedRange, status, detail, state, activity,
    ]

    /// The share of a thing that has a name.
    static func share(of label: String) -> ChartColumn {
        let name = displayText(label, limit: 40)
        return ChartColumn("Share of \(name)", key: "share of \(name)")
    }

    /// The values of a chart.
    static func value(_ unit: ChartUnit) -> ChartColumn {
        unit == .rate ? ChartColumn("Rate", key: "rate") : ChartColumn("Count", key: "count")
    }

    /// The days of an age.
    static func age(from start: AgeChart.Start) -> ChartColumn {
        switch start {
        case .release: ChartColumn("Days after release", key: "age")
        case .share(let share): ChartColumn("Days after \(share) of sessions", key: "age")
        }
    }

    static let day = ChartColumn("Day", key: "date")
    static let weekday = ChartColumn("Weekday", key: "weekday")
    static let place = ChartColumn("Place", key: "place")
    static let name = ChartColumn("Name", key: "name")
    static let part = ChartColumn("Part", key: "part")
    static let interval = ChartColumn("95% interval", key: "interval")
    static let change = ChartColumn("Change", key: "change")
    static let previousWeek = ChartColumn("Previous week", key: "previousWeek")
    static let expected = ChartColumn("Expected", key: "expected")
    static let expectedRange = ChartColumn("Expected range", key: "expectedRange")
    static let status = ChartColumn("Status", key: "status")
    static let detail = ChartColumn("Detail", key: "detail")
    static let state = ChartColumn("State", key: "state")
    static let activity = ChartColumn("Activity", key: "activity")

    /// The keys of the two fields of an interval in a file of data: `lower` and `upper`, with the key before them
    /// where it is not that of the values.
    var boundKeys: [String] {
        self == .interval ? ["lower", "upper"] : [key + "Lower", key + "Upper"]
    }
}
