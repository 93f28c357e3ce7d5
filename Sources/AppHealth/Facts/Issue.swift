/// The state of an issue and its fix from a capture on, until the next one says another.
package struct IssueStateChange: Hashable, Codable, Sendable {
    /// When the first snapshot with this state and this fix was captured.
    package let capturedAt: Instant
    /// The state.
    package let state: Issue.State
    /// The version that was said to fix it.
    package let fixedIn: Version?

    /// Makes a change.
    package init(capturedAt: Instant, state: Issue.State, fixedIn: Version? = nil) {
        self.capturedAt = capturedAt
        self.state = state
        self.fixedIn = fixedIn
    }

    /// Whether only the capture is another one.
    package func saysTheSame(as other: IssueStateChange) -> Bool {
        (state, fixedIn) == (other.state, other.fixedIn)
    }
}

/// The newest version that an issue was seen in from a capture on, until the next one says another.
package struct IssueVersionChange: Hashable, Sendable {
    /// When the first snapshot that reported it was captured.
    package let capturedAt: Instant
    /// The version.
    package let version: Version

    /// Makes a change.
    package init(capturedAt: Instant, version: Version) {
        self.capturedAt = capturedAt
        self.version = version
    }
}

/// Events that a source grouped as one problem.
package struct Issue: Hashable, Codable, Sendable {
    /// What kind of problem it is.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The app ended.
        case crash
        /// The app hung (an ANR on Android).
        case hang
        /// An error was reported and the app went on.
        case error
    }

    /// What its team says of it.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Still to do.
        case open
        /// Said to be solved.
        case closed
        /// Not to be reported.
        case muted
    }

    /// The source's own id: permanent, not fit for a path as it is.
    package var id: String
    /// The source's headline: foreign text.
    package var title: String
    /// What kind of problem it is.
    package var kind: Kind
    /// What its team says of it.
    package var state: State
    /// The place in the code; nil when the source does not say.
    package var place: CodePlace?
    /// When it was first seen, ever.
    package var firstSeen: Instant?
    /// When it was last seen.
    package var lastSeen: Instant?
    /// The day on which it was first seen in the zone of its source; nil where that is not known.
    package var firstSeenOn: CivilDate?
    /// The day on which it was last seen there.
    package var lastSeenOn: CivilDate?
    /// The oldest version it was seen in.
    package var firstVersion: Version?
    /// The newest version it was seen in.
    package var lastVersion: Version?
    /// The version that was said to fix it.
    package var fixedIn: Version?
    /// All events, over the span that the source counts.
    package var events: Int?
    /// Distinct users, over the span that the source counts.
    package var users: Int?
    /// Its page at the source; only http and https are kept.
    package var url: String?
    /// The share of its events that name a user, below 1: there may be more users, and where it is 0 they are unknown. Nil
    /// where all do, or the source does not say.
    package var namedShare: Double?

    /// What events and lists of a day say of it: nothing that changes each time it is seen, so that a page of the past
    /// stays as it is.
    package var mention: Issue {
        var mention = Issue(
            id: id, title: title, kind: kind, place: place, firstSeen: firstSeen, firstVersion: firstVersion,
            url: url)
        mention.firstSeenOn = firstSeenOn
        return mention
    }

    /// The day on which it was first seen: that of its source, or of UTC where the zone is not known.
    package var firstSeenDay: CivilDate? { firstSeenOn ?? firstSeen?.date }

    /// The day on which it was last seen.
    package var lastSeenDay: CivilDate? { lastSeenOn ?? lastSeen?.date }

    /// Makes an issue; what is not given is unknown.
    package init(
        id: String, title: String, kind: Kind = .crash, state: State = .open, place: CodePlace? = nil,
        firstSeen: Instant? = nil, lastSeen: Instant? = nil, firstVersion: Version? = nil,
        lastVersion: Version? = nil, fixedIn: Version? = nil, events: Int? = nil, users: Int? = nil,
        url: String? = nil
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.state = state
        self.place = place
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.firstVersion = firstVersion
        self.lastVersion = lastVersion
        self.fixedIn = fixedIn
        self.events = events
        self.users = users
        self.url = url
    }
}

