/// Counts of issues and sessions of samples, as a source multiplied them.
///
/// As in `SampledCounts`, what is judged are the counts of the sample. Sessions may be of a sample and issues not, as where
/// they are of two sources: a step counts as one of a sample only where all counts of issues up to it, as far back as a
/// forecast goes, are multiples of the factor of theirs.
struct SampledIssues {
    /// The counts of the samples; those of steps that are no sample as they were.
    let series: IssueSeries
    /// By what each step was multiplied; empty where none was.
    private let factors: [Double]
    private let stated: IssueSeries

    /// - Parameters:
    ///   - known: By what the sessions of each step were multiplied; 1, or none at all, where they are no sample.
    ///   - span: How many steps a forecast goes back.
    init(_ series: IssueSeries, factors known: [Double], span: Int) {
        stated = series
        guard known.count == series.sessions.count, known.contains(where: { $0 > 1 }) else {
            (self.series, factors) = (series, [])
            return
        }
        let factors = commonFactors(known, of: series, span: span)
        self.factors = factors
        self.series = series.divided(by: factors)
    }

    /// A finding in the counts of samples with the counts as they were stated.
    func stated(_ finding: VelocityFinding) -> VelocityFinding {
        let span = (finding.hour - finding.window + 1)...finding.hour
        guard let factor = factors.isEmpty ? nil : factors[span].max(), factor > 1 else { return finding }
        let row = stated.rows[finding.issue]
        let steps = row.known.map { $0.map(Int.init).filter(span.contains) } ?? Array(span)
        let met = zip(row.steps, row.counts).filter { step, _ in
            span.contains(Int(step)) && (stated.sessions[Int(step)] ?? 0) > 0
        }
        return VelocityFinding(
            hour: finding.hour, issue: finding.issue, window: finding.window, score: finding.score,
            bar: finding.bar, affected: met.reduce(0) { $0 + $1.1 },
            sessions: steps.reduce(0) { $0 + (stated.sessions[$1] ?? 0) }, expected: finding.expected,
            past: Int(min((Double(finding.past) * factor).rounded(), 1e15)), sampling: factor)
    }
}

/// The factors of steps up to which all counts of issues are multiples of theirs.
private func commonFactors(_ known: [Double], of series: IssueSeries, span: Int) -> [Double] {
    var areMultiples = known.map { _ in true }
    for row in series.rows {
        for (step, count) in zip(row.steps, row.counts)
        where !isMultiple(count, of: known[Int(step)]) { areMultiples[Int(step)] = false }
    }
    var lastOther = -span - 1
    return known.indices.map { step in
        if !areMultiples[step] { lastOther = step }
        return step - lastOther > span ? max(1, known[step]) : 1
    }
}

/// Whether a count is what a whole number times a factor is rounded to.
package func isMultiple(_ count: Int, of factor: Double) -> Bool {
    guard factor > 1 else { return true }
    let whole = (Double(count) / factor).rounded()
    return abs(Double(count) - whole * factor) <= 0.5
}

extension IssueSeries {
    fileprivate func divided(by factors: [Double]) -> IssueSeries {
        func divided(_ count: Int, at step: Int) -> Int {
            factors[step] > 1 ? Int((Double(count) / factors[step]).rounded()) : count
        }
        let rows = rows.map { row in
            let counts = zip(row.steps, row.counts).map { ($0, divided($1, at: Int($0))) }.filter { $1 > 0 }
            return Row(steps: counts.map(\.0), counts: counts.map(\.1), known: row.known)
        }
        let sessions = sessions.enumerated().map { step, count in count.map { divided($0, at: step) } }
        return IssueSeries(sessions: sessions, rows: rows, deviation: deviation) ?? self
    }
}
