import AppHealth

/// One element of the list as an issue; nil for reports of a browser's content policy.
func issue(_ item: GlitchtipIssue) -> Issue? {
    guard let id = item.id.text, item.type?.value?.text != "csp" else { return nil }
    return Issue(
        id: id,
        title: item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id,
        kind: item.level?.text == "fatal" ? .crash : .error, state: state(item.status?.text),
        place: place(of: item.metadata?.value), firstSeen: item.firstSeen?.instant,
        lastSeen: item.lastSeen?.instant, events: item.count?.value, users: nil,
        url: page(item.page?.value?.text))
}

private func state(_ status: String?) -> Issue.State {
    switch status {
    case "resolved": .closed
    case "ignored": .muted
    default: .open
    }
}

/// The server sends the words `Not implemented` where an address would stand.
private func page(_ text: String?) -> String? {
    guard let text, text.hasPrefix("https://") || text.hasPrefix("http://"),
        text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return nil }
    return text
}
