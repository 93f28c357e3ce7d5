import Diagnostics

/// Counts, for each part that is requested issue by issue, how often it failed; reports each part once.
struct PartLog {
    /// After so many failures of one part it is not requested again in this run.
    static let patience = 3

    private struct Part {
        var name: String
        var failures = 0
        var skipped = 0
        var first: Diagnostic?
    }

    let provider: String
    private var parts: [Part] = []

    init(provider: String) {
        self.provider = provider
    }

    /// Whether the part is still worth a request.
    func isWorthRequesting(_ name: String) -> Bool {
        (parts.first { $0.name == name }?.failures ?? 0) < Self.patience
    }

    mutating func failed(_ name: String, _ why: Diagnostic) {
        change(name) { part in
            part.failures += 1
            part.first = part.first ?? why
        }
    }

    /// Counts a part that was skipped; `why` is reported unless the part itself failed before.
    mutating func skipped(_ name: String, _ why: Diagnostic?) {
        change(name) { part in
            part.skipped += 1
            part.first = part.first ?? why
        }
    }

    /// One warning for each part, in the order in which they failed first.
    var warnings: [Diagnostic] {
        parts.map { part in
            var details = part.first.map { [$0.summary] + $0.details } ?? []
            if part.skipped > 0 { details.append("skipped: \(issues(part.skipped))") }
            return .warning(
                "\(provider).part-missing",
                "\(provider): couldn't fetch \(part.name) of \(issues(part.failures + part.skipped))",
                details: details, quotes: part.first?.quotes ?? [], at: part.first?.location,
                hints: part.first?.hints ?? [])
        }
    }

    private mutating func change(_ name: String, _ body: (inout Part) -> Void) {
        if let index = parts.firstIndex(where: { $0.name == name }) {
            body(&parts[index])
        } else {
            var part = Part(name: name)
            body(&part)
            parts.append(part)
        }
    }
}

private func issues(_ count: Int) -> String { count == 1 ? "1 issue" : "\(count) issues" }
