import Diagnostics
import Tokens
import Transport

/// Why a part of a fetch from one of Google's services brought nothing.
enum GoogleFault: Error {
    /// There is no access token.
    case token(TokenError)
    /// There was no answer.
    case transport(TransportError)
    /// The service says no.
    case refused(GoogleRefusal)
    /// The answer could not be read.
    case decoding(DecodingFailure)
    /// A name makes no address.
    case address(AddressError)
    /// The requests of this fetch are used up.
    case budget(Int)
    /// An earlier answer said that nothing more will be served in this run.
    case halted(String)
    /// An answer came and lacks what the next request needs.
    case lacking(String, at: String)

    /// Why every further request would fare the same; nil when others may be served.
    var halting: String? {
        switch self {
        case .token: "there is no access token"
        case .refused(let refusal) where [401, 429].contains(refusal.http.status):
            "an answer of \(refusal.http.status)"
        default: nil
        }
    }

    /// Whether the run was called off.
    var isCancelled: Bool {
        switch self {
        case .token(let error): error.isCancelled
        case .transport(let error): error.endsRun
        default: false
        }
    }

    func diagnostic(_ service: GoogleService) -> Diagnostic {
        var result =
            switch self {
            case .token(let error): error.diagnostic
            case .transport(let error): error.diagnostic
            case .refused(let refusal): refusal.diagnostic(service)
            case .decoding(let failure): failure.diagnostic
            case .address(let error): error.diagnostic
            case .budget(let most):
                Diagnostic.error(
                    "\(service.name).budget", "the \(most) requests of one fetch are used up",
                    hints: ["raise the limit, or ask for fewer days"])
            case .halted(let why):
                Diagnostic.error("\(service.name).halted", "nothing more was asked: \(why)")
            case .lacking(let what, let place):
                Diagnostic.error("\(service.name).lacking", "the answer lacks \(what)", at: .address(place))
            }
        if !result.summary.hasPrefix("\(service.name): ") {
            result.summary = "\(service.name): \(result.summary)"
        }
        return result
    }
}
