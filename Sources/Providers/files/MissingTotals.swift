import AppHealth
import Diagnostics

extension SkippedValues {
    /// Says that every day of a file is one of a single release, which gives no day of all together.
    mutating func addMissingTotals(_ document: String) {
        add(
            .warning(
                "files.totals", "files: no totals by day, as every row has a release",
                details: [
                    "rows of releases are not added up: they may not be all of a day, and users overlap"
                ],
                at: .file(path: document),
                hints: [
                    "add a row without a release for each day, here or in another file of this source, with the counts of all releases together"
                ]))
    }
}

extension Snapshot {
    /// Whether it should have sessions, users or crashes of days, and has those of single releases alone, which are not
    /// added up: sessions and crashes are where all releases of a day are known.
    var countsReleasesAlone: Bool {
        guard !health.isEmpty, health.allSatisfy({ $0.version != nil }) else { return false }
        // A source of issues has the crashes of a day from these.
        let countsCrashes =
            !source.capabilities.contains(.issues) && health.contains { $0.crashes != nil }
        guard countsCrashes || !source.capabilities.isDisjoint(with: [.sessions, .users]) else {
            return false
        }
        let areWhole = coverage.contains { $0.fact == .releaseHealth && $0.coverage.isComplete }
        return !areWhole || health.allSatisfy { $0.sessions == nil && $0.crashes == nil }
    }
}
