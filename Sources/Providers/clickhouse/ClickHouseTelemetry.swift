import Diagnostics

/// Which tables are read without being named one by one.
enum ClickHousePreset: String, CaseIterable, Sendable {
    /// Those of the manual.
    case plimsoll
    /// The logs that the OpenTelemetry collector's ClickHouse exporter writes.
    case opentelemetry
}

/// What OpenTelemetry defines of sessions and crashes of apps, as the collector's ClickHouse exporter stores logs.
///
/// Sources: the exporter's `logs_table.sql` (opentelemetry-collector-contrib); OpenTelemetry semantic conventions, all of
/// them in development: "Session" (`session.start`, `session.id`), "App" (`app.crash`, `app.crash.id`,
/// `app.installation.id`), "Exceptions in logs" (`exception.type`), "Service" (`service.name`, `service.version`);
/// opentelemetry-android, instrumentations `crash` (`device.crash` before `app.crash`) and `anr`.
enum ClickHouseTelemetry {
    static let usualTable = "otel_logs"
    /// What a person calls what is learned of the table.
    static let part = "the columns of the exporter's table"
    /// The names of events that say that the app crashed, new and old.
    private static let crashes = ["app.crash", "device.crash"]
    /// The names of events that say that the app did not answer; no convention defines one.
    private static let hangs = ["device.anr", "ANR"]

    /// What differs between versions of the exporter.
    struct Columns: Hashable, Sendable {
        /// Whether the name of an event has a column; before, it was an attribute.
        var hasEventName: Bool
        /// Whether the key of the table is a time of whole seconds in a column of its own.
        var hasTimestampTime: Bool

        /// As if every column were there, for a person to read.
        static let assumed = Columns(hasEventName: true, hasTimestampTime: true)
    }

    /// The query for the columns of a table.
    static func question(of table: String) -> String {
        let parts = table.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let database = parts.count == 2 ? clickHouseString(parts[0]) : "currentDatabase()"
        return """
            SELECT name, type FROM system.columns
            WHERE database = \(database) AND table = \(clickHouseString(parts.last ?? "")) \
            AND name IN ('EventName', 'TimestampTime', 'LogAttributes')
            """
    }

    /// Sessions and crashes in the table of logs.
    ///
    /// - Parameter zone: The zone of the days, already known to be one.
    static func tables(_ name: String, _ columns: Columns, zone: String) -> ClickHouseTables {
        let rows = Rows(name: clickHouseTable(name), columns: columns, zone: zone)
        var tables = ClickHouseTables()
        tables.crashes = rows.crashes
        tables.sessions = rows.sessions
        tables.isOneTable = true
        return tables
    }

    private struct Rows {
        let name: String
        let columns: Columns
        let zone: String

        private let session = "LogAttributes['session.id']"
        private let type = "LogAttributes['exception.type']"

        private var time: String { columns.hasTimestampTime ? "TimestampTime" : "toDateTime(Timestamp)" }

        private var event: String {
            columns.hasEventName
                ? "if(EventName != '', EventName, LogAttributes['event.name'])"
                : "LogAttributes['event.name']"
        }

        /// Whether an event has one of some names; the column is read before the attributes are.
        private func isNamed(_ names: [String]) -> String {
            let list = names.map(clickHouseString).joined(separator: ", ")
            guard columns.hasEventName else { return "LogAttributes['event.name'] IN (\(list))" }
            return "(EventName IN (\(list)) OR (EventName = '' AND LogAttributes['event.name'] IN (\(list))))"
        }

        /// An attribute of the event, otherwise of the app that sent it: a crash may be sent by the next run of the app,
        /// or the next version of it, and then names what crashed in the event.
        private func attribute(_ key: String) -> String {
            "if(LogAttributes['\(key)'] != '', LogAttributes['\(key)'], ResourceAttributes['\(key)'])"
        }

        private var user: String {
            let installation = attribute("app.installation.id")
            return "if(\(installation) != '', \(installation), \(attribute("user.id")))"
        }

        /// The id of a crash, or what distinguishes it where it has none: a batch that was sent twice counts once.
        private var crash: String {
            let id = "LogAttributes['app.crash.id']"
            return """
                if(\(id) != '', \(id), toString(cityHash64(Timestamp, \(event), \(session), \(user), \(type), \
                LogAttributes['exception.stacktrace'])))
                """
        }

        private func table(_ names: [String], roles: [String: String]) -> ClickHouseTables.Table {
            let (time, event) = (time, isNamed(names))
            return ClickHouseTables.Table(
                name: name, day: "toDate(\(time), '\(zone)')", time: time,
                window: { _, _, begin, end in
                    "\(time) >= toDateTime(\(begin)) AND \(time) < toDateTime(\(end))"
                },
                conditions: ["ServiceName = {app:String}", event],
                roles: roles.merging([
                    "session": session, "user": user, "named": "\(user) != ''",
                    "release": attribute("service.version"),
                ]) { own, _ in own })
        }

        var crashes: ClickHouseTables.Table {
            let fatal = ClickHouseTelemetry.crashes.map(clickHouseString).joined(separator: ", ")
            return table(
                ClickHouseTelemetry.crashes + ClickHouseTelemetry.hangs,
                roles: [
                    "event": crash, "issue": "if(\(type) != '', \(type), \(event))",
                    "kind": "if(\(event) IN (\(fatal)), 'crash', 'hang')",
                ])
        }

        var sessions: ClickHouseTables.Table {
            var table = table(["session.start"], roles: [:])
            table.conditions.append("\(session) != ''")
            let ends = self.table(ClickHouseTelemetry.crashes, roles: [:]).endsOfSessions()
            table.roles["crashed"] = "\(session) IN (SELECT \(session) FROM \(name) WHERE \(ends))"
            table.knowsCrashes = """
                1 IN (SELECT count() = 0 OR countIf(\(session) != '') > 0 FROM \(name) WHERE \(ends))
                """
            return table
        }
    }
}
