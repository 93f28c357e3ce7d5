import Analysis
import Diagnostics
import Files
import Site

/// What a built site hides, by its `status.json`, and why that is not certain.
struct HiddenRules {
    /// The rules that files are searched by.
    private(set) var rules: Set<RedactionRule>
    /// Why the site may hide more than these; nil when it says what it hides.
    private(set) var doubt: Diagnostic?

    /// - Parameters:
    ///   - site: the folder of the site.
    ///   - status: its `status.json`; nil when it is missing or cannot be read.
    ///   - configured: for whom the configuration makes it, where one is known. The rules of this audience hold as well
    ///     where the site does not say what it hides.
    init(of site: String, status: [UInt8]?, configured: Audience?) {
        let names = status.flatMap(hiddenRules(by:))
        rules = Set((names ?? []).compactMap(RedactionRule.init(rawValue:)))
        let unknown = (names ?? []).filter { RedactionRule(rawValue: $0) == nil }
        guard names == nil || !unknown.isEmpty else { return }
        rules.formUnion(configured?.rules ?? [])
        doubt = .error(
            "check.status", "Cannot tell what this site hides",
            details: [
                status == nil
                    ? "'\(siteMarker)' is missing or cannot be read"
                    : names == nil
                        ? "'\(siteMarker)' has no list 'leavesOut'"
                        : "unknown in 'leavesOut': \(unknown.map { "'\(printable($0))'" }.joined(separator: ", "))",
                searched,
            ],
            at: .file(path: "\(site)/\(siteMarker)"),
            hints: [
                unknown.isEmpty
                    ? "run 'plimsoll build' again" : "check it with the version of plimsoll that built it"
            ])
    }

    private var searched: String {
        rules.isEmpty
            ? "not searched for hidden data"
            : "searched for \(RedactionRule.allCases.filter(rules.contains).map(\.words).joined(separator: ", "))"
    }
}
