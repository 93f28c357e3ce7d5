package import AppHealth

/// What the pages of a release, or of two, take from the rest of an app: nothing that another night moves once they are
/// over.
package struct ReleaseScope: Hashable, Codable, Sendable {
    /// The issues that are listed.
    package let issues: ListedIssues
    /// The stability of the days of their lives, as far as it says why a day has no figure and whether one may change.
    package let stability: StabilitySection
}

extension AppAnalysis {
    /// A release as its pages show it, with what they take from the rest and the day with which they end.
    package func scope(
        of release: ReleaseFacts
    ) -> (release: ReleaseFacts, scope: ReleaseScope, lastDay: CivilDate) {
        let isOver = release.lastDay < facts.lastDay
        let last = isOver ? release.lastDay : facts.lastCompleteDay
        let first = release.days.first?.date ?? last
        let scope = ReleaseScope(
            issues: ListedIssues(release, issues, through: isOver ? last : nil),
            stability: stability.part(min(first, last)...last))
        return (isOver ? release.ofThePast : release, scope, last)
    }

    /// Two releases as their page shows them: the pair, both releases, the later first, and what it takes from the rest.
    ///
    /// - Parameter places: where each release is among all, by its label.
    package func scope(
        of pair: PairFacts, _ places: [String: Int]
    ) -> (pair: PairFacts, releases: [ReleaseFacts], scope: ReleaseScope, lastDay: CivilDate) {
        let both = [pair.later, pair.earlier].compactMap { places[$0.version.label] }.map { releases.all[$0] }
        let isOver = both.allSatisfy { $0.lastDay < facts.lastDay }
        let last = isOver ? both.map(\.lastDay).max() ?? facts.lastCompleteDay : facts.lastCompleteDay
        let first = both.compactMap(\.days.first?.date).min() ?? last
        let scope = ReleaseScope(
            issues: ListedIssues(pair, issues), stability: stability.part(min(first, last)...last))
        return (
            isOver ? pair.ofThePast : pair, (isOver ? both.map(\.ofThePast) : both).map(\.withoutIssues),
            scope, last
        )
    }
}

extension ReleaseFacts {
    /// The same as two releases next to each other show it: their issues are those of the pair.
    fileprivate var withoutIssues: ReleaseFacts {
        var row = self
        (row.topIssues, row.newIssues, row.issues) = ([], [], [])
        (row.regressedIssues, row.notes) = ([], [])
        return row
    }

    /// The same of a release that is over: whether its source was reached since is no matter of its pages.
    fileprivate var ofThePast: ReleaseFacts {
        var past = self
        past.crashed = crashed.captured(at: capturedAt)
        past.crashedUserDays = crashedUserDays?.captured(at: capturedAt)
        past.adoption = adoption.captured(at: capturedAt)
        past.source = source?.captured(at: capturedAt)
        return past
    }
}

extension PairFacts {
    /// The same of two releases that are over.
    fileprivate var ofThePast: PairFacts {
        var past = self
        past.rates = rates.map { rate in
            var rate = rate
            rate.later = rate.later.captured(at: capturedAt)
            rate.earlier = rate.earlier.captured(at: capturedAt)
            rate.source = rate.source?.captured(at: capturedAt)
            return rate
        }
        return past
    }
}

extension SourceFacts {
    /// The same as of figures that were captured at an instant, whatever became of the source since.
    fileprivate func captured(at instant: Instant?) -> SourceFacts {
        var facts = self
        (facts.capturedAt, facts.lastAttempt, facts.isOverdue) = (instant ?? capturedAt, nil, false)
        (facts.lastDay, facts.usualDelay) = (nil, 0)
        (facts.idleSince, facts.idleFigure) = (nil, nil)
        (facts.unused, facts.unmatched) = (nil, nil)
        return facts
    }
}

extension StabilitySection {
    /// What charts of some days need of it besides the figures of a release: why a day has none, and whether it may
    /// still change.
    fileprivate func part(_ days: ClosedRange<CivilDate>) -> StabilitySection {
        var part = self
        (part.health, part.rates, part.coverage, part.crashes) = ([:], [:], [:], [:])
        (part.verdicts, part.causes, part.devices, part.crashSource) = ([:], [:], nil, nil)
        part.finality = finality.filter { days.contains($0.key) }
        (part.lateCounts, part.silences) = ([:], [:])
        (part.expectedCrashes, part.openCrashDays) = ([:], DaySet([]))
        part.wholeReleaseDays = wholeReleaseDays.through(days.upperBound).since(days.lowerBound)
        part.users = users?.part(through: days.upperBound)
        part.sessions = sessions?.part(through: days.upperBound)
        part.crashDays = crashDays.map {
            $0.lowerBound...max($0.lowerBound, min($0.upperBound, days.upperBound))
        }
        return part
    }
}

extension RateSource {
    fileprivate func part(through last: CivilDate) -> RateSource {
        var part = self
        part.lastDay = min(lastDay, last)
        // A day without a figure after the last one is one that could not be fetched, if the newest fetch failed.
        if lastDay >= last || facts?.trouble == nil { part.facts = nil }
        return part
    }
}
