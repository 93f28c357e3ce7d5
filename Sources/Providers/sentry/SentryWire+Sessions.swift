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

        private enum CodingKeys: String, CodingKey {
            case release
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
