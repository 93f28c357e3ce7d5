import Diagnostics
import Transport

/// Why a part of a fetch from BugSnag brought nothing.
enum BugsnagFault: Error {
    /// The request was not served.
    case request(RequestFault)
    /// The answer could not be read.
    case decoding(DecodingFailure)
    /// An id that the service sent makes no address.
    case address(AddressError)
    /// The requests of this fetch are used up.
    case budget(Int)
    /// An earlier answer said that nothing more will be served in this run.
    case halted(status: Int)
    /// No project, or no organization, has this id, slug or name.
    case notFound(what: String, name: String, among: [String], at: String)
    /// Several have this name.
    case ambiguous(what: String, name: String, slugs: [String])
}

extension BugsnagFault: DiagnosticConvertible {
    var diagnostic: Diagnostic {
        switch self {
        case .request(let fault): fault.bugsnagDiagnostic
        case .decoding(let failure): failure.diagnostic
        case .address(let error): error.diagnostic
        case .budget(let most):
            .error(
                "bugsnag.budget", "bugsnag: the \(most) requests of one fetch are used up",
                hints: ["fetch again later, or raise the limit; BugSnag admits 30 a minute"])
        case .halted(let status):
            .error("bugsnag.halted", "bugsnag: nothing more was asked after an answer of \(status)")
        case .notFound(let what, let name, let known, let endpoint):
            notFound(what, name, among: known, at: endpoint)
        case .ambiguous(let what, let name, let slugs):
            .error(
                "bugsnag.ambiguous", "bugsnag: \(slugs.count) \(what)s have the name '\(printable(name))'",
                details: ["slugs: \(slugs.prefix(10).joined(separator: ", "))"],
                hints: ["write the slug or the id, and the organization when the slugs are alike"])
        }
    }

    private func notFound(_ what: String, _ name: String, among known: [String], at endpoint: String)
        -> Diagnostic
    {
        let nearest = nearestName(to: String(name.prefix(60)), among: known)
        let listed = known.prefix(10).joined(separator: ", ")
        return .error(
            "bugsnag.not-found", "bugsnag: no \(what) has the id, slug or name '\(printable(name))'",
            details: known.isEmpty ? ["the token may see no \(what)"] : ["the token may see: \(listed)"],
            at: .address(endpoint),
            hints: [
                nearest.map { "write '\($0)', if that was meant" } ?? "correct the name in the configuration"
            ])
    }

    /// Whether every further request would meet the same answer.
    var haltingStatus: Int? {
        guard case .request(.status(let error)) = self, [401, 429].contains(error.status) else { return nil }
        return error.status
    }

    /// Whether the run was called off.
    var isCancelled: Bool {
        if case .request(let fault) = self { fault.isCancelled } else { false }
    }

    /// Whether the account's plan, or the token, does not include what was asked for.
    var isForbidden: Bool {
        if case .request(.status(let error)) = self { error.status == 403 } else { false }
    }
}

extension RequestFault {
    /// The transport's words with hints that fit this service.
    fileprivate var bugsnagDiagnostic: Diagnostic {
        var result = diagnostic
        result.summary = "bugsnag: \(result.summary)"
        guard case .status(let error) = self else { return result }
        switch error.status {
        case 401: result.hints = ["make a new personal auth token in BugSnag under My account"]
        case 403:
            result.hints = [
                "look whether the plan has this feature and the token's owner may see the project"
            ]
        case 404 where error.excerpt.contains("User not found"):
            result.hints = ["use a personal auth token; a project's API key does not open this API"]
        case 429: result.hints = ["wait a minute: BugSnag admits 30 requests a minute for a token"]
        default: break
        }
        return result
    }
}
