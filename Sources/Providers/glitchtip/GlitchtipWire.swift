/// `GET /organizations/{o}/issues/`, one element.
///
/// `userCount` is not read, for it is always 0; nor is `stats`, which is always empty.
struct GlitchtipIssue: Decodable, Sendable {
    var id: WireLabel
    var shortID: WireName?
    var title: WireLine?
    var culprit: WireLine?
    /// `error`, `default` or `csp`: the kind of event.
    var type: Lenient<WireName>?
    var level: WireName?
    var status: WireName?
    var metadata: Lenient<IssueMetadata>?
    /// All events.
    var count: CountText?
    var firstSeen: WireInstantOrBlank?
    var lastSeen: WireInstantOrBlank?
    var noteCount: Lenient<Count>?
    var page: Lenient<WireLine>?

    private enum CodingKeys: String, CodingKey {
        case id, title, culprit, type, level, status, metadata, count, firstSeen, lastSeen
        case shortID = "shortId"
        case noteCount = "numComments"
        case page = "permalink"
    }
}

/// `GET /organizations/{o}/issues-stats/`, one element. Its `userCount` is a number of events and not read.
struct GlitchtipIssueStats: Decodable, Sendable {
    var id: WireLabel
    var stats: Stats

    /// The time line by its span; buckets without events are not sent.
    struct Stats: Decodable, Sendable {
        var days: LossyArray<StatPoint>

        private enum CodingKeys: String, CodingKey {
            case days = "14d"
        }
    }
}

/// `GET issues/{id}/tags/?key=…`, one element for each key: all values over what is kept.
struct GlitchtipTag: Decodable, Sendable {
    var key: WireName
    var uniqueValues: Lenient<Count>?
    var topValues: LossyArray<Value>?

    /// A value with the number of its events.
    struct Value: Decodable, Sendable {
        var value: WireName
    }
}

/// `GET organizations/{o}/releases/`, one element.
struct GlitchtipRelease: Decodable, Sendable {
    var version: WireName
    /// When the server first processed an event of it.
    var created: WireInstantOrBlank?
    /// When somebody said it was released; null as a rule.
    var released: Lenient<WireInstant>?

    private enum CodingKeys: String, CodingKey {
        case version
        case created = "dateCreated"
        case released = "dateReleased"
    }
}

/// `GET organizations/{o}/stats_v2/`, hour by hour.
struct GlitchtipTotals: Decodable, Sendable {
    /// The beginnings of the hours that are reported.
    var intervals: [WireInstant]
    var groups: [Group]

    /// The events of the project.
    struct Group: Decodable, Sendable {
        var series: Series
    }

    /// One count for each interval; null where there was nothing.
    struct Series: Decodable, Sendable {
        var events: [Nullable<Count>]

        private enum CodingKeys: String, CodingKey {
            case events = "sum(quantity)"
        }
    }
}
