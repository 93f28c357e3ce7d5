package import AppHealth
package import Diagnostics

/// States that some events need no attention for a time.
package struct Mute: Hashable, Codable, Sendable {
    /// What is muted: an event must fit everything that is not nil.
    package struct Subject: Hashable, Codable, Sendable {
        /// The app; nil for all.
        package var app: Slug?
        /// The kind of event; nil for all.
        package var kind: EventKind?
        /// The source's id of the issue that the event is about.
        package var issue: String?
        /// The label of the version that the event is about.
        package var version: String?
        /// The name of the source that the event comes from, or its provider.
        package var source: String?

        /// A subject; without anything it is every event.
        package init(
            app: Slug? = nil, kind: EventKind? = nil, issue: String? = nil, version: String? = nil,
            source: String? = nil
        ) {
            self.app = app
            self.kind = kind
            self.issue = issue
            self.version = version
            self.source = source
        }
    }

    /// How long it is: until the first of what is not nil; for good when all is nil.
    package struct End: Hashable, Codable, Sendable {
        /// The day on which events are reported again.
        package var date: CivilDate?
        /// The label of the version with which events are reported again, once it or a later one is seen.
        package var version: String?
        /// Events that reach it are reported, the others stay muted.
        package var level: AlertLevel?

        /// An end, or none.
        package init(date: CivilDate? = nil, version: String? = nil, level: AlertLevel? = nil) {
            self.date = date
            self.version = version
            self.level = level
        }
    }

    /// Its place among the mutes, from 0.
    package var number: Int
    /// What is muted.
    package var subject: Subject
    /// How long.
    package var end: End
    /// Who says so.
    package var by: String
    /// Why.
    package var why: String
    /// Where it is.
    package var location: Location

    /// A mute.
    package init(
        number: Int, _ subject: Subject, until end: End = End(), by: String, why: String,
        at location: Location
    ) {
        self.number = number
        self.subject = subject
        self.end = end
        self.by = by
        self.why = why
        self.location = location
    }
}

extension Mute {
    /// Whether it may concern an app.
    package func concerns(_ app: App) -> Bool { subject.app == nil || subject.app == app.id }

    /// Whether an event is among what is muted, whatever the time.
    func fits(_ event: Event, _ traits: EventTraits) -> Bool {
        guard concerns(event.occasion.app) else { return false }
        if let kind = subject.kind, kind != event.kind, kind != traits.withdrawn { return false }
        if let issue = subject.issue, issue != traits.issue { return false }
        if !fits(version: traits.version, build: traits.build) { return false }
        return fits(traits.source)
    }

    /// Whether it is about a version: without one, or with another way to write it. With a build in brackets it is about
    /// a label without one, too, unless that is of another build: a source may list the builds of a version as one. Without
    /// a build it is about every build of the version.
    func fits(version label: String?, build: String = "") -> Bool {
        guard let wanted = subject.version else { return true }
        guard let label else { return false }
        if isSame(wanted, label) { return true }
        if Version(label).isBuild(of: Version(wanted)) { return true }
        let named = Version(withBuildIn: wanted)
        return !named.build.isEmpty && isSame(named.label, label) && (build.isEmpty || build == named.build)
    }

    private func fits(_ source: Source?) -> Bool {
        guard let wanted = subject.source else { return true }
        return wanted == source?.id.text || wanted == source?.provider
    }

    /// The issue of a source of which it holds back what is reported, whatever the version; nil for a mute of its notes
    /// alone, or of a single version.
    func mutedIssue(of source: Source?) -> String? {
        guard subject.version == nil, subject.kind?.reportsAnIssue != false, fits(source) else { return nil }
        return subject.issue
    }

    /// Whether a version ends it that an event is about, or a later one: also on the first day of that version.
    func isOver(for version: String?) -> Bool {
        guard let end = end.version, let version else { return false }
        return Version(version).isAtLeast(Version(end))
    }

    /// When what is muted was first seen in a version or a later one: the issue, else the app itself.
    fileprivate func firstSeen(of version: Version, in index: HistoryIndex) -> Instant? {
        if let issue = subject.issue { return index.issues.firstSeen(of: issue, from: version) }
        let labels = Set(index.releases.counts.health.keys.lazy.map(\.version)).filter {
            Version($0).isAtLeast(version)
        }
        let days = index.releases.counts.health.values.filter {
            ($0.sessions ?? $0.users ?? 0) > 0 && $0.version.map(labels.contains) == true
        }
        if let first = days.map(\.date).min() {
            return index.rates.sources.releases.end(of: first)
        }
        let releases = index.sources.flatMap(\.releases)
        return releases.filter { Version($0.version.label).isAtLeast(version) }.compactMap(\.releasedAt)
            .min()
    }
}

/// A mute with what ends it in one app.
struct DatedMute {
    /// The mute.
    let mute: Mute
    /// When the version that ends it was first seen; nil when it was not yet, or when no version ends it.
    let seen: Instant?
    /// When it ended; nil while it is.
    let ended: Instant?
    /// The day that ends it, once it has come.
    private let reached: CivilDate?

    /// Looks for the end of a mute.
    init(_ mute: Mute, in index: HistoryIndex) {
        let seen = mute.end.version.flatMap { mute.firstSeen(of: Version($0), in: index) }
        let ends = [mute.end.date.map { Instant(startOf: $0) }, seen].compactMap { $0 }
        self.mute = mute
        self.seen = seen
        reached = mute.end.date.flatMap { Instant(startOf: $0) <= index.asOf ? $0 : nil }
        self.ended = ends.min().flatMap { $0 <= index.asOf ? $0 : nil }
    }

    /// Whether it holds back an event: it applied on its day, and was not over while the event went on.
    func holdsBack(_ event: Event) -> Bool {
        guard applied(on: event.occasion.day, knownAt: event.occasion.at) else { return false }
        return reached.map(event.lasted(into:)) != true
    }

    /// Whether it applied to what is about a day and could be known at an instant.
    func applied(on day: CivilDate, knownAt at: Instant) -> Bool {
        if let date = mute.end.date, day >= date { return false }
        if let seen, at >= seen { return false }
        return true
    }
}

extension IssueIndex {
    /// When an issue was first seen in a version or a later one, by its days; where a source has no days by version, by what
    /// it says of the first occurrence, else when it first reported such a version: what it says of the last occurrence
    /// moves with every new one.
    fileprivate func firstSeen(of id: String, from version: Version) -> Instant? {
        func isReached(_ label: String?) -> Bool {
            label.map { Version($0).isAtLeast(version) } == true
        }
        let days = (releaseDays[id] ?? []).filter { ($0.events ?? 0) > 0 && isReached($0.version) }
        if let first = days.map(\.date).min() { return source.end(of: first) }
        guard let issue = byID[id] else { return nil }
        if isReached(issue.firstVersion?.label), let first = issue.firstSeen { return first }
        return source?.issueVersions[id]?.first { isReached($0.version.label) }?.capturedAt
    }
}

/// Whether two labels are ways to write one version, such as `4.2` and `v4.2.0`.
func isSame(_ first: String, _ second: String) -> Bool {
    !Version(first).comes(before: Version(second)) && !Version(second).comes(before: Version(first))
}
