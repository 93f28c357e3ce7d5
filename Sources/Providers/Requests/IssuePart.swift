import Diagnostics

/// How often a part that is requested issue by issue did not come.
struct IssuePart: Sendable {
    var name: String
    private(set) var failures = 0
    private var skipped = 0
    private var first: Diagnostic?

    init(name: String) {
        self.name = name
    }

    mutating func fail(because why: Diagnostic) {
        failures += 1
        first = first ?? why
    }

    /// Counts a request that was not made; its reason is reported unless the part itself failed before.
    mutating func skip(because why: Diagnostic?) {
        skipped += 1
        first = first ?? why
    }

    func warning(of provider: String) -> Diagnostic {
        var warning = Diagnostic.missingPart(
            "\(name) of \(issueCount(failures + skipped))", of: provider, because: first)
        if skipped > 0 { warning.details.append("skipped: \(issueCount(skipped))") }
        return warning
    }
}

/// `1 issue` or `7 issues`.
func issueCount(_ count: Int) -> String { count == 1 ? "1 issue" : "\(count) issues" }

extension Diagnostic {
    /// That a part did not come.
    static func missingPart(
        _ part: String, of provider: String, because why: Diagnostic?
    ) -> Diagnostic {
        .warning(
            "\(provider).part-missing", "\(provider): couldn't fetch \(part)",
            details: why.map { [$0.summary] + $0.details } ?? [], quotes: why?.quotes ?? [],
            at: why?.location,
            hints: why?.hints ?? [])
    }
}
