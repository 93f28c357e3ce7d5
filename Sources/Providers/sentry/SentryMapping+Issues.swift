import AppHealth

/// One element of the list as an issue; nil for what is no error and for what is about to vanish.
func issue(_ item: SentryIssue, losses: inout Losses) -> Issue? {
    guard let id = item.id.text, item.category == nil || item.category?.text == "error",
        !["pending_deletion", "pending_merge"].contains(item.status?.text)
    else { return nil }
    let lifetime = item.lifetime?.value
    return Issue(
        id: id, title: title(of: item, id: id), kind: kind(of: item), state: state(of: item),
        place: place(of: item.metadata?.value),
        firstSeen: lifetime?.firstSeen?.instant ?? item.firstSeen?.instant,
        lastSeen: lifetime?.lastSeen?.instant ?? item.lastSeen?.instant,
        fixedIn: item.statusDetails?.value?.inRelease?.nonEmpty.map { sentryVersion($0) },
        events: item.count?.value, users: users(of: item),
        url: losses.webAddress(item.page?.value?.nonEmpty, at: "issue \(id): permalink"))
}

/// A headline is never empty.
private func title(of item: SentryIssue, id: String) -> String {
    item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id
}

/// The SDKs give `fatal` to what ended the app. An unhandled error of another level let it go on.
private func kind(of item: SentryIssue) -> Issue.Kind {
    let type = item.metadata?.value?.type?.value?.text ?? ""
    let isHang =
        type == "ApplicationNotResponding" || type.hasPrefix("App Hang")
        || type.hasPrefix("Fatal App Hang")
    return isHang ? .hang : item.level?.text == "fatal" ? .crash : .error
}

/// The substatus is newer than the status and may be missing; what is new, escalating or regressed is open.
private func state(of item: SentryIssue) -> Issue.State {
    switch item.status?.text {
    case "resolved": .closed
    case "ignored", "muted": .muted
    default: item.substatus?.value?.text.hasPrefix("archived") == true ? .muted : .open
    }
}

/// Where an app reports no users, the service says 0 of them beside events: they are unknown then.
private func users(of item: SentryIssue) -> Int? {
    guard let users = item.userCount?.value, users > 0 || item.count?.value == 0 else { return nil }
    return users
}

/// The issue with what its own page tells.
func detailed(_ issue: Issue, by detail: SentryIssueDetail) -> Issue {
    var issue = issue
    issue.firstVersion = detail.firstRelease?.value.map {
        sentryVersion($0.version.text, info: $0.info?.value)
    }
    issue.lastVersion = detail.lastRelease?.value.map {
        sentryVersion($0.version.text, info: $0.info?.value)
    }
    return issue
}
