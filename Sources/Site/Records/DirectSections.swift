import Analysis
import AppHealth
import Estimates
import Pages

// What days, issues and pairs of releases are made from, most of what a night looks at.

extension AppFacts: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        app.put(to: sink)
        try sink.encode(targets)
        try sink.encode(levels)
        sink.put(word: basis)
        asOf.put(to: sink)
        lastCompleteDay.put(to: sink)
        lastDay.put(to: sink)
        try sink.put(days)
        listedDays.put(to: sink)
        try sink.encode(listedReleases)
        try sink.encode(freshness)
        try sink.put(capturedAt)
        try sink.encode(issueTotals)
        try sink.encode(audience)
    }
}

extension DayCount: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(total)
        sink.put(crashed)
        sink.put(deviation)
        sink.put(sampling)
    }
}

extension Measured<Fraction>: DirectlyEncoded {
    /// The name of the case, and what it holds.
    func put(to sink: ByteSink) throws {
        switch self {
        case .loaded(let value, let asOf):
            sink.put("loaded")
            value.put(to: sink)
            asOf.put(to: sink)
        case .stale(let value, let asOf, let why):
            sink.put("stale")
            value.put(to: sink)
            asOf.put(to: sink)
            try sink.encode(why)
        case .failed(let why):
            sink.put("failed")
            try sink.encode(why)
        case .absent(let why):
            sink.put("absent")
            try sink.encode(why)
        }
    }
}

extension WeekChange: DirectlyEncoded {
    func put(to sink: ByteSink) {
        now.put(to: sink)
        then.put(to: sink)
        before.put(to: sink)
    }
}

extension DaySection: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        date.put(to: sink)
        sink.put(zone)
        try sink.put(capturedAt)
        try sink.put(earlierCapturedAt)
        sink.put(isUnknown)
        try sink.put(health)
        coverage.put(to: sink)
        try sink.put(reported)
        sink.put(isCounted)
        sink.put(crashes)
        sink.put(hasUnlistedEvents)
        try sink.put(finality)
        try sink.put(lateCounts) { try sink.encode($0) }
        try users.put(to: sink)
        try sessions.put(to: sink)
        try sink.encode(verdict)
        try sink.put(silence) { try sink.encode($0) }
        try sink.put(change)
        try sink.put(breakdown) { try sink.encode($0) }
        try sink.put(budget) { try sink.encode($0) }
        try sink.put(summary)
        try sink.put(shares) { try sink.put($0) }
        sink.put(hasDayBefore)
        try sink.put(covering) { try sink.encode($0) }
        try sink.put(groups)
        try sink.put(events)
        try sink.put(muted) { try sink.encode($0) }
        try sink.put(lasting) { try sink.encode($0) }
        try sink.put(cut) { try sink.encode($0) }
        try sink.put(notes)
        try sink.put(quiet) { try sink.encode($0) }
    }
}

extension IssueGroup: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(word: kind)
        sink.put(issues) { entry in
            sink.put(entry.id)
            sink.put(entry.users)
            sink.put(entry.events)
        }
        sink.put(count)
    }
}

extension DayIssues: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try sink.put(top)
        try sink.put(groups) { group in
            sink.put(word: group.kind)
            try sink.put(group.issues)
            sink.put(group.count)
        }
        try sink.put(lack) { try sink.encode($0) }
    }
}

extension IssueInRelease: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(label)
        sink.put(events)
        try sink.put(share)
    }
}

extension IssueWindow: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        lastDay.put(to: sink)
        sink.put(events)
        sink.put(knownDays)
        sink.put(counts) { list in sink.put(list) { sink.put(single: $0) } }
        try sink.put(share)
        try sink.put(releases)
        try sink.put(trend)
    }
}

