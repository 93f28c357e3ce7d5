import Providers
import Transport

/// What a source needs to be allowed, and what of it is missing as far as the service says.
struct PermissionsReport: Sendable {
    /// What is needed, by the service's names.
    var needed: [String] = []
    /// What the credential has; nil when the service does not say.
    var granted: [String]?
    /// What is missing beyond doubt.
    var missing: [String] = []

    /// Nothing is needed.
    init() {}

    /// Compares what is needed with what the service says, or reads it from what it refused.
    init(_ terms: ServiceTerms, granted: [String]?, refused: [Response], by provider: any Provider) {
        needed = terms.permissions
        self.granted = granted
        if let granted {
            missing = missingPermissions(needed: needed, granted: granted)
        } else {
            for permission in refused.flatMap(provider.missingPermissions) where !missing.contains(permission)
            {
                missing.append(permission)
            }
        }
    }

    /// The line for a person; nil when nothing is needed.
    func line(refusals: Int) -> String? {
        guard !needed.isEmpty || !missing.isEmpty else { return nil }
        let has = granted.map { "; the token has \($0.isEmpty ? "none" : $0.joined(separator: ", "))" } ?? ""
        if !missing.isEmpty { return "missing \(missing.joined(separator: ", "))\(has)" }
        if granted != nil { return "\(needed.joined(separator: ", ")): OK" }
        let names = needed.joined(separator: ", ")
        return refusals == 0
            ? "nothing was refused (needed: \(names))" : "the service does not say which; needed: \(names)"
    }
}
