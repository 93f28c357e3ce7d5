import Diagnostics
import Transport

/// Turns the decoder's errors into failures that say what was found, by a second look at the answer.
struct FailureExplainer {
    private let context: AnswerDecoder
    private let bytes: [UInt8]

    init(_ context: AnswerDecoder, bytes: [UInt8]) {
        self.context = context
        self.bytes = bytes
    }

    func failure(of error: DecodingError) -> DecodingFailure {
        switch error {
        case .keyNotFound(let key, let place):
            missing(key.stringValue, in: place.codingPath)
        case .typeMismatch(let type, let place), .valueNotFound(let type, let place):
            mismatch(Expectation.words(for: type), at: place.codingPath)
        case .dataCorrupted(let place):
            if let expectation = place.underlyingError as? Expectation {
                mismatch(expectation.text, at: place.codingPath)
            } else {
                failureOfText
            }
        @unknown default:
            context.failure("", .notJSON(.unreadable))
        }
    }

    /// That the answer as a whole is not JSON.
    var failureOfText: DecodingFailure { context.failure("", .notJSON(fault ?? .unreadable)) }

    /// What keeps the answer from being JSON. Nothing of an answer that holds a secret is quoted: the excerpt
    /// could begin inside the secret, where it is not found.
    private var fault: JSONSyntaxError? {
        let fault = JSONScan.fault(in: bytes)
        guard case .syntax(_, let position)? = fault else { return fault }
        let text = String(decoding: bytes, as: UTF8.self)
        return context.redaction.masked(text) == text
            ? fault : .syntax(found: "something else", at: position)
    }

    private func missing(_ key: String, in path: [any CodingKey]) -> DecodingFailure {
        let nearest = nearestName(to: key, among: JSONGlimpse.at(path, in: bytes)?.keys ?? [])
        return context.failure(
            keyPathText(keyPathText(path), key: key),
            .missing(expected: "a value", nearest: nearest.map { context.redaction.masked($0) }))
    }

    private func mismatch(_ expected: String, at path: [any CodingKey]) -> DecodingFailure {
        // Masked before it is cut: the cut could leave half a secret that no longer matches.
        let found: String
        switch JSONGlimpse.at(path, in: bytes) {
        case .text(let text): found = quoted(context.redaction.masked(text), limit: 40)
        case .unreadable:
            // The decoder passes over bytes that are not UTF-8 until somebody asks for the text they are in.
            if let fault {
                return context.failure(keyPathText(path), .notJSON(fault))
            }
            found = JSONGlimpse.unreadable.excerpt
        case let value?: found = value.excerpt
        case nil: found = "nothing"
        }
        return context.failure(keyPathText(path), .mismatch(expected: expected, found: found))
    }
}
