/// A kind of thing that a site for the public leaves out.
package enum RedactionRule: String, Hashable, Sendable, CaseIterable {
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

    /// What it is, in words.
    package var words: String {
        switch self {
        case .codePlace: "a code location"
        case .issueID: "an issue id of the service"
        case .title: "an issue title"
        case .link: "a link to a service"
        case .note: "the text of a note"
        case .name: "a person's name"
        case .mute: "the reason of a mute"
        case .diagnostic: "an error message"
        case .count: "a count of users, sessions or events"
        }
    }
}
