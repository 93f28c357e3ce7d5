package import Analysis
package import Diagnostics

extension Diagnostic {
    /// What an audience is told of a failed check: what and where, but not the values when counts are hidden.
    package func told(to audience: Audience) -> Diagnostic {
        guard audience.leavesOut else { return self }
        var told = self
        told.details = []
        return told
    }
}
