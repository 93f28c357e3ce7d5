package import Diagnostics
import Transport

/// Why a response, or one part of it, could not be read.
package struct DecodingFailure: Error, Hashable, Sendable {
    /// What was wrong.
    package enum Problem: Hashable, Sendable {
        /// The value is of another kind, or outside its range; `found` is a short excerpt of it.
        case mismatch(expected: String, found: String)
        /// The key is missing; `nearest` is the key that is there instead, when one is close.
        case missing(expected: String, nearest: String?)
        /// The response as a whole is not readable JSON.
        case notJSON(JSONSyntaxError)
    }

    /// What gave the text, which decides what can be done about it.
    package enum Origin: Hashable, Sendable {
        /// A service, in a form of its own.
        case service
        /// A query that the owner wrote or may write.
        case query
        /// A file of the owner.
        case file
    }

    /// The provider: `bugsnag`.
    package var provider: String
    /// The endpoint or the file, free of secrets.
    package var endpoint: String
    /// Where in the response: `groups[3].totals["sum(session)"]`; empty for the whole.
    package var path: String
    /// What was wrong.
    package var problem: Problem
    /// What gave the text.
    package var origin: Origin

    /// Makes a failure.
    package init(
        provider: String, endpoint: String, path: String, problem: Problem, origin: Origin = .service
    ) {
        self.provider = provider
        self.endpoint = endpoint
        self.path = path
        self.problem = problem
        self.origin = origin
    }
}

extension DecodingFailure: CustomStringConvertible {
    /// `timeline_points[2].total_sessions_count: expected a whole number, found "12"`.
    package var description: String {
        let text =
            switch problem {
            case .mismatch(let expected, let found): "expected \(expected), found \(found)"
            case .missing(let expected, nil): "expected \(expected), found nothing"
            case .missing(let expected, let nearest?):
                "expected \(expected), found nothing; there is '\(nearest)'"
            case .notJSON(let fault): "invalid JSON: \(fault)"
            }
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

extension DecodingFailure: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        .error(id, "\(provider): \(description)", at: location, hints: hints)
    }

    /// The same finding for a part that was skipped while the rest is.
    package var warning: Diagnostic {
        .warning(id, "\(provider): \(description)", at: location, hints: hints)
    }

    private var id: String {
        switch problem {
        case .mismatch: "decoding.mismatch"
        case .missing: "decoding.missing-key"
        case .notJSON: "decoding.not-json"
        }
    }

    private var location: Location {
        if case .notJSON(let fault) = problem, let position = fault.position {
            return .file(path: endpoint, line: position.line, column: position.column)
        }
        return .keyPath(document: endpoint, path: path)
    }

    private var hints: [String] {
        switch problem {
        case .mismatch, .missing(_, nil): [hintForValue]
        case .missing(_, let nearest?): ["rename '\(nearest)' if it was meant"]
        case .notJSON(let fault): fault.hints(isOfFile: origin == .file)
        }
    }

    /// One value of another kind is no matter of the URL.
    private var hintForValue: String {
        switch origin {
        case .file: "fix the file"
        case .query: "check what the query returns"
        case .service: path.isEmpty ? JSONSyntaxError.hintForServices : "report an API change"
        }
    }
}

/// Turns the decoder's errors into failures that say what was found, by the tokens of the response.
struct FailureExplainer {
    private let context: ResponseDecoder
    private let tape: JSONTape
    /// What keeps the response from being JSON though it could be scanned: bytes that are not UTF-8.
    private lazy var fault = context.fault(in: tape.bytes)

    init(_ context: ResponseDecoder, _ tape: JSONTape) {
        self.context = context
        self.tape = tape
    }

    mutating func failure(of error: DecodingError) -> DecodingFailure {
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

    /// That the response as a whole is not JSON.
    var failureOfText: DecodingFailure {
        mutating get { context.failure("", .notJSON(fault ?? .unreadable)) }
    }

    private func missing(_ key: String, in path: [any CodingKey]) -> DecodingFailure {
        let nearest = nearestName(to: key, among: tape.glimpse(at: path)?.keys ?? [])
        return context.failure(
            keyPathText(keyPathText(path), key: key),
            .missing(expected: "a value", nearest: nearest.map { context.redaction.masked($0) }))
    }

    private mutating func mismatch(_ expected: String, at path: [any CodingKey]) -> DecodingFailure {
        // Masked before it is cut: the cut could leave half a secret that no longer matches.
        let found: String
        switch tape.glimpse(at: path) {
        case .text(let text): found = quoted(context.redaction.masked(text), limit: 40)
        case .brokenText:
            // The decoder passes over bytes that are not UTF-8 until somebody reads the text they are in.
            if let fault {
                return context.failure(keyPathText(path), .notJSON(fault))
            }
            found = JSONGlimpse.brokenText.excerpt
        case let value?: found = value.excerpt
        case nil: found = "nothing"
        }
        return context.failure(keyPathText(path), .mismatch(expected: expected, found: found))
    }
}
