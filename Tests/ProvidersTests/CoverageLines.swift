import AppHealth

extension CoverageSpan {
    /// `users 2026-11-17...2026-11-19 partial 30 of 145`, for expectations.
    var line: String {
        let days = days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days)"
        return "\(fact) \(days) \(coverage.words)"
    }
}

extension Coverage {
    fileprivate var words: String {
        switch self {
        case .complete: "complete"
        case .approximate(let deviation): "approximate \((deviation * 10_000).rounded() / 100)%"
        case .unknown: "unknown"
        case .partial(let counted, let all, _):
            ["partial", counted.map(String.init), all.map { "of \($0)" }].compactMap(\.self).joined(
                separator: " ")
        }
    }
}

extension HealthDay {
    /// `2026-11-17 4.2.0 300/1`: the users and those with a crash; `?` is unknown.
    var line: String {
        let counts = [users, crashedUsers].map { $0.map(String.init) ?? "?" }.joined(separator: "/")
        return "\(date) \(version ?? "-") \(counts)"
    }
}