extension IssueFacts: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try issue.put(to: sink)
        try sink.put(capturedAt)
        sink.put(rank)
        try window.put(to: sink)
        try sink.put(pageWindow)
        sink.put(listedEvents)
        try sink.put(states)
        sink.put(signals) { sink.put(word: $0) }
        try sink.put(days) { try sink.put($0) }
        try sink.put(releaseDays)
        try sink.put(span) { try sink.encode($0) }
        try sink.put(events)
        sink.put(marks) { mark in
            mark.day.put(to: sink)
            sink.put(word: mark.signal)
        }
        try sink.put(muted) { try sink.encode($0) }
        try sink.put(notes)
    }
}

extension PairRate: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(word: span)
        try sink.put(window) { try sink.encode($0) }
        try later.put(to: sink)
        try earlier.put(to: sink)
        try sink.put(source) { try sink.encode($0) }
        sink.put(sampling.later)
        sink.put(sampling.earlier)
    }
}

extension PairIssue.Count: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(events)
        sink.put(mostUsers)
        sink.put(users)
        try sink.put(share)
    }
}

extension PairIssue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(id)
        sink.put(roles) { sink.put(word: $0) }
        sink.put(isNew) { sink.put($0) }
        try sink.put(later)
        try sink.put(earlier)
        sink.put(expected)
    }
}

extension DayInputs: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try day.put(to: sink)
        try issues.put(to: sink)
        try sink.put(events)
        try sink.put(conflicts) { try sink.encode($0) }
    }
}

extension IssueInputs: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try issue.put(to: sink)
        try sink.put(events)
        surroundings.put(to: sink)
    }
}

extension IssueSurroundings: DirectlyEncoded {
    func put(to sink: ByteSink) {
        for days in [notCollected, failed, provisional, whole, partial] { days.put(to: sink) }
        sink.put(changes) { $0.put(to: sink) }
    }
}

extension DayActivity: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        day.put(to: sink)
        try sink.put(capturedAt)
        try sink.put(events)
        try sink.put(muted) { try sink.encode($0) }
        try sink.put(cut) { try sink.encode($0) }
    }
}

extension WeekInputs: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        week.put(to: sink)
        try sink.put(days)
        try sink.put(weeks)
    }
}

extension ReleaseIssue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(id)
        sink.put(events)
        try sink.put(share)
        sink.put(isNew) { sink.put($0) }
    }
}

extension ReleaseFacts: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try sink.encode(release)
        try sink.put(capturedAt)
        try sink.put(issuesCapturedAt)
        lastDay.put(to: sink)
        sink.put(sessions)
        sink.put(crashedSessions)
        try sink.put(crashedUserDays) { try $0.put(to: sink) }
        try sink.put(life) { try sink.encode($0) }
        try sink.put(issueDays) { try sink.encode($0) }
        try sink.put(source) { try sink.encode($0) }
        try crashed.put(to: sink)
        try sink.encode(targets)
        try sink.encode(verdict)
        try adoption.put(to: sink)
        adoptionDay.put(to: sink)
        try sink.put(cameOut)
        try sink.encode(evaluation)
        try sink.put(stage) { try sink.encode($0) }
        try sink.put(days)
        try sink.put(topIssues)
        try sink.put(newIssues)
        try sink.put(regressedIssues)
        try sink.put(issues)
        try sink.put(notes)
    }
}

extension ListedIssue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try issue.put(to: sink)
        sink.put(users)
        sink.put(values) { list in sink.put(list) { sink.putSingle($0) } }
        versions.put(to: sink)
        sink.put(signals) { sink.put(word: $0) }
    }
}

extension PairFacts: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try sink.encode(later)
        try sink.encode(earlier)
        try sink.put(capturedAt)
        try sink.put(lives) { try sink.encode($0) }
        try sink.put(rates)
        try sink.put(onlyLater)
        try sink.put(both)
        try sink.put(onlyEarlier)
        sink.put(knowsIssues)
    }
}

extension ReleaseInputs: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try release.put(to: sink)
        try sink.put(openAlerts)
        try sink.put(comparisons) { try sink.encode($0) }
        try sink.encode(scope)
    }
}

extension PairInputs: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try pair.put(to: sink)
        try sink.put(releases)
        try sink.encode(scope)
    }
}
