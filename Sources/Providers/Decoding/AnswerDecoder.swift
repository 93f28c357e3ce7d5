import Diagnostics
import Transport

/// Decodes the answers of one endpoint, and says in people's words what is wrong with them.
///
/// The good case costs one pass over the answer. Only when something failed is the answer read a second
/// time, to find what stood in the place of what was expected.
struct AnswerDecoder {
    var provider: String
    /// The endpoint or the file, free of secrets.
    var endpoint: String
    /// Takes secrets out of what is quoted from an answer.
    var redaction = Redaction()

    /// The value with what was left out of it.
    func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(DecodingFailure) -> (value: Value, losses: SkippedValues) {
        let (value, losses, _) = try read(type, from: bytes)
        return (value, losses)
    }

    /// The value with what was left out of it, and the text as it was scanned.
    func read<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(DecodingFailure) -> (value: Value, losses: SkippedValues, tape: JSONTape) {
        let bytes = utf8(bytes)
        do {
            let tape = try JSONTape(bytes)
            return (try Value(from: TapeDecoder(tape: tape, index: 0)), losses(tape), tape)
        } catch let error as DecodingError {
            throw FailureExplainer(self, bytes: bytes).failure(of: error)
        } catch {
            throw FailureExplainer(self, bytes: bytes).failureOfText
        }
    }

    func failure(_ path: String, _ problem: DecodingFailure.Problem) -> DecodingFailure {
        DecodingFailure(provider: provider, endpoint: endpoint, path: path, problem: problem)
    }

    private func losses(_ tape: JSONTape) -> SkippedValues {
        var losses = SkippedValues(provider: provider, endpoint: endpoint)
        let (kept, leftOut) = tape.log.contents
        lazy var explainer = FailureExplainer(self, bytes: tape.bytes)
        for entry in kept {
            switch entry {
            case .element(let error): losses.add(explainer.failure(of: error).warning)
            case .cut(let path, let limit):
                losses.add(
                    .warning(
                        "decoding.text-cut", "\(provider): \(path): text was cut after \(limit) characters",
                        at: .keyPath(document: endpoint, path: path)))
            }
        }
        losses.add(uncounted: leftOut)
        return losses
    }
}
