package import AppHealth
import Statistics

/// Days in a row on which no crash was counted, though what is usual makes that all but impossible: it says that crashes
/// are not reported, and nothing of health. One crash that is counted ends it.
package struct CrashSilence: Hashable, Codable, Sendable {
    /// The first of the days.
    package let since: CivilDate
    /// About how many would have crashed from then on.
    package let expected: Int

    /// How many must be expected at the least.
    package static let leastExpected = 20.0
    /// The chance below which none is no accident.
    private static let chance = 1e-9
    /// How few days show what is usual.
    fileprivate static let fewestDays = 7
    /// Within how many days of the first one they must be so many.
    package static let mostDays = 3

    /// Nil where none may be chance.
    ///
    /// - Parameters:
    ///   - total: all that was counted from then on, of which nothing crashed.
    ///   - usual: the crashed share that is usual, in 0…1.
    ///   - dispersion: how many times more the counts of a sample vary than chance has it.
    init?(since: CivilDate, _ total: DayCount, usual: Double, dispersion: @autoclosure () -> Double) {
        let expected = Double(total.seen.total) * usual
        guard total.crashed == 0, expected >= Self.leastExpected,
            chanceOfNone(expected: expected, dispersion: dispersion()) < Self.chance
        else { return nil }
        self.since = since
        self.expected = Int((Double(total.total) * usual).rounded())
    }
}

extension CrashSilence {
    /// The days of some silences by the day that shows each, with those from the first one on that did not show it yet.
    static func days(of silences: [CivilDate: CrashSilence]) -> Set<CivilDate> {
        let starts = silences.flatMap { day, silence in
            (0..<mostDays).map { silence.since.advanced(by: $0) }.filter { $0 < day }
        }
        return Set(silences.keys).union(starts)
    }
}

/// The crashed share that most days keep near; nil of too few.
func usualShare(of days: some Sequence<DayCount?>) -> Double? {
    let shares = days.compactMap { day in
        day.flatMap { $0.total > 0 ? Double($0.crashed) / Double($0.total) : nil }
    }
    return shares.count < CrashSilence.fewestDays ? nil : median(shares)
}

extension RateIndex {
    /// The days on which no crash was counted though the weeks before make that all but impossible, on a basis.
    ///
    /// What is usual is that of the days before the first of them. After a crash ended some, it is shown by the days since:
    /// one that was forced proves that reports arrive, and that no other came is true then.
    func crashSilences(_ basis: Basis) -> [CivilDate: CrashSilence] {
        let counts = crashSeries(basis)
        guard counts.contains(where: { ($0?.total ?? 0) > 0 && $0?.crashed == 0 }) else { return [:] }
        let series = zip(counts, sampleFactors(of: counts, stated: sampling(basis))).map {
            $0?.multiplied(by: $1)
        }
        let changes = changes.days(of: [basis.capability])
        let late = sources[basis].lateCounts(basis)
        var found: [CivilDate: CrashSilence] = [:]
        var begin = 0
        // The first of days without any crash, and whether they are known to be silent.
        var run: (first: Int, isSilent: Bool)?
        for (place, day) in series.enumerated() {
            guard let day, day.total > 0 else { continue }
            guard day.crashed == 0 else {
                if run?.isSilent == true { begin = place }
                run = nil
                continue
            }
            let first = run?.first ?? place
            // Where a few crashes a day are usual, weeks without any are a fix.
            let begins = run?.isSilent == true ? first : max(first, place - CrashSilence.mostDays + 1)
            let past = (max(begin, begins - StabilityBudget.dispersionSpan)..<max(begin, begins))
                .filter { !changes.separate(days[$0], days[place]) }.map { series[$0]?.seen }
            // Crashes that are still to come are missed by no one.
            let part = late[days[place]]?.part ?? 1
            let silence = usualShare(of: past).flatMap {
                CrashSilence(
                    since: days[begins], wholeCount(series[begins...place]), usual: $0 * part,
                    dispersion: dayDispersion(past))
            }
            if silence != nil, run?.isSilent != true {
                run = (begins, true)
            } else {
                run = (first, run?.isSilent == true)
            }
            found[days[place]] = silence
        }
        return found
    }

    /// The days that prove nothing: the silent ones, and those before the first that showed it.
    func silentDays(_ basis: Basis) -> Set<CivilDate> { CrashSilence.days(of: crashSilences(basis)) }

    /// The series by which drops are found and closed: without the days on which crashes were not reported.
    func judgedCrashSeries(_ basis: Basis) -> [DayCount?] {
        let silences = crashSilences(basis)
        return zip(days, crashSeries(basis)).map { silences[$0] == nil ? $1 : nil }
    }
}
