package import Diagnostics

/// What was left out of one answer, for the warnings of the snapshot; the rest of the answer stands.
///
/// So many are told in full, the others are counted.
package struct Losses: Sendable {
    /// How many are told of in full for each answer.
    static let most = 20

    let provider: String
    let endpoint: String
    private var kept: [Diagnostic] = []
    private var leftOut = 0

    init(provider: String, endpoint: String) {
        self.provider = provider
        self.endpoint = endpoint
    }

    /// What to tell, the count of the untold last.
    package var warnings: [Diagnostic] {
        guard leftOut > 0 else { return kept }
        let more =
            leftOut == 1 ? "1 more part of the answer was" : "\(leftOut) more parts of the answer were"
        return kept + [
            .warning(
                "decoding.more", "\(provider): \(more) left out or cut, for reasons like those listed",
                at: .keyPath(document: endpoint, path: ""))
        ]
    }

    /// Adds a finding, or counts it when there are many already.
    mutating func add(_ warning: @autoclosure () -> Diagnostic) {
        if kept.count < Self.most {
            kept.append(warning())
        } else {
            leftOut += 1
        }
    }

    /// Counts what was never described.
    mutating func add(uncounted count: Int) {
        leftOut += count
    }

    /// A value that has the right type and cannot be true.
    mutating func refuse(_ path: String, expected: String, found: String) {
        let failure = DecodingFailure(
            provider: provider, endpoint: endpoint, path: path,
            problem: .mismatch(expected: expected, found: found))
        add(failure.warning)
    }
}
