package import Analysis

extension VerdictView {
    /// A verdict on a release with its reason; its look is that of the verdict against levels which is as good
    /// or as bad.
    package init(_ judgement: ReleaseEvaluation, counts: Audience.Display) {
        let look: Verdict =
            switch judgement.verdict {
            case .go: .meets
            case .hold: .misses
            case .rollBack: .critical
            case .notEnoughData: .notEnoughData(needed: 0)
            case .unknown: .unknown
            }
        self.init(look, why: judgement.why(counts: counts))
        self.words = judgement.verdict.words
    }
}
