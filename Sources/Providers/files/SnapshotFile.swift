/// One file of the snapshot format, version 1, as it is.
struct SnapshotFile: WireRow {
    static let formatName = "plimsoll-snapshot"
    static let readVersion = 1

    var format: WireName
    var version: Count
    var app: WireName
    var capturedAt: WireInstant
    var source: SourceWords?
    var provides: LossyArray<WireName>
    var health: LossyArray<HealthEntry>?
    var hours: LossyArray<HourEntry>?
    var usage: LossyArray<UsageEntry>?
    var devices: LossyArray<DeviceEntry>?
    var releases: LossyArray<ReleaseEntry>?
    var issues: LossyArray<IssueEntry>?
    var notes: LossyArray<NoteEntry>?
    var coverage: LossyArray<CoverageEntry>?

    init(_ members: some WireMembers) throws {
        // Editors put it there to know the schema; whatever it says is right.
        _ = try members.optional("$schema") as Lenient<String>?
        format = try members.value("format")
        version = try members.value("version")
        app = try members.value("app")
        capturedAt = try members.value("capturedAt")
        source = try members.optional("source")
        provides = try members.value("provides")
        health = try members.optional("health")
        hours = try members.optional("hours")
        usage = try members.optional("usage")
        devices = try members.optional("devices")
        releases = try members.optional("releases")
        issues = try members.optional("issues")
        notes = try members.optional("notes")
        coverage = try members.optional("coverage")
    }

    /// What the producer says of itself.
    struct SourceWords: WireRow {
        var name: WireLine?
        var session: WireLine?
        var user: WireLine?
        var zone: WireName?
        var delay: WireLine?
        var issueTotalsDays: Count?
        var steadyShare: Bool?

        init(_ members: some WireMembers) throws {
            name = try members.optional("name")
            session = try members.optional("session")
            user = try members.optional("user")
            zone = try members.optional("zone")
            delay = try members.optional("delay")
            issueTotalsDays = try members.optional("issueTotalsDays")
            steadyShare = try members.optional("steadyShare")
        }
    }

    /// Stability on one day.
    struct HealthEntry: WireRow {
        var date: WireDate
        var release: WireName?
        var sessions: Count?
        var crashedSessions: Count?
        var users: Count?
        var crashedUsers: Count?
        var crashes: Count?

        init(_ members: some WireMembers) throws {
            date = try members.value("date")
            release = try members.optional("release")
            sessions = try members.optional("sessions")
            crashedSessions = try members.optional("crashedSessions")
            users = try members.optional("users")
            crashedUsers = try members.optional("crashedUsers")
            crashes = try members.optional("crashes")
        }
    }

    /// Stability in one hour.
    struct HourEntry: WireRow {
        var hour: WireInstant
        var sessions: Count?
        var crashedSessions: Count?

        init(_ members: some WireMembers) throws {
            hour = try members.value("hour")
            sessions = try members.optional("sessions")
            crashedSessions = try members.optional("crashedSessions")
        }
    }

    /// Use on one day.
    struct UsageEntry: WireRow {
        var date: WireDate
        var activeUsers: Count?
        var weeklyActiveUsers: Count?
        var monthlyActiveUsers: Count?
        var newUsers: Count?
        var sessions: Count?

        init(_ members: some WireMembers) throws {
            date = try members.value("date")
            activeUsers = try members.optional("activeUsers")
            weeklyActiveUsers = try members.optional("weeklyActiveUsers")
            monthlyActiveUsers = try members.optional("monthlyActiveUsers")
            newUsers = try members.optional("newUsers")
            sessions = try members.optional("sessions")
        }
    }

    /// Crashes on one kind of device on one day.
    struct DeviceEntry: WireRow {
        var date: WireDate
        var device: WireName
        var crashes: Count?

        init(_ members: some WireMembers) throws {
            date = try members.value("date")
            device = try members.value("device")
            crashes = try members.optional("crashes")
        }
    }

