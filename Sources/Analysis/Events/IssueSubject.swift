/// What an alert on an issue is about: the issue and the version that it was found in. Ids and the ledger have it as a
/// text.
struct IssueSubject: Hashable {
    /// The source's id of the issue.
    let issue: String
    /// The label of the version; nil for all versions together.
    let version: String?

    /// `1a2b@4.3.0`, or the issue alone.
    var text: String { version.map { "\(issue)@\($0)" } ?? issue }

    /// An issue in a version, or in all together.
    init(_ issue: String, in version: String? = nil) {
        self.issue = issue
        self.version = version
    }

    /// The subject of an alert that was kept. Ids and labels may hold the sign as well: the longest id that is known
    /// counts, else what is before the last sign.
    init(text: String, in issues: IssueIndex) {
        let signs = text.indices.filter { text[$0] == "@" }
        let known = signs.last { issues.byID[String(text[..<$0])] != nil }
        guard issues.byID[text] == nil, let sign = known ?? signs.last else {
            self.init(text)
            return
        }
        self.init(String(text[..<sign]), in: String(text[text.index(after: sign)...]))
    }
}
