import AppHealth
import Configuration
import Diagnostics

extension StoredDays {
    /// The days of listed sources of which nothing is shown, as earlier ones of the app provide the same, that no source
    /// that is shown has.
    func coveredSources(of app: AppConfiguration) -> [Diagnostic] {
        let described = app.sources.compactMap { description(of: app.app.id, $0.id)?.withEnd(of: app) }
        let covered = described.indices.compactMap { place in
            described[place].isCovered(by: Array(described[..<place])).map { (described[place].id, $0) }
        }
        if covered.isEmpty { return [] }
        let hidden = Set(covered.map(\.0))
        let shown = days(of: app.app.id, described.map(\.id).filter { !hidden.contains($0) })
        return covered.compactMap { source, others in
            coveredDays(of: source, by: others.map(\.id), of: app.app.id, shown)
        }
    }

    /// What to report of a source that others cover; nil where they have all of its days. Days that are later than the
    /// newest one that is shown may only not be there yet.
    private func coveredDays(
        of source: Slug, by others: [Slug], of app: Slug, _ shown: Set<CivilDate>
    ) -> Diagnostic? {
        guard let newest = shown.max() else { return nil }
        let stopped = others.allSatisfy { isLate(newest.advanced(by: 1), of: arrivals(of: app, $0)) }
        let alone = days(of: app, source).subtracting(shown).filter { stopped || $0 < newest }
        guard let first = alone.min(), let last = alone.max() else { return nil }
        let names = others.map { "'\($0)'" }.joined(separator: " and ")
        let before = alone.filter { $0 < newest }.max().map { end in
            "if \(names) replaced '\(source)', keep these days on the site: write 'until: \(end)' into '\(source)'"
        }
        let after =
            last > newest
            ? "if '\(source)' replaced \(names), write 'until: \(newest)' into \(names)" : nil
        return .warning(
            "archive.covered-days",
            "The archive has \(counted(alone.count, "day")) of '\(source)' of \(app) that no page shows, as \(names) \(others.count == 1 ? "provides" : "provide") the same",
            details: ["\(first) to \(last)"], hints: [before, after].compactMap(\.self))
    }
}

extension Source {
    /// The sources listed before that provide all that is shown of only one, where they do; nil where something of this one
    /// may be shown. Of use each number is from the first source that has it, so that two services may add to each other.
    fileprivate func isCovered(by earlier: [Source]) -> [Source]? {
        let known = capabilities.subtracting([.notes, .releases])
        let others = earlier.filter { $0.until == nil && !$0.capabilities.isDisjoint(with: known) }
        let provided = others.reduce(into: Set<Capability>()) { all, other in
            all.formUnion(
                other.provider == provider ? other.capabilities : other.capabilities.subtracting([.usage]))
        }
        return until == nil && !known.isEmpty && known.isSubset(of: provided) ? others : nil
    }
}
