package import Analysis
import Statistics

extension Verdict {
    /// `meets target`, `below target`, `critical`, `not enough data`, `unknown`.
    package var words: String {
        switch self {
        case .meets: "meets target"
        case .misses: "below target"
        case .critical: "critical"
        case .notEnoughData: "not enough data"
        case .unknown: "unknown"
        }
    }
}

extension ReleaseStage {
    /// `adopted`, `replaced`, `low`.
    package var words: String { stage.rawValue }
}
