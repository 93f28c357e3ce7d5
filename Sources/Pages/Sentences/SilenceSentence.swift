import Analysis
import AppHealth
import Formatting

extension CrashSilence {
    /// `No crash was reported since Sat, Oct 31, 2026, though about 40 crashed sessions are expected. Check crash reporting,
    /// for example with a test crash.`
    func sentence(on day: CivilDate, _ basis: Basis, counts: Audience.Display) -> String {
        let span = since == day ? "" : " since \(since.compactText)"
        return sentence("No crash was reported\(span)", basis, counts)
    }

    /// The same of the days of a release up to one: it may have crashes on others.
    fileprivate func sentence(
        of release: String, through last: CivilDate, _ basis: Basis, counts: Audience.Display
    ) -> String {
        sentence("No crash of \(release) was reported for \(spanText(since, last))", basis, counts)
    }

    private func sentence(_ head: String, _ basis: Basis, _ counts: Audience.Display) -> String {
        let number = counts == .shown ? "about \(countText(expected))" : "some"
        let unit = basis == .users ? "affected users" : "crashed sessions"
        return
            "\(head), though \(number) \(unit) are expected. Check crash reporting, for example with a test crash."
    }
}

extension ReleaseEvaluation {
    /// `No crash of 2.0 was reported for Jan 24–27, 2016, though about 40 crashed sessions are expected. Check crash
    /// reporting, for example with a test crash.`: of the days that are judged.
    func silenceSentence(_ silence: CrashSilence, counts: Audience.Display) -> String {
        let last = basis.map { $0.life.day(ofAge: $0.age) } ?? silence.since
        return silence.sentence(
            of: label, through: last, basis?.life.basis ?? .sessions, counts: counts)
    }
}
