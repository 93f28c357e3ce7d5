/// Who reads a site, and what it therefore leaves out.
///
/// What is skipped is decided here and nowhere else. Page models, charts, data files, feeds and summaries are made from
/// sections without the texts, names and links that are hidden, and write no hidden count; then the finished files are
/// searched for both.
package struct Audience: Hashable, Codable, Sendable {
    /// For whom a site is made.
    package enum Reader: String, Codable, Sendable, CaseIterable {
        /// Those who work on the apps: everything is shown.
        case team
        /// Everybody: code locations, paths, notes, names, links to services and error messages are hidden.
        case `public`
    }

    /// Whether something is shown.
    package enum Display: String, Codable, Sendable, CaseIterable {
        case shown, hidden
    }

    /// For whom the site is made.
    package var reader: Reader
    /// Whether numbers of users, sessions and events are shown; rates, intervals and shares always are.
    package var counts: Display
    /// Whether issues are called by their titles, or by their kind and an anonymous id.
    package var titles: Display
    /// What makes the anonymous ids of a public site: whoever knows an id of the service cannot find its issue without it.
    package var key = AudienceKey()

    private enum CodingKeys: String, CodingKey { case reader, counts, titles }

    /// What a reader sees; counts and titles are hidden from the public unless said otherwise.
    package init(_ reader: Reader, counts: Display? = nil, titles: Display? = nil) {
        self.reader = reader
        self.counts = counts ?? (reader == .team ? .shown : .hidden)
        self.titles = titles ?? (reader == .team ? .shown : .hidden)
    }

    /// The audience for which these kinds of thing are skipped, as a site records them; nil when it is the team
    /// that sees everything.
    package init?(leavingOut rules: Set<RedactionRule>) {
        guard !rules.isEmpty else { return nil }
        self.init(
            rules.contains(.codePlace) ? .public : .team, counts: rules.contains(.count) ? .hidden : .shown,
            titles: rules.contains(.title) ? .hidden : .shown)
    }

    /// Those who work on the apps.
    package static let team = Audience(.team)

    /// Whether numbers of users, sessions and events are skipped.
    package var hidesCounts: Bool { counts == .hidden }

    /// Whether anything is skipped.
    package var hidesData: Bool { self != .team }

    /// What is skipped.
    package var rules: [RedactionRule] {
        let always: [RedactionRule] =
            reader == .team
            ? [] : [.codePlace, .issueID, .link, .note, .name, .mute, .diagnostic]
        return always + (titles == .hidden ? [.title] : []) + (counts == .hidden ? [.count] : [])
    }
}

/// A kind of thing that a site for the public leaves out.
package enum RedactionRule: String, Hashable, Codable, Sendable, CaseIterable {
    /// The file of an issue, with or without its path and line.
    case codePlace = "code-place"
    /// The id that a service gave an issue.
    case issueID = "issue-id"
    /// The title of an issue, which may hold paths, addresses and secrets.
    case title
    /// The address of an issue at its service.
    case link
    /// What a note says.
    case note
    /// The name of a person: the author of a note, or who muted something.
    case name
    /// Why something is muted.
    case mute
    /// Where and how a fetch went wrong.
    case diagnostic
    /// How many users, sessions or events there were.
    case count
}

/// A key for anonymous ids; no text shows it, and nothing that is kept holds it.
package struct AudienceKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let bytes: [UInt8]

    /// A key; without bytes, the ids are those that anybody can make.
    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package var description: String { "<key>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
