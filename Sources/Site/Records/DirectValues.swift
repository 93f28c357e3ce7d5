import Analysis
import AppHealth
import Estimates
import Pages

/// A value that writes its fields one after the other itself, to the very bytes that `Codable` would.
///
/// What pages are made from is mostly a few kinds of small values, many times over. The containers of `Codable` cost
/// ten times what their bytes do.
protocol DirectlyEncoded: Encodable, SendableMetatype {
    func put(to sink: ByteSink) throws
}

/// How values whose type is known at run time only are written directly.
struct DirectWriters: Sendable {
    typealias Writer = @Sendable (UnsafeRawPointer, ByteSink) throws -> Void

    private var writers: [ObjectIdentifier: Writer] = [:]

    static let standard: DirectWriters = {
        var all = DirectWriters()
        all.add(CivilDate.self)
        all.add(CivilWeek.self)
        all.add(DaySet.self)
        all.add(Instant.self)
        all.add(Slug.self)
        all.add(App.self)
        all.add(Version.self)
        all.add(CodePlace.self)
        all.add(Issue.self)
        all.add(IssueStateChange.self)
        all.add(IssueDay.self)
        all.add(HealthDay.self)
        all.add(Note.Subject.self)
        all.add(Note.self)
        all.add(Fraction.self)
        all.add(CountDay.self)
        all.add(ExpectedCount.self)
        all.add(IssueTrend.self)
        all.add(EventIdentity.self)
        all.add(NewNote.self)
        all.add(NewIssue.self)
        all.add(TopIssuesSummary.Entry.self)
        all.add(TopIssuesSummary.self)
        all.add(Event.self)
        all.add(EventRecord.self)
        all.add(IssueShare.self)
        all.add(SeenVersions.self)
        all.add(DayIssue.self)
        all.add(Coverage.self)
        all.add(DayFinality.self)
        all.add(DayAbsence.self)
        all.add(DayCount.self)
        all.add(Measured<Fraction>.self)
        all.add(WeekChange.self)
        all.add(AppFacts.self)
        all.add(DaySection.self)
        all.add(IssueGroup.self)
        all.add(DayIssues.self)
        all.add(IssueInRelease.self)
        all.add(IssueWindow.self)
        all.add(IssueFacts.self)
        all.add(PairRate.self)
        all.add(PairIssue.self)
        all.add(DayInputs.self)
        all.add(IssueSurroundings.self)
        all.add(IssueInputs.self)
        all.add(DayActivity.self)
        all.add(WeekInputs.self)
        all.add(ReleaseIssue.self)
        all.add(ReleaseFacts.self)
        all.add(ListedIssue.self)
        all.add(PairFacts.self)
        all.add(ReleaseInputs.self)
        all.add(PairInputs.self)
        all.addList(of: Double?.self) { $1.putSingle($0) }
        all.addList(of: DayCount?.self) { try $1.put($0) }
        return all
    }()

    private mutating func add<Value: DirectlyEncoded>(_ type: Value.Type) {
        writers[ObjectIdentifier(type)] = { try $0.assumingMemoryBound(to: type).pointee.put(to: $1) }
        addList(of: type) { try $0.put(to: $1) }
    }

    private mutating func addList<Value>(
        of type: Value.Type, _ put: @escaping @Sendable (Value, ByteSink) throws -> Void
    ) {
        writers[ObjectIdentifier([Value].self)] = { list, sink in
            try sink.put(list.assumingMemoryBound(to: [Value].self).pointee) { try put($0, sink) }
        }
    }

    subscript(type: ObjectIdentifier) -> Writer? { writers[type] }
}

extension ByteSink {
    func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Whether there is a value, and the value.
    func put<Value>(_ value: Value?, _ put: (Value) throws -> Void) rethrows {
        bytes.append(value == nil ? 0 : 1)
        if let value { try put(value) }
    }

    func put(_ number: Int?) { put(number) { put($0) } }
    func put(_ number: Double?) { put(number) { put($0) } }
    func put(_ text: String?) { put(text) { put($0) } }
    func put<Value: DirectlyEncoded>(_ value: Value?) throws { try put(value) { try $0.put(to: self) } }

    /// How many there are, and each of them.
    func put<Value>(_ list: [Value], _ put: (Value) throws -> Void) rethrows {
        fill(reserve(), with: list.count)
        for value in list { try put(value) }
    }

    func put<Value: DirectlyEncoded>(_ list: [Value]) throws {
        try put(list) { try $0.put(to: self) }
    }

