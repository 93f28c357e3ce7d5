/// A page of any list: at most 250 elements, and the whole address of the next page.
struct BugsinkPage<Element: Decodable & Sendable>: WirePage {
    var link: WireLine?
    var results: LossyArray<Element>

    var elements: [Element] { results.values }
    var next: String? { link?.nonEmpty }

    private enum CodingKeys: String, CodingKey {
        case link = "next"
        case results
    }
}

/// `projects/`, one element. Its `dsn` lets anybody send events and is not read.
struct BugsinkProject: Decodable, Sendable {
    var id: WireLabel
    var slug: WireName?
    var name: WireName?
}

/// `issues/`, one element. `first_seen` and `last_seen` are times of arrival, not of the events.
struct BugsinkIssue: Decodable, Sendable {
    var id: WireName
    var type: WireLine?
    var value: WireLine?
    var transaction: WireLine?
    var isResolved: Bool?
    var isMuted: Bool?
    var fixedAt: LossyArray<WireName>?
    var eventsAt: LossyArray<WireName>?
    var events: Count?
    var firstSeen: WireInstantOrBlank?
    var lastSeen: WireInstantOrBlank?

    private enum CodingKeys: String, CodingKey {
        case id, transaction
        case type = "calculated_type"
        case value = "calculated_value"
        case isResolved = "is_resolved"
        case isMuted = "is_muted"
        case fixedAt = "fixed_at"
        case eventsAt = "events_at"
        case events = "digested_event_count"
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }
}

/// `issues/{id}/event-counts/` and `projects/{id}/event-counts/`: one bucket for each hour in UTC, empty ones too.
struct BugsinkCounts: Decodable, Sendable {
    var seconds: Count?
    var buckets: LossyArray<Bucket>

    /// One hour.
    struct Bucket: Decodable, Sendable {
        var timestamp: WireInstant
        var count: Count
    }

    private enum CodingKeys: String, CodingKey {
        case seconds = "interval_seconds"
        case buckets
    }
}

/// `issues/{id}/tags/?key=user`, one element for each user; who it is is not read.
struct BugsinkUser: Decodable, Sendable {
    var id: WireLabel
}

/// `issues/{id}/tags/?key=handled`, one element; the counts outlive the events.
struct BugsinkHandled: Decodable, Sendable {
    /// `true` or `false`.
    var value: WireName
    var count: Count
}

/// `releases/`, one element.
struct BugsinkRelease: Decodable, Sendable {
    var version: WireName
    var released: WireInstantOrBlank?

    private enum CodingKeys: String, CodingKey {
        case version
        case released = "date_released"
    }
}

/// `issue-history/`, one element: a change of state or a comment.
struct BugsinkHistoryEntry: Decodable, Sendable {
    var id: WireLabel
    var at: WireInstant
    var author: Lenient<WireName>?
    var comment: Lenient<WireProse>?

    private enum CodingKeys: String, CodingKey {
        case id, comment
        case at = "timestamp"
        case author = "user_display_name"
    }
}

/// `events/`, one element, without the event itself.
struct BugsinkEventEntry: Decodable, Sendable {
    var id: WireName
}

/// `events/{id}/`: the event as the app's SDK sent it, so that any part may be missing or odd.
struct BugsinkEvent: Decodable, Sendable {
    var data: Lenient<Payload>?

    /// The event.
    struct Payload: Decodable, Sendable {
        var level: Lenient<WireName>?
        var exception: Lenient<Exceptions>?
    }

    /// The exceptions from cause to effect: a list, or an object that holds it.
    struct Exceptions: Decodable, Sendable {
        var values: [Exception]

        init(from decoder: any Decoder) throws {
            if let list = try? LossyArray<Exception>(from: decoder) {
                values = list.values
            } else {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                values = try container.decode(LossyArray<Exception>.self, forKey: .values).values
            }
        }

        private enum CodingKeys: String, CodingKey {
            case values
        }
    }

    /// One exception.
    struct Exception: Decodable, Sendable {
        var type: Lenient<WireLine>?
        var mechanism: Lenient<Mechanism>?
        var stacktrace: Lenient<Stack>?
    }

    /// How the SDK came to know of it.
    struct Mechanism: Decodable, Sendable {
        var type: Lenient<WireName>?
        var handled: Lenient<Bool>?
    }

    /// The calls, outermost first.
    struct Stack: Decodable, Sendable {
        var frames: LossyArray<Frame>?
    }

    /// One call.
    struct Frame: Decodable, Sendable {
        var filename: Lenient<WireLine>?
        var line: Lenient<Count>?
        var isInApp: Lenient<Bool>?

        private enum CodingKeys: String, CodingKey {
            case filename
            case line = "lineno"
            case isInApp = "in_app"
        }
    }
}
