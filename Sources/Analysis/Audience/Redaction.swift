package import AppHealth
import Diagnostics

/// What an audience may see of one app: the same sections without what is left out.
///
/// Everything is counted, found, matched with the ledger and muted before anything is left out, so every audience is
/// told of the same numbers and events.
package struct Redaction: Sendable {
    let audience: Audience
    let names: [String: String]

    /// The redaction of an app for an audience.
    package init(_ history: AppHistory, for audience: Audience) {
        self.audience = audience
        let isPublic = audience.reader == .public
        self.names = isPublic ? anonymousNames(ofIssuesIn: history) : [:]
    }

    /// An issue without its place, its address and its own id, and without its title when titles are hidden.
    func redacted(_ issue: Issue) -> Issue {
        var issue = issue
        let name = anonymous(issue.id)
        if audience.titles == .hidden { issue.title = "\(issue.kind.title) issue \(name)" }
        guard audience.reader == .public else { return issue }
        issue.id = name
        issue.place = nil
        issue.url = nil
        return issue
    }

    /// What went wrong without where and how.
    func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
        guard audience.reader == .public else { return diagnostic }
        let isError = diagnostic.severity == .error
        return Diagnostic(
            diagnostic.severity, id: diagnostic.id,
            isError ? "Couldn't fetch the source" : "Part of the response was skipped")
    }

    /// The name of an issue that does not tell the id its service gave it.
    package func anonymous(_ id: String) -> String { names[id] ?? id }

    /// Whether this is for everybody.
    package var isPublic: Bool { audience.reader == .public }
}

extension Issue.Kind {
    fileprivate var title: String {
        switch self {
        case .crash: "Crash"
        case .hang: "Hang"
        case .error: "Error"
        }
    }
}

/// Eight hexadecimal digits for each issue, from the ids of the app and of the issue alone, so that addresses
/// stay; of two issues with the same digits the second in the order of ids gets a number.
private func anonymousNames(ofIssuesIn history: AppHistory) -> [String: String] {
    var ids: Set<String> = []
    for source in history.sources {
        ids.formUnion(source.issues.map(\.id))
        ids.formUnion(source.issueDays.map(\.issue))
        ids.formUnion(source.issueHours.map(\.issue))
    }
    var taken: Set<String> = []
    var names: [String: String] = [:]
    for id in ids.sorted() { names[id] = freeID(anonymousName(of: history.app.id.text + "/" + id), &taken) }
    return names
}

/// Eight hexadecimal digits of a text: the FNV-1a hash (RFC 9923) of 64 bits, its halves folded together.
func anonymousName(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
}
