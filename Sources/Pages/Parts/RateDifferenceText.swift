import Analysis
import Estimates
import Formatting

extension RateDifference {
    /// The difference in percentage points with its sign, `−3.83 pp`, with decimals that its interval bears out.
    var value: String {
        difference.map { PercentFormat(interval: interval).changeText($0) } ?? "–"
    }

    /// Its interval in percentage points, `−4.24 to −3.44`.
    var intervalText: String? { interval.map { PercentFormat(interval: $0).changeBounds($0) } }

    /// What is missing for an interval of ±0.5 pp; nil when nothing is.
    ///
    /// `about 1,200 more sessions of 4.3.0 needed for ±0.5 pp`.
    func needText(_ unit: String, hidesCounts: Bool) -> String? {
        guard let need else { return nil }
        let wanted = "needed for \(PercentFormat.precisionText())"
        func text(_ count: Int, _ name: String) -> String {
            hidesCounts
                ? "more \(unit) of \(name) \(wanted)"
                : "about \(moreText(count, unit)) of \(name) \(wanted)"
        }
        return switch need {
        case .later(let count): text(count, names.later)
        case .earlier(let count): text(count, names.earlier)
        case .both: "more \(unit) of both \(wanted)"
        }
    }
}
