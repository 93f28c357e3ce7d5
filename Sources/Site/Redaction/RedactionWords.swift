package import Analysis

extension RedactionRule {
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
