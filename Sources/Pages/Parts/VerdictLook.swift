/// How a verdict looks, whatever its words are. The raw value is its word in style sheets and data files.
package enum VerdictLook: String, Hashable, Sendable {
    case meets, misses, critical, even, insufficient, unknown

    /// A sign that says the same without color.
    var mark: String {
        switch self {
        case .meets: "▲"
        case .misses: "▼"
        case .critical: "▼▼"
        case .even: "="
        case .insufficient: "◌"
        case .unknown: "?"
        }
    }
}
