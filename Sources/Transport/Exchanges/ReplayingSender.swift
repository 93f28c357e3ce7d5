import Diagnostics
import Synchronization

/// Responds from a recording, without any network: the same request sent n times gets the n-th response.
///
/// Requests are the same when method, address and body are, secrets aside. It takes the client's place; leave
/// out a `ConditionalClient` that was not there when the recording was made.
package final class ReplayingSender: Sender {
    private struct Question: Hashable {
        var method: String
        var address: String
        var body: [UInt8]

        init(_ asked: Exchange.RecordedRequest) {
            (method, address, body) = (asked.method, asked.address, asked.body.bytes)
        }
    }

    private let files: [Question: [String]]
    private let asked = Mutex<[Question: Int]>([:])

    /// Reads the recording through once; the bodies are read again when they are requested.
    package init(folder: String) throws(RecordingError) {
        guard let names = try? exchangeFiles(in: folder) else { throw .notReadable(path: folder) }
        guard !names.isEmpty else { throw .empty(path: folder) }
        var numbered: [(number: Int, question: Question, path: String)] = []
        for name in names {
            let exchange = try exchange(at: "\(folder)/\(name)")
            numbered.append((exchange.number, Question(exchange.request), "\(folder)/\(name)"))
        }
        numbered.sort { ($0.number, $0.path) < ($1.number, $1.path) }
        files = numbered.reduce(into: [:]) { $0[$1.question, default: []].append($1.path) }
    }

    /// The recorded response or failure; `.notRecorded` when there is none, or none more.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        let question = Question(
            Exchange.RecordedRequest(request, Scrubber(redaction: request.redaction)))
        guard let paths = files[question] else { throw notRecorded(request, nearest(to: question)) }
        let turn = asked.withLock { asked in
            asked[question, default: 0] += 1
            return asked[question, default: 1] - 1
        }
        guard paths.indices.contains(turn) else {
            throw notRecorded(request, "recorded \(paths.count) times, requested once more")
        }
        let recorded: Exchange
        do throws(RecordingError) {
            recorded = try exchange(at: paths[turn])
        } catch {
            throw notRecorded(request, error.diagnostic.summary)
        }
        return try answer(recorded, to: request)
    }

    private func answer(_ exchange: Exchange, to request: Request) throws(TransportError) -> Response {
        guard let answered = exchange.response else { throw failure(exchange.failure, request) }
        let isSame = answered.address == exchange.request.address
        return Response(
            status: answered.status,
            headers: Headers(received: answered.headers.map { "\($0.name): \($0.value)" }),
            body: answered.body.bytes,
            address: isSame ? request.address : (try? Address(answered.address)) ?? request.address,
            httpVersion: answered.httpVersion, redaction: request.redaction)
    }

    private func failure(_ failed: Exchange.Failed?, _ request: Request) -> TransportError {
        var error = TransportError(
            failed.flatMap { TransportError.Kind(rawValue: $0.kind) } ?? .failed, request.address,
            doing: failed?.doing ?? "replaying", failed?.text ?? "", redaction: request.redaction)
        (error.code, error.status) = (failed?.code, failed?.status)
        return error
    }

    private func notRecorded(_ request: Request, _ text: String) -> TransportError {
        TransportError(
            .notRecorded, request.address, doing: "replaying a recording", text, redaction: request.redaction)
    }

    /// The recorded request with the longest common beginning and end.
    private func nearest(to question: Question) -> String {
        let candidates = files.keys.map { "\($0.method) \($0.address)" }.sorted()
        let wanted = "\(question.method) \(question.address)"
        let best = candidates.max { likeness($0, wanted) < likeness($1, wanted) }
        guard let best, best != wanted else { return "it was recorded with another body" }
        return "the nearest recorded is \(best)"
    }
}

private func likeness(_ first: String, _ second: String) -> Int {
    let beginning = zip(first.utf8, second.utf8).prefix { $0 == $1 }.count
    let end = zip(first.utf8.reversed(), second.utf8.reversed()).prefix { $0 == $1 }.count
    return beginning + end
}
