import Analysis
import AppHealth
import Charts
import Estimates

extension AppScope {
    /// How many days of age releases are compared over, beyond the age of the newest.
    private static let ageSpan = 28

    /// The newest releases at the same age; nil when no source counts releases by day.
    func ageChart(_ releases: ReleasesSection, _ stability: StabilitySection) -> ChartView? {
        let counted = releases.all.filter { release in
            release.release.releaseDay.map { $0 <= facts.lastCompleteDay } ?? false
                && releases.sessions[release.label] != nil
        }.prefix(4)
        guard let newest = counted.first, let first = newest.release.releaseDay else { return nil }
        let age = first.days(to: facts.lastCompleteDay)
        let span = min(max(Self.ageSpan, age + 1), AgeChart.longestAge)
        let lines = counted.compactMap { release in
            release.release.releaseDay.map { line(of: release, from: $0, span: span, stability) }
        }
        let provisional = (0...age).count { stability.isProvisional(first.advanced(by: $0)) }
        return ChartView(
            figure: AgeChart(
                name: "releases-by-age", title: "Crash-free sessions by days after release", unit: .rate,
                lines: lines, rules: levels, provisional: provisional))
    }

    /// The share of each release of all sessions by day; nil when no source counts releases by day.
    func adoptionChart(
        _ releases: ReleasesSection, _ stability: StabilitySection, span: Int = AppFacts.chartSpan
    ) -> ChartView? {
        guard !releases.sessions.isEmpty else { return nil }
        let domain = DateDomain(last: facts.lastCompleteDay, count: span)
        var wholes: [CivilDate: Int] = [:]
        var absences: [CivilDate: ChartPoint.Absence] = [:]
        for day in dates(in: domain) {
            if let sessions = releases.totals[day] {
                wholes[day] = sessions
            } else {
                absences[day] = stability.absence(of: day, .sessions).mark
            }
        }
        let parts = releases.all.compactMap { release in
            releases.sessions[release.label].map { ShareChart.Part(label: release.label, counts: $0) }
        }
        let (shownParts, shownWholes) = hidesCounts ? shares(parts, wholes) : (parts, wholes)
        return ChartView(
            figure: ShareChart(
                name: "adoption", title: "Adoption of releases, \(span) days", domain: domain,
                parts: shownParts, wholes: shownWholes, absences: absences))
    }

    /// The newest releases that ever had a share worth seeing, as bands under the chart of the app.
    func adoptionBands(
        _ releases: ReleasesSection, in domain: DateDomain, _ stability: StabilitySection
    ) -> [AdoptionBand] {
        let bands = releases.all.lazy.compactMap { release -> AdoptionBand? in
            guard let counts = releases.sessions[release.label] else { return nil }
            let points = dates(in: domain).map { day in
                let share = releases.totals[day].flatMap { Fraction(counts[day] ?? 0, of: $0) }
                return share.map { ChartPoint(day, shown($0).value) }
                    ?? ChartPoint(day, absent: stability.absence(of: day, .sessions).mark)
            }
            let isSeen = points.contains { ($0.value ?? 0) >= ShareChart.pooledBelow }
            return isSeen ? AdoptionBand(label: release.label, points: points) : nil
        }
        return Array(bands.prefix(3))
    }

    /// A release by days from one on.
    func line(
        of release: ReleaseFacts, from first: CivilDate, span: Int, _ stability: StabilitySection
    ) -> AgeChart.Line {
        let reached = min(first.days(to: facts.lastCompleteDay) + 1, span)
        let days = (0..<max(reached, 0)).map { first.advanced(by: $0) }
        let values = stability.rates(of: release.days, on: days).days.map { day -> ChartPoint.Content in
            if day.crashed?.isUndrawn == true { return .absent(.belowMinimum) }
            // A day on which it had no session is known as well.
            let isKnown = release.holds(day.date) || day.absence == .nothingCounted
            return isKnown ? point(day).content : .absent(.missing)
        }
        return AgeChart.Line(label: release.label, values: values)
    }

    /// The same shares of wholes that are all alike, so that no count is left in them. The whole is so large that no digit
    /// which is shown changes.
    private func shares(
        _ parts: [ShareChart.Part], _ wholes: [CivilDate: Int]
    ) -> ([ShareChart.Part], [CivilDate: Int]) {
        let whole = 1_000_000_000
        let scaled = parts.map { part in
            let counts = part.counts.reduce(into: [CivilDate: Int]()) { result, day in
                guard let share = wholes[day.key].flatMap({ Fraction(day.value, of: $0) }) else { return }
                result[day.key] = Int((shown(share).value * Double(whole)).rounded())
            }
            return ShareChart.Part(label: part.label, counts: counts)
        }
        return (scaled, wholes.mapValues { $0 > 0 ? whole : 0 })
    }
}
