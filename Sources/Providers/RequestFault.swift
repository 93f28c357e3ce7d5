import Diagnostics
import Transport

/// Why a request brought no response worth decoding.
enum RequestFault: DiagnosticConvertible {
    /// There was no response.
    case transport(TransportError)
    /// The response's status says no.
    case status(HTTPStatusError)
    /// The file has no address.
    case file(Diagnostic)

    /// Whether the run ends here: it was called off, its time is spent, or the service is down. Nothing more is
    /// requested, and nothing that is missing then says anything of the app.
    var isCanceled: Bool {
        if case .transport(let error) = self {
            error.endsRun || error.kind == .outage
        } else {
            false
        }
    }

    var diagnostic: Diagnostic {
        switch self {
        case .transport(let error): error.diagnostic
        case .status(let error): error.diagnostic
        case .file(let why): why
        }
    }
}

extension Sender {
    /// The response when its status is good.
    func goodResponse(to request: Request) async throws(RequestFault) -> Response {
        let response: Response
        do throws(TransportError) {
            response = try await send(request)
        } catch {
            throw .transport(error)
        }
        do throws(HTTPStatusError) {
            return try response.checked()
        } catch {
            throw .status(error)
        }
    }
}