    /// A word of a list of words.
    func put<Word: RawRepresentable>(word: Word) where Word.RawValue == String {
        bytes.append(1)
        put(word.rawValue)
    }

    /// A number that is an element of a list.
    func put(single number: Int) {
        bytes.append(1)
        put(number)
    }

    /// A number that is an element of a list and may be absent.
    func putSingle(_ number: Double?) {
        put(number) {
            bytes.append(1)
            put($0)
        }
    }
}

// MARK: Facts

extension CivilDate: DirectlyEncoded {
    func put(to sink: ByteSink) { sink.put(daysSinceEpoch) }
}

extension DaySet: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(spans) { span in
            span.first.put(to: sink)
            span.last.put(to: sink)
        }
    }
}

extension CivilWeek: DirectlyEncoded {
    func put(to sink: ByteSink) { first.put(to: sink) }
}

extension Instant: DirectlyEncoded {
    func put(to sink: ByteSink) { sink.put(secondsSinceEpoch) }
}

extension Slug: DirectlyEncoded {
    func put(to sink: ByteSink) { sink.put(text) }
}

extension App: DirectlyEncoded {
    func put(to sink: ByteSink) {
        id.put(to: sink)
        sink.put(name)
        sink.put(platform)
        sink.put(group)
    }
}

extension Version: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(label)
        sink.put(build)
    }
}

extension CodePlace: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(file)
        sink.put(line)
    }
}

extension Issue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(id)
        sink.put(title)
        sink.put(word: kind)
        sink.put(word: state)
        try sink.put(place)
        try sink.put(firstSeen)
        try sink.put(lastSeen)
        try sink.put(firstSeenOn)
        try sink.put(lastSeenOn)
        try sink.put(firstVersion)
        try sink.put(lastVersion)
        try sink.put(fixedIn)
        sink.put(events)
        sink.put(users)
        sink.put(url)
        sink.put(namedShare)
    }
}

extension IssueStateChange: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        capturedAt.put(to: sink)
        sink.put(word: state)
        try sink.put(fixedIn)
    }
}

extension IssueDay: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(issue)
        date.put(to: sink)
        sink.put(version)
        sink.put(events)
        sink.put(users)
        sink.put(namedShare)
    }
}

extension HealthDay: DirectlyEncoded {
    func put(to sink: ByteSink) {
        date.put(to: sink)
        sink.put(version)
        sink.put(sessions)
        sink.put(crashedSessions)
        sink.put(users)
        sink.put(crashedUsers)
        sink.put(crashes)
        sink.put(sessionDeviation)
        sink.put(userDeviation)
        sink.put(namedShare)
    }
}

extension Note: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        sink.put(id)
        at.put(to: sink)
        try sink.put(day)
        sink.put(author)
        sink.put(text)
        try sink.put(targets) { try sink.encode($0) }
        subject.put(to: sink)
    }
}

extension Note.Subject: DirectlyEncoded {
    /// The name of the case, and what it holds.
    func put(to sink: ByteSink) {
        switch self {
        case .app: sink.put("app")
        case .issue(let id): put("issue", id, to: sink)
        case .release(let label): put("release", label, to: sink)
        case .day(let day):
            sink.put("day")
            day.put(to: sink)
        }
    }

    private func put(_ name: String, _ text: String, to sink: ByteSink) {
        sink.put(name)
        sink.put(text)
    }
}

extension Fraction: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(numerator)
        sink.put(denominator)
        sink.put(error)
    }
}

// MARK: Analysis

extension CountDay: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        date.put(to: sink)
        sink.put(count)
        try sink.encode(absence)
        sink.put(isProvisional)
        try sink.put(expected)
    }
}

extension IssueTrend: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(word: unit)
        sink.put(change) { $0.put(to: sink) }
        sink.put(course) { course in
            sink.put(course.rises)
            sink.put(course.slope)
            sink.put(course.pValue)
        }
        sink.put(rank)
        sink.put(rankBefore)
        sink.put(isRankedByAll)
        sink.put(move)
    }
}

extension IssueTrend.Change {
    /// The name of the case, and what it holds.
    fileprivate func put(to sink: ByteSink) {
        switch self {
        case .rising(let count, let expected, let adjustedP):
            put("rising", count, expected, adjustedP, to: sink)
        case .gone(let days, let expected, let pValue): put("gone", days, expected, pValue, to: sink)
        }
    }

    private func put(_ name: String, _ count: Int, _ expected: Double, _ p: Double, to sink: ByteSink) {
        sink.put(name)
        sink.put(count)
        sink.put(expected)
        sink.put(p)
    }
}