    /// A release.
    struct ReleaseEntry: WireRow {
        var version: WireName
        var build: WireName?
        var releasedAt: WireInstant?

        init(_ members: some WireMembers) throws {
            version = try members.value("version")
            build = try members.optional("build")
            releasedAt = try members.optional("releasedAt")
        }
    }

    /// An issue.
    struct IssueEntry: WireRow {
        var id: WireName
        var title: WireLine
        var kind: WireName?
        var state: WireName?
        var file: WireLine?
        var line: Count?
        var firstSeen: WireInstant?
        var lastSeen: WireInstant?
        var firstVersion: WireName?
        var firstBuild: WireName?
        var lastVersion: WireName?
        var lastBuild: WireName?
        var fixedIn: WireName?
        var fixedInBuild: WireName?
        var events: Count?
        var users: Count?
        var url: WireLine?
        var days: LossyArray<IssueDayEntry>?
        var hours: LossyArray<IssueHourEntry>?

        init(_ members: some WireMembers) throws {
            id = try members.value("id")
            title = try members.value("title")
            kind = try members.optional("kind")
            state = try members.optional("state")
            file = try members.optional("file")
            line = try members.optional("line")
            firstSeen = try members.optional("firstSeen")
            lastSeen = try members.optional("lastSeen")
            firstVersion = try members.optional("firstVersion")
            firstBuild = try members.optional("firstBuild")
            lastVersion = try members.optional("lastVersion")
            lastBuild = try members.optional("lastBuild")
            fixedIn = try members.optional("fixedIn")
            fixedInBuild = try members.optional("fixedInBuild")
            events = try members.optional("events")
            users = try members.optional("users")
            url = try members.optional("url")
            days = try members.optional("days")
            hours = try members.optional("hours")
        }
    }

    /// An issue on one day.
    struct IssueDayEntry: WireRow {
        var date: WireDate
        var release: WireName?
        var events: Count?
        var users: Count?

        init(_ members: some WireMembers) throws {
            date = try members.value("date")
            release = try members.optional("release")
            events = try members.optional("events")
            users = try members.optional("users")
        }
    }

    /// An issue in one hour.
    struct IssueHourEntry: WireRow {
        var hour: WireInstant
        var events: Count?
        var users: Count?

        init(_ members: some WireMembers) throws {
            hour = try members.value("hour")
            events = try members.optional("events")
            users = try members.optional("users")
        }
    }

    /// A note.
    struct NoteEntry: WireRow {
        var id: WireName
        var at: WireInstant
        var author: WireName?
        var text: WireProse
        var issue: WireName?
        var release: WireName?

        init(_ members: some WireMembers) throws {
            id = try members.value("id")
            at = try members.value("at")
            author = try members.optional("author")
            text = try members.value("text")
            issue = try members.optional("issue")
            release = try members.optional("release")
        }
    }

    /// How much of a kind of fact the producer reported for a run of days.
    ///
    /// Of an entry that cannot be read the kind of fact is kept, so that nothing of it counts as complete.
    struct CoverageEntry: Decodable, Sendable {
        var fact: WireName
        /// What is said of it; nil when it cannot be read.
        var statement: Statement?

        struct Statement: WireRow {
            var first: WireDate
            var last: WireDate
            var state: WireName
            var counted: Count?
            var of: Count?

            init(_ members: some WireMembers) throws {
                first = try members.value("first")
                last = try members.value("last")
                state = try members.value("state")
                counted = try members.optional("counted")
                of = try members.optional("of")
            }
        }

        private enum CodingKeys: CodingKey {
            case fact
        }

        init(from decoder: any Decoder) throws {
            fact = try decoder.container(keyedBy: CodingKeys.self).decode(WireName.self, forKey: .fact)
            do {
                statement = try Statement(from: decoder)
            } catch let error as DecodingError {
                decoder.losses?.add(.element(error))
            }
        }
    }
}
