import Diagnostics
import Tokens
import Transport

extension ServiceWords {
    /// App Store Connect's words.
    static let appStoreConnect = ServiceWords(
        provider: AppStoreConnectProvider.name,
        hints: [
            401: """
            look whether the key was revoked, whether issuer and key id belong to it, and set this machine's \
            clock: tokens are made for the minute
            """,
            403: """
            give the key the role Sales and Reports or Finance to read, Admin to create a report request, and \
            see in App Store Connect whether an agreement waits to be accepted
            """,
            404: "check the app in the configuration; the key may not see it",
            429: "wait, or fetch less often: a key has 3,600 requests an hour, and fewer in a short time",
        ],
        budgetHint: "fetch again later; what was read is kept in the archive",
        foreignHint: "report this: a list of App Store Connect goes on at another host")
}

extension ServiceFault {
    /// A refusal in the service's own words.
    static func refused(_ error: HTTPStatusError, body: [UInt8], redaction: Redaction) -> ServiceFault {
        let words = ServiceWords.appStoreConnect
        let said = AppStoreConnectErrors.texts(in: body).map {
            printable(String(redaction.masked($0).prefix(400)))
        }
        var diagnostic = error.diagnostic
        diagnostic.summary = "\(words.provider): \(diagnostic.summary)"
        if !said.isEmpty {
            diagnostic.details.removeAll { $0.hasPrefix("answer: ") }
            diagnostic.details.insert(contentsOf: said, at: 0)
        }
        if let hint = words.hints[error.status] { diagnostic.hints = [hint] }
        return ServiceFault(kind: .told(diagnostic), words: words)
    }

    /// There is no token, or none that the service takes.
    static func noToken(_ error: TokenError) -> ServiceFault {
        let words = ServiceWords.appStoreConnect
        var diagnostic = error.diagnostic
        diagnostic.summary = "\(words.provider): \(diagnostic.summary)"
        if case .rejected = error, let hint = words.hints[401] { diagnostic.hints = [hint] }
        return ServiceFault(kind: .told(diagnostic), words: words)
    }
}
