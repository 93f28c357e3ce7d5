import Files
import Foundation
import Synchronization

/// Writes each exchange to a folder, free of secrets, while it goes on as usual.
///
/// It belongs directly above the client, below retries, so that each attempt is an exchange of its own.
package final class RecordingSender: Sender {
    private struct State {
        var number = 0
        var fault: RecordingError?
    }

    private let base: any Sender
    private let folder: String
    private let state = Mutex(State())

    /// Records into this folder, which is made when it is missing and must not hold a recording.
    package init(_ base: some Sender, folder: String) throws(RecordingError) {
        self.base = base
        self.folder = folder
        try? makePrivateFolder(folder)
        guard pathKind(folder) == .folder else {
            throw .notWritable(path: folder, reason: "the folder cannot be made")
        }
        let files = try? exchangeFiles(in: folder)
        guard files?.isEmpty ?? true else { throw .notEmpty(path: folder) }
    }

    /// The first exchange that could not be written; a recording that has one is not whole.
    package var fault: RecordingError? { state.withLock { $0.fault } }

    /// Makes what was recorded outlast a power cut; to be called once after the last exchange.
    package func synchronize() {
        do throws(FileFailure) {
            try syncPrivateFolder(folder)
        } catch {
            state.withLock { $0.fault = $0.fault ?? .notWritable(path: folder, reason: error.systemReason) }
        }
    }

    /// Sends the request and writes down what came of it. A fault in writing is kept in `fault`.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        do throws(TransportError) {
            let response = try await base.send(request)
            write(Exchange(number, request, .success(response)))
            return response
        } catch {
            write(Exchange(number, request, .failure(error)))
            throw error
        }
    }

    private func write(_ exchange: Exchange) {
        let digits = String(exchange.number)
        let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + exchangeSuffix
        let path = "\(folder)/\(name)"
        do throws(RecordingError) {
            try exchange.write(to: path)
        } catch {
            state.withLock { $0.fault = $0.fault ?? error }
        }
    }
}

extension Exchange {
    init(_ number: Int, _ request: Request, _ outcome: Result<Response, TransportError>) {
        let scrubber = Scrubber(redaction: request.redaction)
        self.init(number: number, request: RecordedRequest(request, scrubber))
        switch outcome {
        case .success(let response): self.response = RecordedResponse(response, scrubber)
        case .failure(let error): failure = Failed(error, scrubber)
        }
    }

    fileprivate func write(to path: String) throws(RecordingError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try replacePrivateFile(path, Array(encoder.encode(self)) + [UInt8(ascii: "\n")])
        } catch let failure as FileFailure {
            throw .notWritable(path: path, reason: failure.systemReason)
        } catch {
            throw .notWritable(path: path, reason: "the exchange cannot be written as JSON")
        }
    }
}

extension Exchange.RecordedRequest {
    init(_ request: Request, _ scrubber: Scrubber) {
        self.init(
            method: request.method.rawValue, address: scrubber.scrubbed(request.address.text),
            headers: scrubber.scrubbed(request.headers), body: RecordedBody(scrubber.scrubbed(request.body)))
    }
}

extension Exchange.RecordedResponse {
    fileprivate init(_ response: Response, _ scrubber: Scrubber) {
        self.init(
            status: response.status, address: scrubber.scrubbed(response.address.text),
            httpVersion: response.httpVersion, headers: scrubber.scrubbed(response.headers),
            body: RecordedBody(scrubber.scrubbed(response.body)))
    }
}

extension Exchange.Failed {
    fileprivate init(_ error: TransportError, _ scrubber: Scrubber) {
        self.init(
            kind: error.kind.rawValue, doing: error.doing, text: scrubber.scrubbed(error.text),
            code: error.code,
            status: error.status)
    }
}
