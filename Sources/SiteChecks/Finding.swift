import Diagnostics

/// What a check found at one place of a built site.
struct Finding {
    let severity: Diagnostic.Severity
    /// `check.` and the name of the fault.
    let id: String
    let summary: String
    let path: String
    let line: Int?
    let hint: String

    init(
        _ id: String, _ summary: String, in path: String, line: Int? = nil,
        severity: Diagnostic.Severity = .error, hint: String
    ) {
        self.severity = severity
        self.id = "check." + id
        self.summary = summary
        self.path = path
        self.line = line
        self.hint = hint
    }
}

/// The findings as what to tell: a fault that a template repeats on every page is told once, with the first places.
///
/// - Parameter site: the folder of the site, before the paths.
func diagnostics(of findings: [Finding], in site: String) -> [Diagnostic] {
    var order: [String] = []
    var groups: [String: [Finding]] = [:]
    for finding in findings {
        let key = finding.id + "\n" + finding.summary
        if groups[key] == nil { order.append(key) }
        groups[key, default: []].append(finding)
    }
    return order.compactMap { key in
        guard let group = groups[key], let first = group.first else { return nil }
        let more = group.dropFirst().prefix(3).map { "also in \($0.path)\($0.line.map { ":\($0)" } ?? "")" }
        let rest = group.count - 1 - more.count
        return Diagnostic(
            first.severity, id: first.id, first.summary,
            details: more + (rest > 0 ? ["and in \(rest) more places"] : []),
            location: .file(path: "\(site)/\(first.path)", line: first.line), hints: [first.hint])
    }
}
