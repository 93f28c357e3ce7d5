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
    /// Only where a histogram was asked for.
    var trend: Lenient<LossyArray<Bucket>>?

    /// Events of a span of time.
    struct Bucket: Decodable, Sendable {
        var from: WireInstant
        var to: WireInstant
        var events: Count

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

    var name: WireName

    private enum CodingKeys: String, CodingKey {
        case name = "display_id"
    }
}
