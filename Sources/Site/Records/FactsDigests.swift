import Analysis
import AppHealth
import Files
import Pages
import Synchronization

/// Digests of what the pages of one app share. Pages with the same last day share the same, so that each is encoded
/// once for all of them.
final class FactsDigests: Sendable {
    private let known = Mutex<[CivilDate: String]>([:])
    private let releases = Mutex<String?>(nil)

    /// A digest of all that a page of the app is made from; nil when it has none.
    func digest(of inputs: some PageInputs) -> String? {
        guard let own = try? ValueEncoder.bytes(of: inputs), let shared = shared(inputs) else { return nil }
        return contentHash(own + Array(shared.utf8))
    }

    private func shared(_ inputs: some PageInputs) -> String? {
        let day = inputs.facts.lastDay
        if let digest = known.withLock({ $0[day] }) { return digest }
        guard let releases = digestOfReleases(inputs.facts),
            let own = try? ValueEncoder.bytes(of: inputs.facts.withoutReleases)
        else { return nil }
        let digest = contentHash(own + Array(releases.utf8))
        known.withLock { $0[day] = digest }
        return digest
    }

    private func digestOfReleases(_ facts: AppFacts) -> String? {
        if let known = releases.withLock(\.self) { return known }
        guard let digest = digestOfValue(facts.listedReleases) else { return nil }
        releases.withLock { $0 = digest }
        return digest
    }
}
