import AppHealth

/// An error that was seen in the stage, as an issue; nil for an error of other stages.
func issue(_ error: BugsnagError, stage: String, projectPage: String?) -> Issue? {
    let stages = error.stages?.values.map(\.text) ?? []
    guard stages.isEmpty || stages.contains(stage), !error.id.text.isEmpty else { return nil }
    return Issue(
        id: error.id.text, title: title(of: error),
        kind: error.severity?.text == "error" ? .crash : .error,
        state: state(error.status?.text), place: place(of: error),
        firstSeen: error.firstSeenUnfiltered?.instant ?? error.firstSeen?.instant,
        lastSeen: error.lastSeenUnfiltered?.instant ?? error.lastSeen?.instant,
        events: error.events?.value,
        users: users(of: error), url: projectPage.flatMap { page(of: error.id.text, at: $0) })
}

/// The status words, one of them with a space; a new word counts as open.
private func state(_ status: String?) -> Issue.State {
    switch status {
    case "fixed": .closed
    case "snoozed", "ignored": .muted
    default: .open
    }
}

/// Class and first line of the message.
private func title(of error: BugsnagError) -> String {
    let line = error.message?.text.split(whereSeparator: \.isNewline).first.map(String.init)
    let words = [error.errorClass?.nonEmpty, line].compactMap(\.self)
    return words.isEmpty ? error.context?.nonEmpty ?? error.id.text : words.joined(separator: ": ")
}

private func place(of error: BugsnagError) -> CodePlace? {
    guard let grouping = error.grouping?.value, let file = grouping.file?.value?.nonEmpty else {
        return nil
    }
    let line = grouping.lineNumber?.value?.text.flatMap { Int($0) }
    return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
}

/// Where an app reports no users, the service says 0 of them beside many events: they are unknown then.
private func users(of error: BugsnagError) -> Int? {
    guard let users = error.users?.value, users > 0 || error.events?.value == 0 else { return nil }
    return users
}

private func page(of error: String, at project: String) -> String? {
    let isSafe = error.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_".utf8.contains(byte)
        }
    }
    let isWeb = project.hasPrefix("https://") || project.hasPrefix("http://")
    return isSafe && isWeb && !project.contains(" ") ? "\(project)/errors/\(error)" : nil
}

/// A comment as a note on its issue.
func note(_ comment: BugsnagComment, on issue: String) -> Note {
    Note(
        id: comment.id.text, at: comment.created.instant,
        author: comment.collaborator?.value?.name?.text ?? "",
        text: comment.message.text, subject: .issue(issue))
}
