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

    /// The same of a release up to now.
    func sentence(of release: String, _ basis: Basis, counts: Audience.Display) -> String {
        sentence("No crash of \(release) was reported", basis, counts)
    }

    private func sentence(_ head: String, _ basis: Basis, _ counts: Audience.Display) -> String {
        let number = counts == .shown ? "about \(countText(expected))" : "some"
        let unit = basis == .users ? "affected users" : "crashed sessions"
        return
            "\(head), though \(number) \(unit) are expected. Check crash reporting, for example with a test crash."
    }
}
