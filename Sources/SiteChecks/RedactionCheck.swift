import Analysis
import Diagnostics
import Files
import Site

/// What a site for the public must not reveal, looked for as the build looks for it.
struct RedactionCheck: SiteCheck {
    /// The kinds of thing that the site says it leaves out.
    let rules: Set<RedactionRule>
    /// What the archive knows of them; nil without an archive, when only the places for them are checked.
    let search: StandingSearch?
    private var faults: [Finding] = []

    init(rules: Set<RedactionRule>, search: StandingSearch?) {
        (self.rules, self.search) = (rules, search)
    }

    mutating func look(at file: BuiltFile) {
        // The manifest's numbers are sizes of files, and its paths are those of the site.
        guard !rules.isEmpty, file.path != SiteManifest.name,
            let leak = leak(
                in: file.bytes, of: file.path, search?.search(of: file.path, file.bytes), leavingOut: rules)
        else { return }
        faults.append(
            Finding(
                "redaction", "A file shows \(leak.fact.rule.words) hidden on this site",
                in: file.path, line: leak.line,
                hint:
                    "remove it from the content or the theme, and build again"
            ))
    }

    func findings() -> [Finding] { faults }
}
