/// One question to SuperSearch. Both ask for facets only, never for single reports.
enum SocorroEndpoint: ServiceEndpoint {
    /// Reports by signature, and by day and signature.
    case signatures(product: String, from: String, size: Int)
    /// The versions in which the signatures with most reports were seen.
    case versions(product: String, from: String, size: Int)

    var call: ServiceCall {
        ServiceCall(segments: ["api", "SuperSearch"], query: query, part: what, endsWithSlash: true)
    }

    private var query: [(String, String)] {
        switch self {
        case .signatures(let product, let from, let size):
            Self.window(product, from) + [
                ("_facets", "signature"), ("_histogram.date", "signature"),
                ("_histogram_interval.date", "day"),
                ("_facets_size", String(size)),
            ]
        case .versions(let product, let from, let size):
            Self.window(product, from) + [("_aggs.signature", "version"), ("_facets_size", String(size))]
        }
    }

    private static func window(_ product: String, _ from: String) -> [(String, String)] {
        [("product", product), ("date", ">=\(from)"), ("_results_number", "0")]
    }

    private var what: String {
        switch self {
        case .signatures: "crash reports by signature and day"
        case .versions: "versions of the issues"
        }
    }
}
