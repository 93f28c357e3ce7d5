import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

extension AppScope {
    /// What the counts of two releases show, with their numbers.
    ///
    /// The finding is that at the same age, unless what both had on the same days speaks against it; nothing is concluded
    /// from lifetimes alone, since first days are the worst.
    func verdict(on facts: PairFacts) -> VerdictView {
        let matched = facts.rates.first { $0.span.isMatched }
        guard let lives = facts.lives, let matched, let pair = matched.difference(facts.names).value else {
            return VerdictView(words: "Unknown", .unknown, why: whyUnknown(facts))
        }
        let (later, earlier) = (pair.names.later, pair.names.earlier)
        let numbers = numbersText(pair, matched)
        switch lives.finding {
        case .worse:
            return VerdictView(
                words: "Crashes more", .misses,
                why: "\(later) vs. \(earlier) at the same age: \(numbers).")
        case .better:
            return VerdictView(
                words: "Crashes less", .meets,
                why: "\(later) vs. \(earlier) at the same age: \(numbers).")
        case .notShown: break
        }
        switch lives.doubt {
        case .sameDays?:
            return .even(
                why: "\(later) vs. \(earlier) at the same age: \(numbers). "
                    + "On the same days they do not differ significantly: "
                    + "what moves all releases can explain the difference.")
        case .crashesComingIn?:
            return VerdictView(
                words: "Not enough data", .notEnoughData(needed: nil),
                why: "\(later) vs. \(earlier) at the same age: \(numbers). "
                    + "Many crashes of the latest days are still coming in.")
        case nil: break
        }
        if let needed = pair.needText(matched.span.unit, hidesCounts: hidesCounts) {
            return VerdictView(
                words: "Not enough data", .notEnoughData(needed: nil),
                why: "\(later) vs. \(earlier) at the same age: \(numbers). \(needed.sentenceCased)."
            )
        }
        let why = "\(later) vs. \(earlier) at the same age: \(numbers)."
        guard !pair.mayBeNone else { return .even(why: why) }
        guard !pair.isWide else {
            let notYet = " The interval is that of one check; checked daily, this is not sure yet."
            return VerdictView(words: "Not enough data", .notEnoughData(needed: nil), why: why + notYet)
        }
        return .even(why: why + " Timing or early adopters can explain this little.")
    }

    /// `−3.83 pp (−4.24 to −3.44), crash-free sessions 95.6% (95.2–95.9) vs. 99.40% (99.3–99.5), days 0–3`.
    private func numbersText(_ pair: RateDifference, _ rate: PairRate) -> String {
        let bounds = pair.intervalText.map { " (\($0))" } ?? ""
        return "\(pair.value)\(bounds), crash-free \(rate.span.unit) "
            + "\(PercentFormat.crashFree(pair.later).text) vs. \(PercentFormat.crashFree(pair.earlier).text)"
            + (rate.span == .life ? "" : ", \(rate.window?.text(self) ?? "")")
            + (dataPartText(pair.sampling).map { ", \($0)" } ?? "")
    }

    private func whyUnknown(_ facts: PairFacts) -> String {
        let matched = facts.rates.first { $0.span.isMatched }
        let lives = facts.rates.first { $0.span == .life }
        let why: String? =
            switch matched.map({ $0.difference(facts.names) }) {
            case .absent(let why)?: why.words
            case .failed(let why)?: "the fetch failed (\(why.summary))"
            default: nil
            }
        let sentence = why.map { "\($0.sentenceCased)." } ?? "No data at the same age."
        guard let lives, let pair = lives.difference(facts.names).value else { return sentence }
        return sentence + " Lifetime rates (weaker evidence): \(numbersText(pair, lives))."
    }
}

extension VerdictView {
    fileprivate init(words: String, _ look: Verdict, why: String) {
        self.init(look, why: why)
        self.words = words
    }

    /// Two releases of which neither is shown to be worse: neither good nor bad.
    fileprivate static func even(why: String) -> VerdictView {
        var view = VerdictView(words: "No significant difference", .unknown, why: why)
        view.look = .even
        return view
    }
}
