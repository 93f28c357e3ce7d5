/// How a warehouse counts different sessions and users.
enum WarehouseDistinct: String, CaseIterable, Sendable {
    /// One by one, in memory that grows with them.
    case exact
    /// By a sketch of fixed size, which may miss by a little. What crashed stays exact: it is few.
    case approximate

    /// Up to how many of a day counting them one by one is no burden: a table of so many takes some hundred megabytes.
    static let mostExact = 10_000_000

    /// How they are counted, in a word that ends a sentence.
    var words: String {
        switch self {
        case .exact: "exactly"
        case .approximate: "approximately"
        }
    }
}

/// The relative standard error of a count by HyperLogLog with 2^precision cells: 1.04 ÷ √cells.
///
/// P. Flajolet, É. Fusy, O. Gandouet, F. Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation
/// algorithm", AofA 2007. The engines keep some thousand one by one; their error is then smaller.
func sketchDeviation(precision: Int) -> Double { 1.04 / Double(1 << precision).squareRoot() }
