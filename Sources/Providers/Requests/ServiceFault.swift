import Diagnostics
import Tokens
import Transport

/// Why a part of a fetch brought nothing.
struct ServiceFault: Error {
    enum Kind {
        /// There is no access token, or the service refused it at an address.
        case token(TokenError, at: String? = nil)
        /// There was no response.
        case transport(TransportError)
        /// The service says no.
        case refused(HTTPStatusError, RefusalExplanation)
        /// The response could not be read.
        case decoding(DecodingFailure)
        /// A text that the service sent makes no address.
        case address(AddressError)
        /// The requests of this fetch are used up.
        case budget(most: Int)
        /// An earlier response ended this run, or this group of requests; `hints` are what to do about it.
        case halted(String, status: Int?, hints: [String] = [])
        /// Nothing has this name; `among` is what there is.
        case notFound(what: String, name: String, among: [String], at: Location? = nil)
        /// The service does not list what it calls so itself; `among` is what it lists. No configuration has the name.
        case notListed(what: String, name: String, among: [String])
        /// Several have this name; `choices` distinguishes them.
        case ambiguous(what: String, name: String, choices: [String])
        /// A reason of the service's own, already in words.
        case reported(Diagnostic)
    }

    var kind: Kind
    var profile: ServiceProfile

    /// The status of the response, when it was refused.
    var status: Int? {
        if case .refused(let error, _) = kind { error.status } else { nil }
    }

    /// The beginning of the refusal's body.
    var excerpt: String {
        if case .refused(let error, _) = kind { error.excerpt } else { "" }
    }

    /// Whether the service answered, and has not what is wanted.
    var isOfContent: Bool {
        switch kind {
        case .notFound, .notListed, .ambiguous, .reported: true
        default: false
        }
    }

    /// Whether the requests of this fetch are used up.
    var isOfBudget: Bool {
        if case .budget = kind { true } else { false }
    }

    /// Whether the request would have changed something, in a run that changes nothing.
    var isWithheld: Bool {
        if case .transport(let error) = kind { error.kind == .withheld } else { false }
    }

    /// Whether the service is down and gets no more requests in this run.
    var isOutage: Bool {
        if case .transport(let error) = kind { error.kind == .outage } else { false }
    }

    /// Whether the run ends here: it was called off, or its time is spent. What is missing then says nothing of the app.
    var isCanceled: Bool {
        switch kind {
        case .transport(let error): error.endsRun
        case .token(let error, _): error.isCanceled
        default: false
        }
    }

    /// Whether nothing that follows would be answered in this run: it ends, or the service is down.
    var endsRequests: Bool { isCanceled || isOutage }
}

extension ServiceFault: DiagnosticConvertible {
    var diagnostic: Diagnostic {
        var result = unnamed
        let start = "\(profile.provider): "
        if !result.summary.hasPrefix(start) { result.summary = start + result.summary }
        return result
    }

    /// The diagnostic, whose summary may lack the provider's name.
    private var unnamed: Diagnostic {
        let name = profile.provider
        switch kind {
        case .token(let error, let address): return described(error, at: address)
        case .transport(let error): return described(error)
        case .refused(let error, let explanation): return described(error, explanation)
        case .decoding(let failure): return failure.diagnostic
        case .address(let error): return error.diagnostic
        case .reported(let diagnostic): return diagnostic
        case .budget(let most):
            return .error(
                "\(name).budget", "limit of \(most) requests per fetch reached", hints: [profile.budgetHint]
            )
        case .halted(let why, let status, let hints):
            let hint = status.flatMap { profile.hints[$0] } ?? "fetch again later"
            return .error("\(name).halted", "stopped \(why)", hints: hints.isEmpty ? [hint] : hints)
        case .notFound(let what, let wanted, let known, let place):
            return notFound(what, wanted, among: known, at: place)
        case .notListed(let what, let name, let known):
            return notListed(what, name, among: known)
        case .ambiguous(let what, let wanted, let choices):
            return .error(
                "\(name).ambiguous", "\(choices.count) \(what)s have the name '\(printable(wanted))'",
                details: ["they are: \(choices.prefix(10).map(printable).joined(separator: ", "))"],
                hints: [profile.ambiguousHint])
        }
    }

    private func described(_ error: TokenError, at address: String?) -> Diagnostic {
        var result = error.diagnostic
        guard case .rejected = error else { return result }
        if let hint = profile.hints[401] { result.hints = [hint] }
        if let address { result.location = .address(address) }
        return result
    }

    private func described(_ error: TransportError) -> Diagnostic {
        var result = error.diagnostic
        if error.kind == .foreignOrigin, let hint = profile.foreignHint { result.hints = [hint] }
        return result
    }

    private func described(_ error: HTTPStatusError, _ explanation: RefusalExplanation) -> Diagnostic {
        var result = error.diagnostic
        if !explanation.said.isEmpty { result.quotes = explanation.said }
        result.details += explanation.more
        // A service that names a long wait says more than what is usual at it.
        let usual = error.asksForLongWait ? nil : profile.hints[error.status].map { [$0] }
        if let hints = explanation.hints ?? usual { result.hints = hints }
        return result
    }

    private func notListed(_ what: String, _ name: String, among known: [String]) -> Diagnostic {
        let listed = known.prefix(10).map(printable).joined(separator: ", ")
        return .error(
            "\(profile.provider).not-listed",
            known.isEmpty ? "the service listed no \(what)s" : "unknown \(what) '\(printable(name))'",
            details: known.isEmpty ? [] : ["the service listed: \(listed)"], hints: ["fetch again later"])
    }

    private func notFound(
        _ what: String, _ wanted: String, among known: [String], at place: Location?
    ) -> Diagnostic {
        let nearest = nearestName(to: String(wanted.prefix(60)), among: known)
        let listed = known.prefix(10).map(printable).joined(separator: ", ")
        return .error(
            "\(profile.provider).not-found", "unknown \(what) '\(printable(wanted))'",
            details: known.isEmpty ? ["the token may see no \(what)"] : ["the token may see: \(listed)"],
            at: place,
            hints: [
                nearest.map { "did you mean '\(printable($0))'?" }
                    ?? "correct the name in the configuration"
            ])
    }
}

extension HTTPStatusError {
    /// Whether the service takes no request for more than a minute, or until a time.
    fileprivate var asksForLongWait: Bool {
        guard status == 429, let retryAfter else { return false }
        return Int(retryAfter).map { $0 > 60 } ?? true
    }
}
