import AppHealth

extension HistoryIndex {
    /// Which shares of their counts on a basis the days of a source have that are not final, as of its newest capture.
    func lateCounts(of source: SourceHistory?, _ basis: Basis) -> [CivilDate: LateCounts] {
        source?.lateCounts[basis == .users ? .users : .sessions] ?? [:]
    }

    /// The days of releases of which crashes may still come in: by what earlier days had, and by their age where that is not
    /// known.
    var releaseDaysComingIn: Set<CivilDate> {
        Set(lateCounts(of: rates.releases, releaseBasis).keys)
            .union(releasesByDay.keys.filter { isSettling($0, for: rates.releases) })
    }

    /// The days that are not final and have less than four fifths of the crashes that they will have.
    var daysWithLateCrashes: [CivilDate: LateCounts] {
        lateCounts(of: stability, basis).filter { day, late in
            late.crashedPart < Self.inPart && settlement(of: day)?.doubt != nil
                && crashedShare(on: day) != nil
        }
    }

    /// A day with less than so much of its crashes says so.
    package static let inPart = 0.8
}
