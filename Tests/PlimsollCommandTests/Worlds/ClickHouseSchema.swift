import AppHealth
import ClickHouseServer

/// Tables that a world is written into: how they are made, and what a session and a crash are in them.
struct ClickHouseSchema: Sendable {
    /// A session of the world, with whether it is known to have crashed.
    struct Session {
        var id: Int
        var user: Int?
        var version: String
        var hasCrashed: Bool
        var at: Instant
    }

    /// One time that a problem happened, with its place among all.
    struct Crash {
        var place: Int
        var seen: World.Occurrence
        var problem: World.Problem
        var version: String
    }

    let name: String
    /// The statements that make the tables, one after the other.
    let statements: @Sendable () throws -> String
    /// What comes before rows of sessions.
    let sessionInsertion: String
    let session: @Sendable (Session) -> String
    /// What comes before rows of crashes.
    let crashInsertion: String
    let crash: @Sendable (Crash) -> String

    private static func row(_ cells: [String]) -> String { cells.joined(separator: "\t") }

    private static func kind(_ problem: World.Problem) -> String {
        [Issue.Kind.crash: "fatal", .hang: "hang", .error: "nonfatal"][problem.kind] ?? "fatal"
    }

    /// The session that a crash ended; 0 for what ends none.
    private static func session(of crash: Crash) -> String {
        crash.problem.kind == .crash ? "\(worldSession(of: crash.place))" : "0"
    }
}

// MARK: The schema of the manual

extension ClickHouseSchema {
    static let plimsoll = ClickHouseSchema(
        name: "plimsoll",
        statements: {
            try ManualPage.named("providers/clickhouse").fences("sql").filter(\.isRun).first?.body ?? ""
        },
        sessionInsertion: "INSERT INTO sessions FORMAT TabSeparated\n",
        session: { session in
            let time = "\(session.at.secondsSinceEpoch)"
            return row([
                "deck", "\(session.at.date)", time, "\(session.id)", "\(session.user.map { $0 + 1 } ?? 0)",
                session.version, session.hasCrashed ? "1" : "0", time,
            ])
        },
        crashInsertion: "INSERT INTO crashes FORMAT TabSeparated\n",
        crash: { crash in
            let hex = String(crash.place, radix: 16)
            let event = "61f0c404-5cb3-11e7-907b-" + String(repeating: "0", count: 12 - hex.count) + hex
            return row([
                "deck", "\(crash.seen.at.date)", "\(crash.seen.at.secondsSinceEpoch)", event,
                crash.problem.id,
                kind(crash.problem), crash.version, "\(crash.seen.user.map { $0 + 1 } ?? 0)",
                session(of: crash),
                crash.problem.title, "Deck.swift", "7", "\(crash.seen.arrived.secondsSinceEpoch)",
            ])
        })
}

// MARK: Tables of one's own

extension ClickHouseSchema {
    /// The tables of the manual's example, whose sessions crashed when a crash names them.
    static let own = ClickHouseSchema(
        name: "own",
        statements: {
            """
            CREATE TABLE launches (launched_at DateTime('UTC'), launch_id String, installation Nullable(String),
            app_version String, platform String, environment String)
            ENGINE = MergeTree PARTITION BY tuple() ORDER BY launch_id;
            CREATE TABLE reports (reported_at DateTime('UTC'), report_id UInt64, fingerprint String,
            installation Nullable(String), launch_id String, app_version String, headline String, source_file String,
            source_line UInt32, is_fatal UInt8, is_anr UInt8)
            ENGINE = MergeTree PARTITION BY tuple() ORDER BY report_id
            """
        },
        sessionInsertion: "INSERT INTO launches FORMAT TabSeparated\n",
        session: { session in
            row([
                "\(session.at.secondsSinceEpoch)", "s\(session.id)", session.user.map { "u\($0)" } ?? "\\N",
                session.version, "ios", "production",
            ])
        },
        crashInsertion: "INSERT INTO reports FORMAT TabSeparated\n",
        crash: { crash in
            row([
                "\(crash.seen.at.secondsSinceEpoch)", "\(crash.place)", crash.problem.id,
                crash.seen.user.map { "u\($0)" } ?? "\\N", "s\(session(of: crash))", crash.version,
                crash.problem.title, "Deck.swift", "7", crash.problem.kind == .crash ? "1" : "0",
                crash.problem.kind == .hang ? "1" : "0",
            ])
        })

    /// The mapping of the manual's example, as a source has it.
    static let ownSource = """
        provider: clickhouse, database: deck, \
        sessions: {table: launches, time: launched_at, session: launch_id, user: installation, \
        release: app_version, where: "platform = 'ios' AND environment = 'production'"}, \
        crashes: {table: reports, time: reported_at, event: report_id, issue: fingerprint, user: installation, \
        session: launch_id, release: app_version, title: headline, file: source_file, line: source_line, \
        fatal: is_fatal, hang: is_anr}
        """
}

// MARK: OpenTelemetry

extension ClickHouseSchema {
    private static let table = TelemetryTable()

    /// Events as the collector's exporter writes them: of crashes nothing but the type of the exception distinguishes
    /// issues, of hangs nothing does.
    static let telemetry = ClickHouseSchema(
        name: "telemetry",
        statements: { table.statement }, sessionInsertion: table.insertion,
        session: { session in
            let installation = session.user.map { ["app.installation.id": "u\($0)"] } ?? [:]
            return table.row(
                "session.start", ["session.id": "s\(session.id)"],
                resource: ["service.version": session.version].merging(installation) { $1 }, service: "deck",
                at: session.at.secondsSinceEpoch, isOld: session.id % 3 == 0)
        },
        crashInsertion: table.insertion,
        crash: { crash in
            let isHang = crash.problem.kind == .hang
            // Crashes are sent by the next run of the app, which may be of another version.
            var attributes = ["service.version": crash.version, "app.crash.id": "\(crash.place)"]
            attributes["app.installation.id"] = crash.seen.user.map { "u\($0)" }
            attributes["exception.type"] = isHang ? nil : crash.problem.title
            attributes["session.id"] = isHang ? nil : "s\(session(of: crash))"
            return table.row(
                isHang ? "device.anr" : crash.place % 2 == 0 ? "app.crash" : "device.crash", attributes,
                resource: ["service.version": "9.9.9"], service: "deck", at: crash.seen.at.secondsSinceEpoch,
                isOld: crash.place % 5 == 0)
        })

    /// The problems as these events distinguish them: no handled errors, and one for all hangs.
    static func seen(_ world: World) -> World {
        let crashes = world.problems.filter { $0.kind == .crash }.map {
            World.Problem(id: $0.title, title: $0.title, kind: .crash, days: $0.days)
        }
        let hang = World.Problem(
            id: "device.anr", title: "device.anr", kind: .hang, days: 0...(World.dayCount - 1))
        return world.grouped(as: crashes + [hang]) { seen in
            let problem = world.problems[seen.problem]
            return switch problem.kind {
            case .crash: crashes.firstIndex { $0.title == problem.title }
            case .hang: crashes.count
            case .error: nil
            }
        }
    }
}
