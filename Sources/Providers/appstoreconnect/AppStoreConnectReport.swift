/// A report that is read. Of two variants the standard one: the detailed one has noise added for privacy, and the
/// two must never be put together.
enum AppStoreConnectReport: CaseIterable, Sendable {
    case sessions
    case installs
    case crashes

    /// Its names at the service, the usual one first.
    var names: [String] {
        switch self {
        case .sessions: ["App Sessions Standard"]
        case .installs:
            [
                "App Store Installation and Deletion Standard",
                "App Store Installations and Deletions Standard",
            ]
        case .crashes: ["App Crashes", "App Crashes Standard"]
        }
    }

    /// The column that is counted.
    var countColumn: String {
        switch self {
        case .sessions: "Sessions"
        case .installs: "Counts"
        case .crashes: "Crashes"
        }
    }

    /// The columns without which it cannot be read.
    var neededColumns: [String] {
        switch self {
        case .sessions, .crashes: ["Date", countColumn]
        case .installs: ["Date", "Event", "Download Type", countColumn]
        }
    }

    /// The other columns that it should have, each with what is not known without it.
    var expectedColumns: [(name: String, use: String)] {
        let app = ("App Apple Identifier", "rows of other apps would be counted too")
        let version = ("App Version", "nothing of it is known by version")
        return switch self {
        case .sessions: [app, version]
        case .installs: [app]
        case .crashes: [app, version, ("Device", "nothing of it is known by kind of device")]
        }
    }

    /// The columns that neither divide what is counted into rows nor are counted by one: all but these may take a row below
    /// the least number of people.
    var undividedColumns: Set<String> {
        [
            "Date", "App Name", "App Apple Identifier", "Device", countColumn, "Total Session Duration",
            "Unique Devices",
        ]
    }

    /// What a person calls what is learned from it.
    var part: String {
        switch self {
        case .sessions: "sessions and active devices"
        case .installs: "first-time downloads"
        case .crashes: "crashes"
        }
    }

    /// Whether a fetch without its newest instance has failed: sessions and crashes are what the source is for.
    var isMain: Bool {
        switch self {
        case .sessions, .crashes: true
        case .installs: false
        }
    }

    /// Whether a row of the report counts: of installs and deletions only first-time downloads do.
    func counts(_ row: AppStoreConnectTable.Row, of table: AppStoreConnectTable) -> Bool {
        guard self == .installs else { return true }
        return table.cell("Event", row).lowercased() == "install"
            && table.cell("Download Type", row).lowercased() == "first-time download"
    }
}
