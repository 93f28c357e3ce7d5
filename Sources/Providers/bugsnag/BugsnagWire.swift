/// `GET /user/organizations`, one element.
struct BugsnagOrganization: Decodable, Sendable {
    var id: WireName
    var slug: WireName?
    var name: WireName?
}

/// `GET /organizations/{id}/projects`, one element.
struct BugsnagProject: Decodable, Sendable {
    var id: WireName
    var slug: WireName?
    var name: WireName?
    var page: Lenient<WireLine>?

    private enum CodingKeys: String, CodingKey {
        case id, slug, name
        case page = "html_url"
    }
}

/// `GET /projects/{id}/stability_trend`: one bucket for each day, empty days filled with zeros.
struct BugsnagTrend: Decodable, Sendable {
    var stage: WireName?
    var points: LossyArray<Point>

    /// One day. The rates are not read: they are 0.0 where nothing was counted.
    struct Point: Decodable, Sendable {
        var start: WireInstant
        var end: WireInstant?
        var sessions: Count
        var crashedSessions: Count
        var users: Count?
        var crashedUsers: Count?

        private enum CodingKeys: String, CodingKey {
            case start = "bucket_start"
            case end = "bucket_end"
            case sessions = "total_sessions_count"
            case crashedSessions = "unhandled_sessions_count"
            case users = "users_seen"
            case crashedUsers = "users_with_unhandled"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case stage = "release_stage_name"
        case points = "timeline_points"
    }
}

/// `GET /projects/{id}/release_groups`, one element: all builds of one version.
///
/// `accumulative_daily_users_seen` is not read: it is a sum of daily users, not a number of users.
struct BugsnagReleaseGroup: Decodable, Sendable {
    var version: WireName
    var firstReleased: WireInstantOrBlank?
    var sessions: Count?
    var crashedSessions: Count?
    var sessionsLastDay: Count?

    private enum CodingKeys: String, CodingKey {
        case version = "app_version"
        case firstReleased = "first_released_at"
        case sessions = "total_sessions_count"
        case crashedSessions = "unhandled_sessions_count"
        case sessionsLastDay = "sessions_count_in_last_24h"
    }
}

/// `GET /projects/{id}/releases`, one element: one build.
struct BugsnagBuild: Decodable, Sendable {
    var id: WireName?
    var version: WireName
    /// Apple's build number; an empty text elsewhere.
    var bundleVersion: WireLabel?
    /// Android's build number; an empty text elsewhere.
    var versionCode: WireLabel?
    var released: WireInstantOrBlank?
    var sessions: Count?
    var crashedSessions: Count?
    var sessionsLastDay: Count?
    var stage: Lenient<Stage>?

    /// An object in this list, absent in others.
    struct Stage: Decodable, Sendable {
        var name: WireName
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case version = "app_version"
        case bundleVersion = "app_bundle_version"
        case versionCode = "app_version_code"
        case released = "release_time"
        case sessions = "total_sessions_count"
        case crashedSessions = "unhandled_sessions_count"
        case sessionsLastDay = "sessions_count_in_last_24h"
        case stage = "release_stage"
    }
}

/// `GET /projects/{id}/errors`, one element.
struct BugsnagError: Decodable, Sendable {
    var id: WireName
    var errorClass: WireLine?
    var message: WireLine?
    var context: WireLine?
    var severity: WireName?
    var status: WireName?
    var events: Count?
    var users: Count?
    /// `first_seen` is bounded by filters; the unfiltered one is not.
    var firstSeen: WireInstantOrBlank?
    var firstSeenUnfiltered: WireInstantOrBlank?
    var lastSeen: WireInstantOrBlank?
    var lastSeenUnfiltered: WireInstantOrBlank?
    var commentCount: Count?
    var stages: LossyArray<WireName>?
    var grouping: Lenient<Grouping>?
    /// Only where a histogram was requested.
    var trend: Lenient<LossyArray<Bucket>>?

    /// Events of a span of time: `["2026-11-19T00:00:00.000Z", 5]`, which lasts until the next begins, or an
    /// object that names both ends.
    struct Bucket: Decodable, Sendable {
        var from: WireInstant
        /// Nil where the span lasts until the next one.
        var to: WireInstant?
        var events: Count

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: CodingKeys.self) {
                from = try object.decode(WireInstant.self, forKey: .from)
                to = try object.decode(WireInstant.self, forKey: .to)
                events = try object.decode(Count.self, forKey: .events)
            } else {
                var pair = try decoder.unkeyedContainer()
                from = try pair.decode(WireInstant.self)
                events = try pair.decode(Count.self)
            }
        }

        private enum CodingKeys: String, CodingKey {
            case from, to
            case events = "events_count"
        }
    }

    /// What the events were grouped by; which keys there are depends on the reason.
    struct Grouping: Decodable, Sendable {
        var file: Lenient<WireLine>?
        var lineNumber: Lenient<WireLabel>?
    }

    private enum CodingKeys: String, CodingKey {
        case id, message, context, severity, status, events, users, trend
        case errorClass = "error_class"
        case firstSeen = "first_seen"
        case firstSeenUnfiltered = "first_seen_unfiltered"
        case lastSeen = "last_seen"
        case lastSeenUnfiltered = "last_seen_unfiltered"
        case commentCount = "comment_count"
        case stages = "release_stages"
        case grouping = "grouping_fields"
    }
}

/// `GET /projects/{id}/errors/{id}/comments`, one element.
struct BugsnagComment: Decodable, Sendable {
    var id: WireName
    var message: WireProse
    var created: WireInstant
    var collaborator: Lenient<Collaborator>?

    /// Who wrote it.
    struct Collaborator: Decodable, Sendable {
        var name: WireName?
    }

    private enum CodingKeys: String, CodingKey {
        case id, message, collaborator
        case created = "created_at"
    }
}

/// `GET /projects/{id}/event_fields`, one element: a field by which the project's events can be filtered.
struct BugsnagEventField: Decodable, Sendable {
    static let releaseStage = "app.release_stage"
    static let unhandled = "event.unhandled"

    var name: WireName

    private enum CodingKeys: String, CodingKey {
        case name = "display_id"
    }
}
