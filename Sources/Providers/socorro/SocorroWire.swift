/// A response of SuperSearch.
struct SocorroAnswer: Decodable, Sendable {
    var total: Count
    var facets: Facets
    var errors: LossyArray<Fault>?

    /// The counts that were requested; a facet that nothing fell into may be missing.
    struct Facets: Decodable, Sendable {
        var signature: LossyArray<Bucket>?
        var days: LossyArray<Bucket>?

        private enum CodingKeys: String, CodingKey {
            case signature
            case days = "histogram_date"
        }
    }

    /// A value with the number of its reports, and these by other fields.
    struct Bucket: Decodable, Sendable {
        var term: WireName
        var count: Count
        var facets: Inner?
    }

    /// The reports of a bucket by another field.
    struct Inner: Decodable, Sendable {
        var signature: LossyArray<Leaf>?
        var version: LossyArray<Leaf>?
        var installations: Lenient<Cardinality>?

        private enum CodingKeys: String, CodingKey {
            case signature, version
            case installations = "cardinality_install_time"
        }
    }

    /// How many distinct values there are, roughly.
    struct Cardinality: Decodable, Sendable {
        var value: Count
    }

    /// A value with the number of its reports.
    struct Leaf: Decodable, Sendable {
        var term: WireName
        var count: Count
    }

    /// What was wrong with a response of status 200; the counts may then be too low.
    struct Fault: Decodable, Sendable {
        var type: WireName
        var index: Lenient<WireName>?
        var shards: Lenient<Count>?

        private enum CodingKeys: String, CodingKey {
            case type, index
            case shards = "shards_count"
        }
    }
}