extension ExpectedCount: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(lower)
        sink.put(mean)
        sink.put(upper)
    }
}

extension EventIdentity: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(id)
        sink.put(rule)
        sink.put(subject)
        app.put(to: sink)
        day.put(to: sink)
        at.put(to: sink)
        published.put(to: sink)
    }
}

extension NewNote: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        occasion.put(to: sink)
        sink.put(origin)
        try note.put(to: sink)
        try sink.put(issue)
    }
}

extension NewIssue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        occasion.put(to: sink)
        try issue.put(to: sink)
    }
}

extension TopIssuesSummary.Entry: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try issue.put(to: sink)
        sink.put(users)
        sink.put(events)
        sink.put(rank)
        sink.put(previousRank)
        sink.put(namedShare)
        try sink.put(share)
    }
}

extension TopIssuesSummary: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        occasion.put(to: sink)
        try sink.put(entries)
        sink.put(issueCount)
        sink.put(word: ranking)
        try sink.encode(reported)
        sink.put(isOfShare)
        sink.put(users)
        sink.put(deviation)
        sink.put(areUsersEstimated)
        sink.put(crashedUsers)
        try sink.put(crashTotal) { try sink.encode($0) }
        sink.put(listedCrashes)
        sink.put(hasDayBefore)
        sink.put(zone)
        try sink.put(crashShare)
        try sink.put(listedShare)
        try sink.put(coverage)
    }
}

extension EventRecord: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try event.put(to: sink)
        updated.put(to: sink)
        try sink.put(knownAt)
        try sink.put(cause) { try sink.encode($0) }
        try sink.put(topIssues)
        try sink.put(issue)
    }
}

extension Event: DirectlyEncoded {
    /// The name of the case, and what it holds.
    func put(to sink: ByteSink) throws {
        switch self {
        case .stability(let event): try put("stability", event, to: sink)
        case .crashes(let event): try put("crashes", event, to: sink)
        case .velocity(let event): try put("velocity", event, to: sink)
        case .usage(let event): try put("usage", event, to: sink)
        case .topIssues(let event): try put("topIssues", event, to: sink)
        case .newIssue(let event): try put("newIssue", event, to: sink)
        case .newNote(let event): try put("newNote", event, to: sink)
        case .regressed(let event): try put("regressed", event, to: sink)
        case .recovery(let event): try put("recovery", event, to: sink)
        case .sourceTrouble(let event): try put("sourceTrouble", event, to: sink)
        case .releaseVerdict(let event): try put("releaseVerdict", event, to: sink)
        case .withdrawn(let event): try put("withdrawn", event, to: sink)
        case .raised(let event): try put("raised", event, to: sink)
        }
    }

    private func put(_ name: String, _ event: some Encodable, to sink: ByteSink) throws {
        sink.put(name)
        try sink.encode(event)
    }
}

extension IssueShare: DirectlyEncoded {
    func put(to sink: ByteSink) {
        share.put(to: sink)
        sink.put(release)
    }
}

extension SeenVersions: DirectlyEncoded {
    func put(to sink: ByteSink) {
        sink.put(first)
        sink.put(last)
    }
}

extension DayIssue: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        try issue.put(to: sink)
        sink.put(state) { sink.put(word: $0) }
        sink.put(rank)
        sink.put(previousRank)
        sink.put(users)
        sink.put(events)
        try sink.put(share)
        sink.put(values) { list in sink.put(list) { sink.putSingle($0) } }
        sink.put(signals) { sink.put(word: $0) }
        versions.put(to: sink)
    }
}

extension Coverage: DirectlyEncoded {
    /// The name of the case, and what it holds.
    func put(to sink: ByteSink) {
        switch self {
        case .complete: sink.put("complete")
        case .unknown: sink.put("unknown")
        case .approximate(let deviation):
            sink.put("approximate")
            sink.put(deviation)
        case .partial(let counted, let all, let deviation):
            sink.put("partial")
            sink.put(counted)
            sink.put(all)
            sink.put(deviation)
        }
    }
}

extension DayFinality: DirectlyEncoded {
    func put(to sink: ByteSink) throws {
        switch self {
        case .settled: sink.put("settled")
        case .provisional(let reason):
            sink.put("provisional")
            try sink.encode(reason)
        }
    }
}

extension DayAbsence: DirectlyEncoded {
    func put(to sink: ByteSink) {
        switch self {
        case .notCollected: sink.put("notCollected")
        case .failed: sink.put("failed")
        case .missing: sink.put("missing")
        case .nothingCounted: sink.put("nothingCounted")
        }
    }
}
