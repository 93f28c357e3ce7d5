/// How the tables of a source are written, as far as that is not by the fields' own names.
package struct CSVLayout: Hashable, Sendable {
    /// The header of each field that is called otherwise.
    package var columns: [CSVColumn: String]
    /// Which comes first in a date such as 03/04/2026; nil leaves it to the column.
    package var dates: CSVDateOrder?
    /// The program that writes the tables.
    package var preset: CSVPreset?
    /// The app whose rows are read, as the tables name it; nil where they are of one app.
    package var app: String?

    /// By the fields' own names, unless stated.
    package init(
        columns: [CSVColumn: String] = [:], dates: CSVDateOrder? = nil, preset: CSVPreset? = nil,
        app: String? = nil
    ) {
        self.columns = columns
        self.dates = dates
        self.preset = preset
        self.app = app
    }

    /// Whether headers that it does not name are meant to be passed over.
    var isStated: Bool { !columns.isEmpty || preset != nil }

    /// The header of a field among those of a table: what was stated, what the preset says, or its own name.
    func place(of column: CSVColumn, among names: [String]) -> Int? {
        if let wanted = columns[column] { return place([wanted], names) }
        if let wanted = preset?.columns[column] { return place(wanted, names) }
        return preset == nil ? place([column.rawValue], names) : nil
    }

    /// What a field is called in a table that has none of its names.
    func header(of column: CSVColumn) -> String {
        columns[column] ?? preset?.columns[column]?.first ?? column.rawValue
    }

    /// What a count is called in a table without any.
    var headerOfACount: String {
        let named = CSVColumn.allCases.first { $0 != .date && $0 != .release && columns[$0] != nil }
        if let named { return header(of: named) }
        return preset?.columns.filter { $0.key.isCount }.values.joined().sorted().first
            ?? CSVColumn.sessions.rawValue
    }

    /// The place of the first of these headers among those of a table.
    func place(_ wanted: [String], _ names: [String]) -> Int? {
        names.firstIndex { wanted.contains($0) }
            ?? names.firstIndex { name in wanted.contains { headerKey($0) == headerKey(name) } }
    }
}

/// A program whose tables are known. Their headers are its own: a language other than English needs `columns`.
package enum CSVPreset: String, CaseIterable, Sendable {
    /// Statistics that the Play Console writes into its bucket: installs and crashes, a file a month.
    case playStatistics = "play-statistics"
    /// Sales and trends of App Store Connect: units by country, product and price.
    case appStoreSales = "app-store-sales"
    /// The result of a query over Firebase's export to BigQuery; the manual has the query.
    case firebaseBigQuery = "firebase-bigquery"
    /// A table of Sentry's Discover.
    case sentryDiscover = "sentry-discover"
    /// Tables that Google Analytics and Firebase Analytics download, with days counted from a start date.
    case googleAnalytics = "google-analytics"

    /// The headers of each field.
    var columns: [CSVColumn: [String]] {
        switch self {
        case .playStatistics:
            [.date: ["Date"], .newUsers: ["Daily User Installs"], .crashes: ["Daily Crashes"]]
        case .appStoreSales: [.date: ["Begin Date"], .newUsers: ["Units"]]
        case .firebaseBigQuery:
            [
                .date: ["event_date"], .release: ["display_version"], .users: ["users"],
                .crashedUsers: ["crashed_users"], .sessions: ["sessions"],
                .crashedSessions: ["crashed_sessions"], .crashes: ["crashes"],
            ]
        case .sentryDiscover:
            [
                .date: ["timestamp.to_day"], .release: ["release"], .crashes: ["count()"],
                .crashedUsers: ["count_unique(user)"],
            ]
        case .googleAnalytics:
            [
                .date: ["Date", "Day", "Nth day"], .release: ["App version"], .sessions: ["Sessions"],
                .users: ["Total users"], .crashedUsers: ["Crash-affected users"],
                .crashFreeUsers: ["Crash-free users rate"], .activeUsers: ["Active users", "1 day"],
                .newUsers: ["New users"],
            ]
        }
    }

    /// Headers that show that a table is of this kind.
    var marks: [String] {
        switch self {
        case .playStatistics: ["Date", "Package Name"]
        case .appStoreSales: ["Begin Date", "Product Type Identifier", "Units"]
        case .firebaseBigQuery: ["event_date"]
        case .sentryDiscover: ["timestamp.to_day"]
        case .googleAnalytics: ["Nth day"]
        }
    }

    /// The order of its dates, where it is known.
    var dates: CSVDateOrder? { self == .appStoreSales ? .monthFirst : nil }

    /// The zone of its days; nil when not stated.
    var zone: String? { self == .appStoreSales ? "America/Los_Angeles" : nil }

    /// Whether several rows of a day add up to it: units do, users do not.
    var addsUp: Bool { self == .appStoreSales }

    /// The header of the cells that say whether a row counts, with what they hold then. Of units only first
    /// downloads are new users: updates, purchases and downloads by known accounts are not.
    var counted: (header: String, cells: Set<String>)? {
        self == .appStoreSales ? ("Product Type Identifier", ["1", "1F", "1T", "F1"]) : nil
    }

    /// Headers of tables that repeat each day for every value of something; the overview has each day once.
    var dimensions: [String] {
        self == .playStatistics
            ? ["Country", "Language", "Device", "Android OS Version", "Carrier", "App Version Code"] : []
    }
}
