import Diagnostics

/// What Firebase and Google Analytics export to BigQuery of one app.
///
/// Sources: Firebase, "Export Crashlytics data to BigQuery" and its schema of the sessions' dataset; Google Analytics,
/// "BigQuery Export schema".
struct BigQueryFirebase: Sendable {
    /// The words that name the datasets.
    static let datasetWords = ["crashlytics", "sessions", "analytics"]

    enum Platform: String, CaseIterable, Sendable {
        case android, ios
    }

    /// The project of the datasets.
    var project: String
    /// The package name or the bundle id.
    var app: String
    var platform: Platform
    var crashlytics = "firebase_crashlytics"
    var sessions = "firebase_sessions"
    /// Nil when it is not exported.
    var analytics: String?

    /// The tables that may be in a dataset: those of a night and those of the moment, which have the same rows.
    var tableNames: [String] {
        let stem = String(app.map { $0 == "." || $0 == "-" ? "_" : $0 })
        let name = "\(stem)_\(platform.rawValue.uppercased())"
        return [name, name + "_REALTIME"]
    }

    /// What was found of a dataset, in the order of its tables' names.
    struct Found: Sendable {
        var crashes: [BigQueryTableAnswer?]
        var sessions: [BigQueryTableAnswer?]
        /// Whether sessions of Google Analytics may take the place of those that are not there.
        var mayReplaceSessions = true

        /// As if every table were there, for a person to read.
        static let assumed: Found = {
            let table = BigQueryTableAnswer(
                schema: nil, timePartitioning: BigQueryTableAnswer.Partitioning(), location: nil,
                expirationTime: nil)
            return Found(crashes: [table, table], sessions: [table, table])
        }()
    }

    func tables(_ found: Found, zone: String) -> BigQueryTables {
        BigQueryTables(
            sessions: sessions(found.sessions, zone)
                ?? (found.mayReplaceSessions ? analytics.flatMap(analyticsSessions) : nil),
            crashes: crashes(found.crashes, zone), firsts: analytics.flatMap(analyticsFirsts))
    }

    private func parts(_ dataset: String, _ found: [BigQueryTableAnswer?]) -> [BigQueryTables.Part] {
        zip(tableNames, found).compactMap { name, table in
            guard let table, let name = bigQueryName([project, dataset, name]) else {
                return nil
            }
            let partitioning = table.timePartitioning
            return BigQueryTables.Part(
                name: name, hasPartitionTime: partitioning != nil && partitioning?.field == nil)
        }
    }

    /// Whether what is the oldest row says nothing of the app: rows of the moment are kept for 30 days only.
    private func isCut(_ found: [BigQueryTableAnswer?]) -> Bool {
        guard let batch = found.first.flatMap(\.self) else { return true }
        return batch.timePartitioning?.expirationMs != nil || batch.expirationTime != nil
    }

    private func sessions(_ found: [BigQueryTableAnswer?], _ zone: String) -> BigQueryTables.Table? {
        let parts = parts(sessions, found)
        guard !parts.isEmpty else { return nil }
        return BigQueryTables.Table(
            parts: parts, day: bigQueryDay("event_timestamp", zone), time: "event_timestamp",
            conditions: ["event_type = 'SESSION_START'"],
            roles: [
                "session": "session_id", "user": "instance_id", "release": "application.display_version",
            ], isCut: isCut(found))
    }

    private func crashes(_ found: [BigQueryTableAnswer?], _ zone: String) -> BigQueryTables.Table? {
        let parts = parts(crashlytics, found)
        guard !parts.isEmpty else { return nil }
        let hasTitles = found.allSatisfy { $0?.has("issue_title") ?? true }
        return BigQueryTables.Table(
            parts: parts, day: bigQueryDay("event_timestamp", zone), time: "event_timestamp",
            roles: [
                "event": "event_id", "issue": "issue_id", "user": "installation_uuid",
                "session": "firebase_session_id", "release": "application.display_version",
                "title": hasTitles ? "issue_title" : "IFNULL(blame_frame.symbol, blame_frame.file)",
                "file": "blame_frame.file", "line": "blame_frame.line",
                "kind":
                    "CASE error_type WHEN 'FATAL' THEN 'crash' WHEN 'ANR' THEN 'hang' ELSE 'error' END",
            ], isCut: isCut(found))
    }
}

// MARK: Google Analytics

extension BigQueryFirebase {
    /// Sessions and their crashes as the events of Google Analytics have them, where no sessions are exported.
    private func analyticsSessions(_ dataset: String) -> BigQueryTables.Table? {
        func parameter(_ key: String) -> String {
            "(SELECT value.int_value FROM UNNEST(event_params) WHERE key = '\(key)')"
        }
        return analyticsTable(
            dataset, conditions: [],
            roles: [
                // The number of a session distinguishes those of one user.
                "session": "CONCAT(user_pseudo_id, '.', CAST(\(parameter("ga_session_id")) AS STRING))",
                "user": "user_pseudo_id", "release": "app_info.version",
                "crashed": "(event_name = 'app_exception' AND \(parameter("fatal")) = 1)",
            ])
    }

    private func analyticsFirsts(_ dataset: String) -> BigQueryTables.Table? {
        analyticsTable(dataset, conditions: ["event_name = 'first_open'"], roles: ["user": "user_pseudo_id"])
    }

    /// One table for each day of the property's zone; the day that is not over is in one of another name.
    private func analyticsTable(
        _ dataset: String, conditions: [String], roles: [String: String]
    ) -> BigQueryTables.Table? {
        guard let name = bigQueryName([project, dataset, "events_*"]) else { return nil }
        return BigQueryTables.Table(
            parts: [BigQueryTables.Part(name: name)], day: "PARSE_DATE('%Y%m%d', event_date)",
            time: "TIMESTAMP_MICROS(event_timestamp)", isDaily: true,
            conditions: ["app_info.id = @app"] + conditions, roles: roles, isCut: true)
    }
}
