/// `GET /organizations/{o}/releases/`, one element.
struct SentryReleaseItem: Decodable, Sendable {
    /// `com.example.app@4.2.0+1187`.
    var version: WireName
    var created: WireInstantOrBlank?
    var released: WireInstantOrBlank?
    var info: Lenient<SentryVersionInfo>?

    private enum CodingKeys: String, CodingKey {
        case version
        case created = "dateCreated"
        case released = "dateReleased"
        case info = "versionInfo"
    }
}

/// What Sentry read out of a version; its `version` is empty where it read nothing.
struct SentryVersionInfo: Decodable, Sendable {
    var version: Lenient<Parts>?

    /// The version without the package: `4.2.0+1187` with the build `1187`.
    struct Parts: Decodable, Sendable {
        var raw: WireName
        var build: Lenient<WireLabel>?

        private enum CodingKeys: String, CodingKey {
            case raw
            case build = "buildCode"
        }
    }
}

/// `GET /organizations/{o}/issues/`, one element.
struct SentryIssue: Decodable, Sendable {
    var id: WireLabel
    var shortID: WireName?
    var title: WireLine?
    var culprit: WireLine?
    var level: WireName?
    var status: WireName?
    var substatus: Lenient<WireName>?
    var statusDetails: Lenient<StatusDetails>?
    var metadata: Lenient<IssueMetadata>?
    /// Events within the span that was requested; `lifetime` holds all.
    var count: CountText?
    var userCount: Count?
    var firstSeen: WireInstantOrBlank?
    var lastSeen: WireInstantOrBlank?
    var lifetime: Lenient<Lifetime>?
    var noteCount: Lenient<Count>?
    var page: Lenient<WireLine>?
    var category: WireName?
    var stats: Lenient<Stats>?

    /// What goes with the status `resolved`.
    struct StatusDetails: Decodable, Sendable {
        var inRelease: WireName?
    }

    /// The issue without the filters of the question.
    struct Lifetime: Decodable, Sendable {
        var firstSeen: WireInstantOrBlank?
        var lastSeen: WireInstantOrBlank?
    }

    /// The time line, by the span that was requested.
    struct Stats: Decodable, Sendable {
        var span: LossyArray<StatPoint>?
        var fortnight: LossyArray<StatPoint>?

        var days: LossyArray<StatPoint>? { span ?? fortnight }

        private enum CodingKeys: String, CodingKey {
            case span = "auto"
            case fortnight = "14d"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, culprit, level, status, substatus, statusDetails, metadata, count, userCount,
            firstSeen
        case lastSeen, lifetime, stats
        case shortID = "shortId"
        case noteCount = "numComments"
        case page = "permalink"
        case category = "issueCategory"
    }
}

/// An element of the same list when hours are requested; the rest was read before.
struct SentryIssueHours: Decodable, Sendable {
    var id: WireLabel
    var stats: Lenient<Stats>?

    /// The time line of 24 hours.
    struct Stats: Decodable, Sendable {
        var hours: LossyArray<StatPoint>?

        private enum CodingKeys: String, CodingKey {
            case hours = "24h"
        }
    }
}

/// `GET /organizations/{o}/issues/{id}/`: what the list does not report.
struct SentryIssueDetail: Decodable, Sendable {
    var activity: LossyArray<SentryAPINote>
    var firstRelease: Lenient<ReleaseName>?
    var lastRelease: Lenient<ReleaseName>?

    /// A release in short.
    struct ReleaseName: Decodable, Sendable {
        var version: WireName
        var info: Lenient<SentryVersionInfo>?

        private enum CodingKeys: String, CodingKey {
            case version
            case info = "versionInfo"
        }
    }
}

/// `GET /organizations/{o}/sessions/`.
struct SentrySessions: Decodable, Sendable {
    var end: WireInstant
    /// The beginnings of the buckets.
    var intervals: [WireInstant]
    /// No element may be lost unseen: the groups of one release are added up.
    var groups: [Group]

    /// One series of buckets for each field. A group that cannot be read is found by its empty `by`.
    struct Group: Decodable, Sendable {
        var by: Lenient<Key>?
        var series: Lenient<Series>?
        var totals: Lenient<Totals>?
    }

    /// The values of the whole span.
    struct Totals: Decodable, Sendable {
        var users: Count?

        private enum CodingKeys: String, CodingKey {
            case users = "count_unique(user)"
        }
    }

    /// What the group is of. A key whose value is empty is not sent.
    struct Key: Decodable, Sendable {
        var release: WireName?
        var status: WireName?
        var environment: WireName?

        private enum CodingKeys: String, CodingKey {
            case release, environment
            case status = "session.status"
        }
    }

    /// The values bucket by bucket.
    struct Series: Decodable, Sendable {
        var sessions: LossyArray<Nullable<Count>>?
        var users: LossyArray<Nullable<Count>>?
        /// A fraction, null where there were no users; the percentages of other endpoints are not read.
        var crashFreeUsers: LossyArray<Nullable<Double>>?

        private enum CodingKeys: String, CodingKey {
            case sessions = "sum(session)"
            case users = "count_unique(user)"
            case crashFreeUsers = "crash_free_rate(user)"
        }
    }
}

/// A value of a list, or null.
struct Nullable<Value: Decodable & Sendable>: Decodable, Sendable {
    var value: Value?

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value?.self)
    }
}

/// `GET /organizations/{o}/events/`: a table with a row for each value of the fields that are no counts.
struct SentryTable: Decodable, Sendable {
    var data: LossyArray<Row>

    /// One row; which members it has depends on what was requested.
    struct Row: Decodable, Sendable {
        var issue: WireLabel?
        var release: Lenient<WireName>?
        var day: WireInstant?
        var events: Count?
        var users: Count?

        private enum CodingKeys: String, CodingKey {
            case release
            case issue = "issue.id"
            case day = "timestamp.to_day"
            case events = "count()"
            case users = "count_unique(user)"
        }
    }
}

/// `GET /organizations/{o}/events-timeseries/`: a series for each axis.
struct SentrySeries: Decodable, Sendable {
    var series: LossyArray<Line>

    /// One series.
    struct Line: Decodable, Sendable {
        var axis: WireName?
        var values: LossyArray<Point>
    }

    /// One bucket; its time is in milliseconds.
    struct Point: Decodable, Sendable {
        var timestamp: Int
        var value: Double?
        /// Whether it is still filling.
        var incomplete: Bool?
    }

    private enum CodingKeys: String, CodingKey {
        case series = "timeSeries"
    }
}

extension SentrySeries.Line {
    private enum CodingKeys: String, CodingKey {
        case values
        case axis = "yAxis"
    }
}
