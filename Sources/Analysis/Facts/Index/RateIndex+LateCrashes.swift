import AppHealth

extension RateIndex {
    /// The days that are not final and have less than four fifths of the crashes that they will have.
    var daysWithLateCrashes: [CivilDate: LateCounts] {
        source.lateCounts(basis).filter { day, late in
            late.crashedPart < Self.inPart && settlement[day]?.doubt != nil && crashedShare(on: day) != nil
        }
    }

    /// A day with less than so much of its crashes says so.
    package static let inPart = 0.8
}
