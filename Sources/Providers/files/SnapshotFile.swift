/// One file of the snapshot format, version 1, as it is.
struct SnapshotFile: Decodable, Sendable {
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

    /// What the producer says of itself.
    struct SourceWords: Decodable, Sendable {
        var name: WireLine?
        var session: WireLine?
        var user: WireLine?
        var zone: WireName?
        var delay: WireLine?
    }

    /// Stability on one day.
    struct HealthEntry: Decodable, Sendable {
        var date: WireDate
        var release: WireName?
        var sessions: Count?
        var crashedSessions: Count?
        var users: Count?
        var crashedUsers: Count?
        var crashes: Count?
    }

    /// Stability in one hour.
    struct HourEntry: Decodable, Sendable {
        var hour: WireInstant
        var sessions: Count?
        var crashedSessions: Count?
    }

    /// Use on one day.
    struct UsageEntry: Decodable, Sendable {
        var date: WireDate
        var activeUsers: Count?
        var weeklyActiveUsers: Count?
        var monthlyActiveUsers: Count?
        var newUsers: Count?
        var sessions: Count?
    }

    /// Crashes on one kind of device on one day.
    struct DeviceEntry: Decodable, Sendable {
        var date: WireDate
        var device: WireName
        var crashes: Count?
    }

    /// A release.
    struct ReleaseEntry: Decodable, Sendable {
        var version: WireName
        var build: WireName?
        var releasedAt: WireInstant?
    }

    /// An issue.
    struct IssueEntry: Decodable, Sendable {
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
    }

    /// An issue on one day.
    struct IssueDayEntry: Decodable, Sendable {
        var date: WireDate
        var release: WireName?
        var events: Count?
        var users: Count?
    }

    /// An issue in one hour.
    struct IssueHourEntry: Decodable, Sendable {
        var hour: WireInstant
        var events: Count?
        var users: Count?
    }

    /// A note.
    struct NoteEntry: Decodable, Sendable {
        var id: WireName
        var at: WireInstant
        var author: WireName?
        var text: WireProse
        var issue: WireName?
        var release: WireName?
    }

    /// How much of a kind of fact the producer reported for a run of days.
    ///
    /// Of an entry that cannot be read the kind of fact is kept, so that nothing of it counts as complete.
    struct CoverageEntry: Decodable, Sendable {
        var fact: WireName
        /// What is said of it; nil when it cannot be read.
        var statement: Statement?

        struct Statement: Decodable, Sendable {
            var first: WireDate
            var last: WireDate
            var state: WireName
            var counted: Count?
            var of: Count?
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
