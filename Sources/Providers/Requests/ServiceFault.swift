import Diagnostics
import Transport

/// Why a part of a fetch brought nothing.
struct ServiceFault: Error {
    enum Kind {
        /// The request was not served.
        case request(RequestFault)
        /// The answer could not be read.
        case decoding(DecodingFailure)
        /// A text that the service sent makes no address.
        case address(AddressError)
        /// The requests of this fetch are used up.
        case budget(most: Int)
        /// An earlier answer said that nothing more will be served in this run.
        case halted(status: Int)
        /// Nothing has this name; `among` is what there is.
        case notFound(what: String, name: String, among: [String])
        /// Several have this name.
        case ambiguous(what: String, name: String, ids: [String])
        /// A reason of the service's own, already in words.
        case told(Diagnostic)
    }

    var kind: Kind
    var words: ServiceWords

    /// The status of the answer, when it was refused.
    var status: Int? {
        if case .request(.status(let error)) = kind { error.status } else { nil }
    }

    /// The beginning of the refusal's body.
    var excerpt: String {
        if case .request(.status(let error)) = kind { error.excerpt } else { "" }
    }

    /// Whether the run was called off.
    var isCancelled: Bool {
        if case .request(let fault) = kind { fault.isCancelled } else { false }
    }
}

extension ServiceFault: DiagnosticConvertible {
    var diagnostic: Diagnostic {
        let name = words.provider
        switch kind {
        case .request(let fault): return told(fault)
        case .decoding(let failure): return failure.diagnostic
        case .address(let error): return error.diagnostic
        case .told(let diagnostic): return diagnostic
        case .budget(let most):
            return .error(
                "\(name).budget", "\(name): the \(most) requests of one fetch are used up",
                hints: [words.budgetHint])
        case .halted(let status):
            return .error(
                "\(name).halted", "\(name): nothing more was asked after an answer of \(status)",
                hints: words.hints[status].map { [$0] } ?? ["fetch again later"])
        case .notFound(let what, let wanted, let known): return notFound(what, wanted, among: known)
        case .ambiguous(let what, let wanted, let ids):
            return .error(
                "\(name).ambiguous", "\(name): \(ids.count) \(what)s have the name '\(printable(wanted))'",
                details: ["ids: \(ids.prefix(10).joined(separator: ", "))"], hints: ["write the id"])
        }
    }

    /// The transport's words with hints that fit this service.
    private func told(_ fault: RequestFault) -> Diagnostic {
        var result = fault.diagnostic
        result.summary = "\(words.provider): \(result.summary)"
        if case .status(let error) = fault, let hint = words.hint(error) ?? words.hints[error.status] {
            result.hints = [hint]
        }
        if case .transport(let error) = fault, error.kind == .foreignOrigin, let hint = words.foreignHint {
            result.hints = [hint]
        }
        return result
    }

    private func notFound(_ what: String, _ wanted: String, among known: [String]) -> Diagnostic {
        let nearest = nearestName(to: String(wanted.prefix(60)), among: known)
        let listed = known.prefix(10).map(printable).joined(separator: ", ")
        return .error(
            "\(words.provider).not-found",
            "\(words.provider): no \(what) has the id or name '\(printable(wanted))'",
            details: known.isEmpty ? ["the token may see no \(what)"] : ["the token may see: \(listed)"],
            hints: [
                nearest.map { "write '\(printable($0))', if that was meant" }
                    ?? "correct the name in the configuration"
            ])
    }
}
