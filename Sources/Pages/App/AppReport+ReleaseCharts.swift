import Analysis
import AppHealth
import Charts
import Statistics

extension AppReport {
    /// How many days of age releases are compared over, beyond the age of the newest.
    private static let ageSpan = 28

    /// The newest releases at the same age; nil when no source counts releases by day.
    func ageChart() -> ChartView? {
        let counted = releases.filter { release in
            release.releasedAt.map { $0.date <= evidence.lastDay } ?? false
                && releaseSessions[release.version.label] != nil
        }.prefix(4)
        guard let newest = counted.first, let first = newest.releasedAt?.date else { return nil }
        let age = first.days(to: evidence.lastDay)
        let span = min(max(Self.ageSpan, age + 1), AgeChart.longestAge)
        let lines = counted.compactMap { release in
            release.releasedAt.map { line(of: release.version.label, from: $0.date, span: span) }
        }
        let provisional = (0...age).count { isProvisional(first.advanced(by: $0)) }
        return ChartView(
            figure: AgeChart(
                name: "releases-by-age", title: "Crash-free sessions by days after release", unit: .rate,
                lines: lines, rules: levels, provisional: provisional))
    }

    /// The share of each release of all sessions by day; nil when no source counts releases by day.
    func adoptionChart(span: Int = AppReport.chartSpan) -> ChartView? {
        guard !releaseSessions.isEmpty else { return nil }
        let domain = DateDomain(last: evidence.lastDay, count: span)
        let told = toldDays
        var wholes: [CivilDate: Int] = [:]
        var absences: [CivilDate: ChartPoint.Absence] = [:]
        for day in dates(in: domain) {
            if told.contains(day), let sessions = evidence.health[day]?.sessions {
                wholes[day] = sessions
            } else {
                absences[day] = absence(of: day)
            }
        }
        let known = Set(releases.map(\.version.label))
        let unlisted = releaseSessions.keys.filter { !known.contains($0) }.sorted {
            Version($0) > Version($1)
        }
        let parts = (releases.map(\.version.label) + unlisted).compactMap { label in
            releaseSessions[label].map { ShareChart.Part(label: label, counts: $0) }
        }
        let (shownParts, shownWholes) = hidesCounts ? tenThousandths(parts, wholes) : (parts, wholes)
        return ChartView(
            figure: ShareChart(
                name: "adoption", title: "Adoption of releases, \(span) days", domain: domain,
                parts: shownParts, wholes: shownWholes, absences: absences))
    }

    /// The newest releases that ever had a share worth seeing, as bands under the chart of the app.
    func adoptionBands(in domain: DateDomain) -> [AdoptionBand] {
        let told = toldDays
        let bands = releases.lazy.compactMap { release -> AdoptionBand? in
            guard let counts = releaseSessions[release.version.label] else { return nil }
            let points = dates(in: domain).map { day in
                let whole = told.contains(day) ? evidence.health[day]?.sessions : nil
                let share = whole.flatMap { Fraction(counts[day] ?? 0, of: $0) }
                return share.map { ChartPoint(day, shown(rate: $0.value)) }
                    ?? ChartPoint(day, absent: absence(of: day))
            }
            let isSeen = points.contains { ($0.value ?? 0) >= ShareChart.pooledBelow }
            return isSeen ? AdoptionBand(label: release.version.label, points: points) : nil
        }
        return Array(bands.prefix(3))
    }

    /// What a reader of the app's chart should know of: alerts on its stability, recoveries, notes.
    var eventMarks: [EventMark] {
        events.compactMap { event in
            let kind: EventMark.Kind? =
                switch event.kind {
                case .stability, .velocity, .regressed: .alert
                case .recovery: .recovery
                case .newNote: .note
                default: nil
                }
            return kind.map {
                EventMark(event.occasion.day, $0, text: event.sentence(counts: audience.counts))
            }
        }
    }

    /// The target and the critical level.
    var levels: [LevelRule] {
        [
            LevelRule(.target, targets.target, label: "target"),
            LevelRule(.critical, targets.critical, label: "critical"),
        ]
    }

    func line(of label: String, from first: CivilDate, span: Int) -> AgeChart.Line {
        let reached = min(first.days(to: evidence.lastDay) + 1, span)
        let values = (0..<max(reached, 0)).map { age -> ChartPoint.Content in
            let day = first.advanced(by: age)
            guard let health = evidence.releaseHealth[.init(date: day, version: label)] else {
                return .absent(.missing)
            }
            if let crashed = Basis.sessions.crashedShare(of: health),
                additionalCountNeeded(
                    crashed.numerator, of: crashed.denominator, halfWidth: undrawnHalfWidth)
                    != nil
            {
                return .absent(.belowMinimum)
            }
            return point(on: day, health, .sessions).content
        }
        return AgeChart.Line(label: label, values: values)
    }

    /// The same shares of wholes that are all alike, so that no count is left in them.
    private func tenThousandths(
        _ parts: [ShareChart.Part], _ wholes: [CivilDate: Int]
    ) -> ([ShareChart.Part], [CivilDate: Int]) {
        let scaled = parts.map { part in
            let counts = part.counts.reduce(into: [CivilDate: Int]()) { result, day in
                guard let share = wholes[day.key].flatMap({ Fraction(day.value, of: $0) }) else { return }
                result[day.key] = Int((share.value * 10_000).rounded())
            }
            return ShareChart.Part(label: part.label, counts: counts)
        }
        return (scaled, wholes.mapValues { $0 > 0 ? 10_000 : 0 })
    }

    /// The days on which the source told of any release: on the others a release without sessions is not a zero.
    private var toldDays: Set<CivilDate> { Set(evidence.releaseHealth.keys.map(\.date)) }
}

/// Sessions of each release by day.
func sessionsByRelease(_ evidence: HistoryIndex) -> [String: [CivilDate: Int]] {
    var result: [String: [CivilDate: Int]] = [:]
    for (key, health) in evidence.releaseHealth {
        if let sessions = health.sessions { result[key.version, default: [:]][key.date] = sessions }
    }
    return result
}
