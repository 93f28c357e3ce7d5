import Diagnostics
import Transport

extension ServiceWords {
    /// BugSnag's words.
    static let bugsnag = ServiceWords(
        provider: BugsnagProvider.name,
        hints: [
            401: "make a new personal auth token in BugSnag under My account",
            403: "look whether the plan has this feature and the token's owner may see the project",
            422: "fetch again later: BugSnag says that the answer would not be whole",
            429: "wait a minute: BugSnag admits 30 requests a minute for a token",
        ],
        hint: { error in
            error.status == 404 && error.excerpt.contains("User not found")
                ? "use a personal auth token; a project's API key does not open this API" : nil
        },
        headers: [("X-Version", "2")],
        budgetHint: "fetch again later, or raise the limit; BugSnag admits 30 a minute")
}

extension ServiceFault {
    /// A fault of BugSnag's.
    static func bugsnag(_ kind: Kind) -> ServiceFault { ServiceFault(kind: kind, words: .bugsnag) }

    /// No project, or no organization, has this id, slug or name at the endpoint.
    static func bugsnagNotFound(
        what: String, name: String, among known: [String], at endpoint: String
    ) -> ServiceFault {
        let nearest = nearestName(to: String(name.prefix(60)), among: known)
        let listed = known.prefix(10).joined(separator: ", ")
        return .bugsnag(
            .told(
                .error(
                    "bugsnag.not-found", "bugsnag: no \(what) has the id, slug or name '\(printable(name))'",
                    details: known.isEmpty
                        ? ["the token may see no \(what)"] : ["the token may see: \(listed)"],
                    at: .address(endpoint),
                    hints: [
                        nearest.map { "write '\($0)', if that was meant" }
                            ?? "correct the name in the configuration"
                    ])))
    }

    /// Several have this name.
    static func bugsnagAmbiguous(what: String, name: String, slugs: [String]) -> ServiceFault {
        .bugsnag(
            .told(
                .error(
                    "bugsnag.ambiguous",
                    "bugsnag: \(slugs.count) \(what)s have the name '\(printable(name))'",
                    details: ["slugs: \(slugs.prefix(10).joined(separator: ", "))"],
                    hints: ["write the slug or the id, and the organization when the slugs are alike"])))
    }
}
