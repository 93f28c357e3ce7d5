import Diagnostics
import Foundation
import Transport

/// Decodes the answers of one endpoint, and says in people's words what is wrong with them.
///
/// The good case costs one pass of the JSON decoder. Only when something failed is the answer read a second
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
    ) throws(DecodingFailure) -> (value: Value, losses: Losses) {
        let log = LossLog(limit: Losses.most)
        let decoder = JSONDecoder()
        if let key = LossLog.key { decoder.userInfo[key] = log }
        do {
            let value = try decoder.decode(type, from: Data(bytes))
            return (value, losses(log, in: bytes))
        } catch let error as DecodingError {
            throw FailureExplainer(self, bytes: bytes).failure(of: error)
        } catch {
            throw failure("", .notJSON(.unreadable))
        }
    }

    func failure(_ path: String, _ problem: DecodingFailure.Problem) -> DecodingFailure {
        DecodingFailure(provider: provider, endpoint: endpoint, path: path, problem: problem)
    }

    private func losses(_ log: LossLog, in bytes: [UInt8]) -> Losses {
        var losses = Losses(provider: provider, endpoint: endpoint)
        let (kept, leftOut) = log.contents
        lazy var explainer = FailureExplainer(self, bytes: bytes)
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