/// A place in source code.
package struct CodePlace: Hashable, Codable, Sendable {
    /// The file as the source names it: foreign text.
    package var file: String
    /// The line, from 1; nil when unknown.
    package var line: Int?

    /// Makes a place.
    package init(file: String, line: Int?) {
        self.file = file
        self.line = line
    }

    /// The last part of the file's path.
    package var fileName: String {
        func separates(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
        guard let last = file.utf8.lastIndex(where: { !separates($0) }) else { return file }
        let name = file.utf8[...last]
        guard let separator = name.lastIndex(where: separates) else { return String(file[...last]) }
        return String(file[file.utf8.index(after: separator)...last])
    }
}

/// What one source counted of one issue on one day.
package struct IssueDay: Hashable, Sendable {
    /// The source's id of the issue.
    package var issue: String
    /// The day, in the source's zone.
    package var date: CivilDate
    /// The label of the release; nil for all releases together.
    package var version: String?
    // An app may have a million of these days: three optional numbers would take half as much again.
    private var knownEvents = Self.unknown
    private var knownUsers = Self.unknown
    private var knownShare = Self.unknownShare

    /// Makes a day.
    package init(issue: String, date: CivilDate, version: String? = nil, events: Int?, users: Int?) {
        self.issue = issue
        self.date = date
        self.version = version
        self.events = events
        self.users = users
    }

    /// Events of the day.
    package var events: Int? {
        get { knownEvents == Self.unknown ? nil : knownEvents }
        set { knownEvents = newValue ?? Self.unknown }
    }

    /// Distinct users of the day.
    package var users: Int? {
        get { knownUsers == Self.unknown ? nil : knownUsers }
        set { knownUsers = newValue ?? Self.unknown }
    }

    /// The share of the events that name a user, as of an issue.
    package var namedShare: Double? {
        get { knownShare == Self.unknownShare ? nil : Double(bitPattern: knownShare) }
        set { knownShare = newValue?.bitPattern ?? Self.unknownShare }
    }

    /// No count of anything.
    private static let unknown = Int.min
    /// The bits of no number.
    private static let unknownShare = UInt64.max
}

extension IssueDay: Codable {
    private enum CodingKeys: CodingKey {
        case issue, date, version, events, users, namedShare
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            issue: try container.decode(String.self, forKey: .issue),
            date: try container.decode(CivilDate.self, forKey: .date),
            version: try container.decodeIfPresent(String.self, forKey: .version),
            events: try container.decodeIfPresent(Int.self, forKey: .events),
            users: try container.decodeIfPresent(Int.self, forKey: .users))
        namedShare = try container.decodeIfPresent(Double.self, forKey: .namedShare)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(issue, forKey: .issue)
        try container.encode(date, forKey: .date)
        try container.encodeIfPresent(version, forKey: .version)
        try container.encodeIfPresent(events, forKey: .events)
        try container.encodeIfPresent(users, forKey: .users)
        try container.encodeIfPresent(namedShare, forKey: .namedShare)
    }
}

/// What a person wrote about an app, an issue, a release or a day.
package struct Note: Hashable, Codable, Sendable {
    /// What the note is about.
    package enum Subject: Hashable, Codable, Sendable {
        /// The app as a whole.
        case app
        /// An issue, by the source's id.
        case issue(String)
        /// A release, by its label.
        case release(String)
        /// A day.
        case day(CivilDate)

        /// The source's id of the issue that it is about, whether it is known or not; nil of another subject.
        package var issue: String? { if case .issue(let id) = self { id } else { nil } }

        /// The label of the release that it is about; nil of another subject.
        package var version: String? { if case .release(let label) = self { label } else { nil } }
    }

    /// The source's own id; of a note that the owner of a site wrote as a file, its name without the ending.
    package var id: String
    /// When it was written; the first instant of the day in UTC where a day alone is known.
    package var at: Instant
    /// The day on which it was written, in whatever zone its app has, where a day alone is known.
    package var day: CivilDate?
    /// Who wrote it; empty when unknown.
    package var author: String
    /// CommonMark; foreign text.
    package var text: String
    /// Where its relative links lead, as paths from the top of the site by the address as it is written; nil without any,
    /// and of a note that is no file of the owner's.
    package var targets: [String: String]?
    /// What it is about.
    package var subject: Subject

    /// Makes a note.
    package init(
        id: String, at: Instant, day: CivilDate? = nil, author: String, text: String, subject: Subject
    ) {
        self.id = id
        self.at = at
        self.day = day
        self.author = author
        self.text = text
        self.subject = subject
    }
}
