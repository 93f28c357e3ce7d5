import AppHealth

extension SnapshotMapping {
    /// What the file covers: what it states itself, and of the other kinds of fact the days that it lists.
    ///
    /// A producer that reports issues by day leaves out those without events, so the days of the file are whole for all
    /// its issues: with health the days that are listed, without it every day between the first and the last one.
    /// The day of the capture is not over and never whole, be it that of UTC or that of the zone of the days.
    ///
    /// Of a kind of fact with an entry that cannot be read, and of every one when it is not known which kind was meant,
    /// nothing counts as complete: the producer had something to say of it.
    mutating func coverage(of snapshot: Snapshot) -> [CoverageSpan] {
        let (stated, doubtful) = statedCoverage()
        let named = Set(stated.map(\.fact))
        let derived = DerivedCoverage(
            snapshot, until: zone.lastDayOver(at: snapshot.capturedAt),
            areIssuesWhole: areIssuesWhole(snapshot), isHealthWhole: isHealthWhole(snapshot)
        ).spans
        // A missing list is one that the producer does not report.
        let implied = file.issues == nil ? derived.filter { !$0.fact.isOfIssues } : derived
        return (implied.filter { !named.contains($0.fact) } + stated).map { span in
            let span = span.known(at: snapshot.capturedAt)
            // Days of a share are whole only where the file says so.
            let isShare = snapshot.source.countsSteadyShare && !named.contains(span.fact)
            guard doubtful.contains(span.fact) || isShare, span.coverage == .complete else { return span }
            return CoverageSpan(span.fact, span.days, .partial(counted: nil, of: nil))
        }
    }

    private mutating func statedCoverage() -> (spans: [CoverageSpan], doubtful: Set<CoveredFact>) {
        var doubtful = file.coverage?.skipped ?? 0 > 0 ? Set(CoveredFact.allCases) : []
        let spans = accepted(file.coverage, "coverage") { entry, path, losses -> CoverageSpan? in
            guard let fact = CoveredFact(rawValue: entry.fact.text) else {
                losses.refuse(
                    word: entry.fact.text, at: "\(path).fact", among: CoveredFact.allCases.map(\.rawValue))
                doubtful = Set(CoveredFact.allCases)
                return nil
            }
            let span = entry.statement.flatMap { $0.span(of: fact, at: path, &losses) }
            if span == nil { doubtful.insert(fact) }
            return span
        }
        return (spans, doubtful)
    }

    /// Whether nothing of the health was skipped: a release that is missing then had nothing.
    private func isHealthWhole(_ snapshot: Snapshot) -> Bool {
        file.health.map { $0.skipped == 0 && $0.items.count == snapshot.health.count } ?? true
    }

    /// Whether nothing of the issues and their days was skipped.
    private func areIssuesWhole(_ snapshot: Snapshot) -> Bool {
        guard let list = file.issues, list.skipped == 0, list.items.count == snapshot.issues.count else {
            return false
        }
        let days = list.values.compactMap(\.days)
        return days.allSatisfy { $0.skipped == 0 }
            && days.reduce(0) { $0 + $1.items.count } == snapshot.issueDays.count
    }
}

extension CoverageSpan {
    /// The same without days to come, as a span without an end has them: of a long one the newest days count.
    fileprivate func known(at instant: Instant) -> CoverageSpan {
        // A day of the east begins before that of UTC.
        let last = instant.date.advanced(by: 1)
        guard days.contains(last) else { return self }
        return CoverageSpan(fact, days.lowerBound...last, coverage)
    }
}

extension SnapshotFile.CoverageEntry.Statement {
    /// The same in the nouns of AppHealth; nil for what cannot be true.
    fileprivate func span(
        of fact: CoveredFact, at path: EntryPath, _ losses: inout SkippedValues
    ) -> CoverageSpan? {
        guard first.date <= last.date else {
            losses.refuse(
                "\(path).last", expected: "a day that is not before \(first.date)", found: "\(last.date)")
            return nil
        }
        let days = first.date...last.date
        switch state.text {
        case "complete": return CoverageSpan(fact, days)
        case "unknown": return CoverageSpan(fact, days, .unknown)
        case "partial":
            let part = losses.part(counted, of: of, at: "\(path).counted", "parts of the whole")
            guard part == counted?.value else { return nil }
            return CoverageSpan(fact, days, .partial(counted: part, of: of?.value))
        default:
            losses.refuse(
                word: state.text, at: "\(path).state", among: ["complete", "partial", "unknown"])
            return nil
        }
    }
}

extension CoveredFact {
    fileprivate var isOfIssues: Bool { self == .issueDays || self == .issueUsers || self == .issueReleases }
}

/// What a list of days covers that says nothing of it.
private struct DerivedCoverage {
    private(set) var spans: [CoverageSpan] = []

    init(_ snapshot: Snapshot, until last: CivilDate, areIssuesWhole: Bool, isHealthWhole: Bool) {
        let capabilities = snapshot.source.capabilities
        let health = snapshot.health.filter { $0.version == nil && $0.date <= last }
        state(.sessions, health.filter { $0.sessions != nil }.map(\.date))
        state(.users, health.filter { $0.users != nil }.map(\.date))
        state(.crashes, health.filter { $0.crashes != nil }.map(\.date))
        state(
            .releaseHealth,
            snapshot.health.filter { $0.version != nil && $0.date <= last }.map(\.date),
            isHealthWhole ? .complete : .partial(counted: nil, of: nil))
        state(.usage, snapshot.usage.map(\.date).filter { $0 <= last })
        guard capabilities.contains(.issueDays) else { return }
        // Of many rows no second copy is held.
        let rows = snapshot.issueDays.lazy.filter { $0.date <= last }
        let covered = coveredDays(health.map(\.date), rows.map(\.date))
        let coverage: Coverage = areIssuesWhole ? .complete : .partial(counted: nil, of: nil)
        state(.issueDays, covered, coverage)
        let haveUsers = rows.allSatisfy { $0.users != nil || $0.events == 0 }
        if haveUsers, !rows.isEmpty { state(.issueUsers, covered, coverage) }
        if rows.contains(where: { $0.version != nil }) { state(.issueReleases, covered, coverage) }
    }

    private mutating func state(
        _ fact: CoveredFact, _ days: [CivilDate], _ coverage: Coverage = .complete
    ) {
        for day in Set(days).sorted() {
            guard let last = spans.last, last.fact == fact, last.days.upperBound.advanced(by: 1) == day else {
                spans.append(CoverageSpan(fact, day...day, coverage))
                continue
            }
            spans[spans.count - 1].days = last.days.lowerBound...day
        }
    }
}

/// The days that are whole for issues: those of the health that is listed and those of the issues, or all days of
/// the span where no health is. A wrong date makes no span that is longer than a report.
private func coveredDays(_ health: [CivilDate], _ issues: [CivilDate]) -> [CivilDate] {
    guard health.isEmpty else { return health + issues }
    guard let first = issues.min(), let last = issues.max() else { return [] }
    let length = min(first.days(to: last), ReportSpan.longest)
    return (0...length).map { last.advanced(by: -$0) }
}
