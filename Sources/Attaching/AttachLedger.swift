package import AppHealth

/// What the archive remembers of what a target got, whoever it was made for: a target is one place, and its reader only
/// decides what the next text shows.
package struct AttachLedger: Sendable {
    /// By keys without a reader.
    private var records: [AttachmentKey: AttachRecord] = [:]
    private var places = AttachedPlaces()

    /// Makes a ledger of the steps of all summaries; those of one summary for one reader are in their order.
    package init(_ steps: [AttachmentEntry] = []) {
        for step in inOrderOfTime(steps) where !places.take(step) {
            records[step.key.forAnyReader, default: AttachRecord(step)].append(step)
        }
    }

    /// The same with one more step of a summary.
    func adding(_ step: AttachmentEntry) -> AttachLedger {
        var ledger = self
        ledger.records[step.key.forAnyReader, default: AttachRecord(step)].append(step)
        return ledger
    }

    /// Whether it is noted that a project means this place.
    package func knows(_ place: AttachedPlace) -> Bool { places.knows(place) }

    /// Whether what is remembered is of another project, at another place.
    package func isOfAnother(_ place: AttachedPlace) -> Bool { places.isAnother(place) }

    /// What is remembered of a summary; nil when there is nothing.
    package func record(of key: AttachmentKey) -> AttachRecord? { records[key.forAnyReader] }

    /// What is remembered of the summaries of a kind, by subject.
    package func records(_ kind: AttachmentKey.Kind, app: String) -> [String: AttachRecord] {
        let chosen = records.filter { $0.key.kind == kind && $0.key.app == app }
        return Dictionary(chosen.map { ($0.key.subject, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// What arrived, in the order of its newest arrivals.
    var arrivedRecords: [AttachRecord] {
        func order(_ record: AttachRecord) -> (Int, String, String, String) {
            let key = record.newest.key
            return (record.arrived?.at.secondsSinceEpoch ?? 0, key.app, key.subject, key.kind.rawValue)
        }
        return records.values.filter { $0.arrived != nil }.sorted { order($0) < order($1) }
    }

    /// The summaries since a time of which it is not known whether they arrived, and which are not sent again by
    /// themselves.
    package func uncertain(since start: Instant, at repetition: Repetition) -> [AttachmentKey] {
        records.values.filter { $0.isUncertain(since: start, at: repetition) }.map(\.newest.key)
            .sorted { ($0.app, $0.subject) < ($1.app, $1.subject) }
    }

    /// Since when a place gets the summaries of a kind; nil when it is new.
    package func begun(_ kind: AttachmentKey.Kind, app: String) -> Instant? {
        records(kind, app: app).values.map(\.begun).min()
    }

    /// What a target calls the first of all that arrived about an app; nil when nothing did, or has a name.
    func firstMessage(of app: String) -> String? {
        records.values.filter { $0.newest.key.app == app && $0.first?.remote != nil }
            .compactMap(\.first).min { $0.at < $1.at }?.remote
    }

    /// For whom that which a summary takes the place of was made: an earlier one of the same or, where all take turns, the
    /// newest of the app. Nil when there is none.
    func reader(before key: AttachmentKey) -> String? {
        let ofApp = records.values.filter { $0.newest.key.app == key.app }.compactMap(\.arrived)
        return (record(of: key)?.arrived ?? ofApp.max { $0.at < $1.at })?.key.audience
    }

    /// What the service calls that which a summary takes the place of: the one message of the summary or, where all
    /// summaries of an app take turns, whatever the app had there.
    func remotes(of key: AttachmentKey, at repetition: Repetition) -> Set<String> {
        switch repetition {
        case .replaces:
            Set(records.values.filter { $0.newest.key.app == key.app }.compactMap(\.newest.remote))
        case .edits, .appends: Set([record(of: key)?.newest.remote].compactMap(\.self))
        }
    }
}

/// The steps of all readers as they followed each other: those of one summary for one reader stay in their order, also
/// where a clock went back.
private func inOrderOfTime(_ steps: [AttachmentEntry]) -> [AttachmentEntry] {
    var newest: [AttachmentKey: Instant] = [:]
    let timed = steps.enumerated().map { place, step in
        let time = max(step.at, newest[step.key] ?? step.at)
        newest[step.key] = time
        return (time: time, place: place, step: step)
    }
    return timed.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.map(\.step)
}

/// What the archive remembers of one summary at one place.
package struct AttachRecord: Sendable, Equatable {
    /// Its newest step.
    package private(set) var newest: AttachmentEntry
    /// The newest step at which it arrived; nil when it never did.
    package private(set) var arrived: AttachmentEntry?
    /// The first step at which it arrived.
    fileprivate private(set) var first: AttachmentEntry?
    /// How many corrections of it arrived.
    package private(set) var corrections = 0
    /// How many newer ones that correct nothing arrived after it.
    package private(set) var renewals = 0
    /// Whether the place said that what arrived last is there no more.
    private(set) var isGone = false
    /// What the one that arrived last was to the one before it.
    private(set) var lastChange = Gist.Change.none
    /// When it was to be sent and was not; nil when it arrived.
    private var waitingSince: Instant?
    /// When its first step was.
    fileprivate let begun: Instant

    fileprivate init(_ first: AttachmentEntry) { (newest, begun) = (first, first.at) }

    fileprivate mutating func append(_ step: AttachmentEntry) {
        newest = step
        switch step.state {
        case .sent:
            isGone = arrived.map(step.isEnd) ?? false
            if let arrived { count(KeptGist(step.gist).change(since: KeptGist(arrived.gist))) }
            (arrived, first) = (step, first ?? step)
            waitingSince = hasRest ? step.at : nil
        case .superseded, .begun: waitingSince = nil
        case .planned, .unknown: waitingSince = waitingSince ?? step.at
        }
    }

    private mutating func count(_ change: Gist.Change) {
        switch change {
        case .none: return
        case .correction: corrections += 1
        case .renewal: renewals += 1
        }
        lastChange = change
    }

    /// Whether it is still to be sent, by itself, after a failure since a time: it was refused, or a second sending does
    /// no harm.
    package func isWaiting(since start: Instant, at repetition: Repetition) -> Bool {
        guard let waitingSince, waitingSince >= start else { return false }
        return newest.state == .sent && hasRest || newest.state == .planned || repetition == .replaces
            || repetition == .edits && newest.remote != nil
    }

    /// Whether a summary says something new: nothing arrived, or what arrived was true in its time.
    package func isNews(_ gist: Gist) -> Bool {
        arrived.map { gist.change(since: KeptGist($0.gist)) == .renewal } ?? true
    }

    /// Whether what arrived can be changed at its place.
    package func isEditable(at repetition: Repetition) -> Bool {
        !repetition.isAnother(whenKnown: newest.remote != nil)
    }

    /// Whether some of those that it is for did not get it, and may get it from a later run.
    var hasRest: Bool { newest.remote.map { !PartialRemote($0).rest.isEmpty } ?? false }

    /// Whether it was sent since a time, it is not known whether it arrived, and a second sending would make two.
    package func isUncertain(since start: Instant, at repetition: Repetition) -> Bool {
        newest.state == .unknown && newest.at >= start
            && repetition.isAnother(whenKnown: newest.remote != nil)
    }
}

extension AttachmentEntry {
    /// Whether it says that what arrived is at its place no more: the same, without what the service called it.
    fileprivate func isEnd(of arrived: AttachmentEntry) -> Bool {
        guard arrived.remote != nil else { return false }
        var end = arrived
        end.remote = nil
        return self == end
    }
}
