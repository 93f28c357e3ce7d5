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
