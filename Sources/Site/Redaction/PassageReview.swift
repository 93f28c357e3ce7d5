import Analysis
package import AppHealth
package import Diagnostics
import Pages

/// Finds out which passages of the owner's hold a text that strangers chose and that is known already, before more such
/// texts come.
///
/// What an event is called that comes later is a text that the passage had first, whatever machine the site is built on.
package struct PassageReview {
    private let known: KnownPassages
    private let current: Set<String>
    private let ownText: String
    private let title: String
    private let mutes: [Mute]
    /// Those that no review has found to be the owner's own.
    private let candidates: Set<String>
    private var quoting: Set<String> = []
    /// Other archives that may have found out about them.
    private let witnesses: [PassageWitness]

    /// Old passages, which may come back, are remembered while all together have no more bytes than this.
    private static let mostBytes = 16 << 20

    /// Begins one; nil when each passage was reviewed before.
    ///
    /// - Parameter witnesses: What other archives remember that were merged into this one. A passage that one of them
    ///   found to be the owner's own, and none to quote, quotes no event of that one's apps.
    package init?(
        of input: SiteInput, knowing known: KnownPassages, witnesses: [PassageWitness] = []
    ) throws(Diagnostics) {
        current = OwnerTexts(try ownerTexts(input)).passages
        let doubtful = witnesses.reduce(into: known.quoting) { $0.formUnion($1.passages.quoting) }
        self.witnesses = witnesses.map { witness in
            PassageWitness(
                apps: witness.apps, passages: KnownPassages(own: witness.passages.own.subtracting(doubtful)))
        }
        let all = self.witnesses.reduce(into: current) { $0.formUnion($1.passages.own) }
        guard !all.isSubset(of: known.own.union(known.quoting)) else { return nil }
        (self.known, title, ownText) = (known, input.facts.title, try Site.ownText(input))
        mutes = input.control.mutes
        candidates = all.subtracting(known.own)
    }

    /// Reviews what is known of an app.
    package mutating func add(_ history: AppHistory) {
        var facts = AudienceRedaction(history, for: Audience(.public)).sensitiveFacts(
            of: history, mutes: mutes)
        facts.known.insert(title)
        let all = LeakPatterns(facts, ownText: ownText)
        let patterns = LeakPatterns(all.filter { $1.fact.rule.isOfStrangers })
        let own = witnesses.filter { $0.apps.contains(history.app.id) }
            .reduce(into: known.own) { $0.formUnion($1.passages.own) }
        let open = candidates.subtracting(quoting).subtracting(own)
        let found = OwnerTexts(Array(open), own: own).quoted(patterns)
        guard !found.isEmpty else { return }
        quoting.formUnion(open.filter { !numbers(of: patterns, in: [$0]).isDisjoint(with: found) })
    }

    /// What is to be remembered.
    package var result: KnownPassages {
        let new = candidates.subtracting(quoting)
        let all = known.own.union(new)
        let isLarge = all.reduce(0) { $0 + $1.utf8.count } > Self.mostBytes
        return KnownPassages(own: isLarge ? all.intersection(current) : all, quoting: quoting)
    }
}
