import Diagnostics

/// The id of a mail of ours, read for what names the project in it.
struct MailName {
    /// The word of the project; nil in mails of versions before 0.2.0, which did not name it.
    let project: String?

    /// How many hexadecimal digits a project has, and the digest before it.
    static let projectLength = 12
    private static let digestLength = 32

    init(_ id: String) {
        let local = PartialRemote(id).name.prefix { $0 != "@" }
        let parts = local.split(separator: ".").suffix(2)
        guard let digest = parts.first, let last = parts.last, parts.count == 2,
            digest.utf8.count == Self.digestLength, last.utf8.count == Self.projectLength,
            (digest + last).utf8.allSatisfy(isHexadecimal)
        else {
            project = nil
            return
        }
        project = String(last)
    }
}
