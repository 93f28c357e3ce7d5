import AppHealth
import Diagnostics
import Transport

/// Why a part of a fetch brought nothing.
struct SentryAPIFault: Error {
    /// What happened.
    enum Kind {
        /// The request was not served; `until` is when the service takes requests again, where it says so.
        case request(RequestFault, hint: String?, until: Instant?)
        /// The answer could not be read.
        case decoding(DecodingFailure)
        /// An id that the service sent makes no address.
        case address(AddressError)
        /// The requests of this fetch are used up.
        case budget(Int)
        /// An earlier answer said that nothing more of this kind will be served.
        case halted(status: Int)
        /// No project has this id, slug or name.
        case notFound(name: String, among: [String])
        /// Several projects have this name.
        case ambiguous(name: String, slugs: [String])
        /// The answer holds counts that cannot be told apart.
        case unusable(DecodingFailure)
    }

    /// The provider's name.
    var provider: String
    var kind: Kind
}

extension SentryAPIFault {
    /// The status that was answered, when there was one.
    var status: Int? {
        if case .request(.status(let error), _, _) = kind { error.status } else { nil }
    }

    /// Whether the run was called off.
    var isCancelled: Bool {
        if case .request(let fault, _, _) = kind { fault.isCancelled } else { false }
    }
}

extension SentryAPIFault: DiagnosticConvertible {
    var diagnostic: Diagnostic {
        switch kind {
        case .request(let fault, let hint, let until): told(fault, hint, until)
        case .decoding(let failure), .unusable(let failure): failure.diagnostic
        case .address(let error): error.diagnostic
        case .budget(let most):
            .error(
                "\(provider).budget", "\(provider): the \(most) requests of one fetch are used up",
                hints: ["fetch again later, or raise the limit"])
        case .halted(let status):
            .error("\(provider).halted", "\(provider): nothing more was asked after an answer of \(status)")
        case .notFound(let name, let known): notFound(name, among: known)
        case .ambiguous(let name, let slugs):
            .error(
                "\(provider).ambiguous",
                "\(provider): \(slugs.count) projects have the name '\(printable(name))'",
                details: ["slugs: \(slugs.prefix(10).joined(separator: ", "))"],
                hints: ["write the slug or the id"])
        }
    }

    private func told(_ fault: RequestFault, _ hint: String?, _ until: Instant?) -> Diagnostic {
        var result = fault.diagnostic
        result.summary = "\(provider): \(result.summary)"
        if let hint { result.hints = [hint] }
        if let until { result.details.append("the service takes requests again at \(until)") }
        return result
    }

    private func notFound(_ name: String, among known: [String]) -> Diagnostic {
        let nearest = nearestName(to: String(name.prefix(60)), among: known)
        let listed = known.prefix(10).joined(separator: ", ")
        return .error(
            "\(provider).not-found", "\(provider): no project has the id, slug or name '\(printable(name))'",
            details: known.isEmpty ? ["the token may see no project"] : ["the token may see: \(listed)"],
            hints: [
                nearest.map { "write '\($0)', if that was meant" } ?? "correct the name in the configuration"
            ])
    }
}
