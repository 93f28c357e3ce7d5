import Diagnostics

/// One query to a warehouse, which answers with a few rows for each day: its name, which is that of a file, and the
/// columns that it must have.
enum WarehouseQuery: String, CaseIterable, Sendable {
    case days
    case releaseDays = "release_days"
    case crashDays = "crash_days"
    case issues
    case issueDays = "issue_days"
    case issueReleases = "issue_releases"
    case releases
    case hours
    case issueHours = "issue_hours"
    case usage
    case newUsers = "new_users"

    /// What a person calls what is learned from it.
    var part: String {
        switch self {
        case .days: "sessions and users by day"
        case .releaseDays: "sessions and users by day and release"
        case .crashDays: "crashes by day"
        case .issues: "issues"
        case .issueDays: "events of issues by day"
        case .issueReleases: "events of issues by day and release"
        case .releases: "releases"
        case .hours: "sessions by hour"
        case .issueHours: "events of issues by hour"
        case .usage: "active users"
        case .newUsers: "new users"
        }
    }

    /// What a warehouse is for: the first of these that it has a query for.
    static let mainOnes: [WarehouseQuery] = [.days, .crashDays, .usage, .issues]

    /// Whether its rows are of a table of crashes.
    var isOfCrashes: Bool {
        switch self {
        case .crashDays, .issues, .issueDays, .issueReleases, .issueHours: true
        case .days, .releaseDays, .releases, .hours, .usage, .newUsers: false
        }
    }

    /// Whether its rows say which sessions crashed.
    var countsCrashedSessions: Bool {
        switch self {
        case .days, .releaseDays, .hours: true
        default: false
        }
    }

    /// Every column that the answer may have; others are a mistake.
    var columns: [WarehouseColumn] {
        let (day, issue) = (WarehouseColumn("day", .date), WarehouseColumn("issue", .text))
        let release = WarehouseColumn("release", .text)
        let counts = [
            WarehouseColumn("sessions", .count),
            WarehouseColumn("crashed_sessions", .count, isOptional: true),
            WarehouseColumn("users", .count, isOptional: true),
            WarehouseColumn("crashed_users", .count, isOptional: true),
        ]
        let events = [WarehouseColumn("events", .count), WarehouseColumn("users", .count, isOptional: true)]
        func optional(_ names: String..., of kind: WarehouseColumn.Kind) -> [WarehouseColumn] {
            names.map { WarehouseColumn($0, kind, isOptional: true) }
        }
        let (unnamedSessions, unnamedEvents) = (
            optional("unnamed_sessions", of: .count), optional("unnamed_events", of: .count)
        )
        return switch self {
        case .days: [day] + counts + unnamedSessions
        case .releaseDays: [day, release] + counts + unnamedSessions
        case .crashDays: [day, WarehouseColumn("crashes", .count)] + optional("issues", of: .count)
        case .issues:
            [issue, WarehouseColumn("title", .text)] + optional("kind", "file", "releases", "url", of: .text)
                + optional("line", "events", "users", "unnamed_events", of: .count)
                + optional("first_seen", "last_seen", of: .instant)
        case .issueDays: [issue, day] + events + unnamedEvents
        case .issueReleases: [issue, day, release] + events + unnamedEvents
        case .releases: [release] + optional("first_day", of: .date)
        case .hours: [WarehouseColumn("hour", .instant)] + counts.prefix(2)
        case .issueHours: [issue, WarehouseColumn("hour", .instant)] + events
        case .usage:
            [day]
                + optional("active_users", "weekly_active_users", "monthly_active_users", of: .count)
        case .newUsers: [day, WarehouseColumn("new_users", .count)]
        }
    }

    /// The columns that distinguish its rows.
    var key: [String] {
        switch self {
        case .days, .crashDays, .usage, .newUsers: ["day"]
        case .releaseDays: ["day", "release"]
        case .issues: ["issue"]
        case .issueDays: ["issue", "day"]
        case .issueReleases: ["issue", "day", "release"]
        case .releases: ["release"]
        case .hours: ["hour"]
        case .issueHours: ["issue", "hour"]
        }
    }
}

/// A column that a query must or may have.
struct WarehouseColumn: Hashable, Sendable {
    /// What its values are, whatever an engine calls its type.
    enum Kind: String, Sendable {
        case date, instant, count, text

        /// In words that end the sentence "expected …".
        var words: String {
            switch self {
            case .date: "a date"
            case .instant: "a time in UTC, or seconds since 1970"
            case .count: "a whole number"
            case .text: "a text"
            }
        }
    }

    let name: String
    let kind: Kind
    let isOptional: Bool

    init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
        (self.name, self.kind, self.isOptional) = (name, kind, isOptional)
    }

    /// Whether values of another kind serve: a number is a text and a time as well.
    func accepts(_ found: Kind) -> Bool {
        found == kind || (found == .count && (kind == .text || kind == .instant))
    }
}

/// A column as an engine answered it; the kind is nil for a type that no column may have.
struct AnsweredColumn: Sendable {
    var name: String
    var type: String
    var kind: WarehouseColumn.Kind?
}

extension WarehouseQuery {
    /// Everything that is wrong with the columns of an answer as one problem; nil when they are as they must be.
    func fault(in columns: [AnsweredColumn], at place: Location, provider: String) -> Diagnostic? {
        let faults = faults(in: columns, at: place, provider: provider)
        guard var first = faults.first else { return nil }
        first.details += faults.dropFirst().flatMap { [$0.summary] + $0.details }
        return first
    }

    /// What is wrong with the columns of an answer: those that are missing, of another type, or of another name.
    ///
    /// - Parameter place: The file, or what names the query.
    private func faults(
        in columns: [AnsweredColumn], at place: Location, provider: String
    ) -> [Diagnostic] {
        let known = self.columns
        let names = Set(known.map(\.name))
        let extra = columns.filter { !names.contains($0.name) }
        var faults: [Diagnostic] = []
        for column in known {
            let found = columns.filter { $0.name == column.name }
            if found.count > 1 {
                faults.append(
                    fault(
                        "Column '\(column.name)' is twice in the answer", [], at: place, provider, "keep one")
                )
            } else if let found = found.first {
                if found.kind.map(column.accepts) == true { continue }
                faults.append(
                    fault(
                        "Column '\(column.name)' is of another type",
                        ["expected \(column.kind.words), found \(printable(found.type))"], at: place,
                        provider,
                        "convert it in the query"))
            } else if !column.isOptional {
                let near = nearestName(to: column.name, among: extra.map(\.name))
                faults.append(
                    fault(
                        "Column '\(column.name)' is missing",
                        ["expected \(column.kind.words), found \(list(columns.map(\.name)))"], at: place,
                        provider,
                        near.map { "name '\(printable($0))' AS \(column.name)" }
                            ?? "add '… AS \(column.name)' to the query"))
            }
        }
        return faults
            + extra.map { column in
                let near = nearestName(to: String(column.name.prefix(60)), among: known.map(\.name))
                return fault(
                    "Unknown column '\(printable(String(column.name.prefix(100))))'",
                    [
                        "expected one of \(known.map(\.name).joined(separator: ", ")), found \(printable(column.type))"
                    ],
                    at: place, provider, near.map { "did you mean '\($0)'?" } ?? "leave it out of the query")
            }
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "no column" : names.prefix(20).map(printable).joined(separator: ", ")
    }

    private func fault(
        _ what: String, _ details: [String], at place: Location, _ provider: String, _ hint: String
    ) -> Diagnostic {
        .error("\(provider).column", "\(provider): \(what)", details: details, at: place, hints: [hint])
    }
}
