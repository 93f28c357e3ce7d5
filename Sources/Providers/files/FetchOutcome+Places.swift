import AppHealth
import Diagnostics
import Foundation
import Transport

extension FetchOutcome {
    /// Names a local folder or file in every message as the configuration writes it, so that what is stored and
    /// published says nothing of the machine and is the same on each.
    mutating func rename(_ path: String, as shown: String) {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        let encoded = full.split(separator: "/").map { "/\(percentEncoded(String($0)))" }.joined()
        let pairs = ["file://\(encoded)", full, path].filter { !$0.isEmpty }
        func told(_ diagnostic: Diagnostic) -> Diagnostic {
            diagnostic.mapTexts { text in pairs.reduce(text) { $0.replacing($1, with: shown) } }
        }
        warnings = warnings.map(told)
        failures = failures.map { Failure(at: $0.at, why: told($0.why)) }
        for index in snapshots.indices {
            snapshots[index].warnings = snapshots[index].warnings.map(told)
        }
    }
}
