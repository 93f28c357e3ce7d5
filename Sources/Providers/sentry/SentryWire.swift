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
    /// Events within the span that was asked for; `lifetime` holds all.
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

    /// The time line, by the span that was asked for.
    struct Stats: Decodable, Sendable {
        var days: LossyArray<StatPoint>?

        private enum CodingKeys: String, CodingKey {
            case days = "14d"
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

/// An element of the same list when it is asked for hours; the rest was read before.
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

/// `GET /organizations/{o}/issues/{id}/`: what the list does not tell.
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
