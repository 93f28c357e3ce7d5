import Diagnostics
import Foundation

/// What `check --format json` prints.
struct CheckDocument: Encodable {
    /// Whether there is no error; warnings may stand.
    let isWell: Bool
    let errors: Int
    let warnings: Int
    /// Each kind of fault once, with the first places.
    let problems: [DoctorDocument.Problem]

    init(_ problems: [Diagnostic]) {
        errors = problems.count { $0.severity == .error }
        warnings = problems.count - errors
        isWell = errors == 0
        self.problems = problems.map(DoctorDocument.Problem.init)
    }

    /// The text, with sorted members and a line break at its end.
    func text() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(self)) ?? Data()
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
