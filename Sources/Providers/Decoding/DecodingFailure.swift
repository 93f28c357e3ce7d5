package import Diagnostics

/// Why an answer, or one part of it, could not be read.
package struct DecodingFailure: Error, Hashable, Sendable {
    /// What was wrong.
    package enum Problem: Hashable, Sendable {
        /// The value is of another kind, or outside its range; `found` is a short excerpt of it.
        case mismatch(expected: String, found: String)
        /// The key is missing; `nearest` is the key that is there instead, when one is close.
        case missing(expected: String, nearest: String?)
        /// The answer as a whole is not readable JSON.
        case notJSON(JSONSyntaxError)
    }

    /// The provider: `bugsnag`.
    package var provider: String
    /// The endpoint or the file, free of secrets.
    package var endpoint: String
    /// Where in the answer: `groups[3].totals["sum(session)"]`; empty for the whole.
    package var path: String
    /// What was wrong.
    package var problem: Problem

    /// Makes a failure.
    package init(provider: String, endpoint: String, path: String, problem: Problem) {
        self.provider = provider
        self.endpoint = endpoint
        self.path = path
        self.problem = problem
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
            case .notJSON(let fault): "expected JSON, found \(fault)"
            }
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

extension DecodingFailure: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        .error(id, "\(provider): \(description)", at: location, hints: hints)
    }

    /// The same finding for a part that was left out while the rest stands.
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
        case .mismatch, .missing(_, nil):
            [
                "correct it where it is written; if a service sent it, its answers have changed"
            ]
        case .missing(_, let nearest?): ["rename '\(nearest)', if it was meant"]
        case .notJSON(let fault): fault.hints
        }
    }
}
