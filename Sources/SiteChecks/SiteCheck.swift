package import Analysis
package import Diagnostics
import Files
import Markup
package import Site

/// One thing that is checked in a built site: it sees every file once and then reports what is wrong.
protocol SiteCheck {
    mutating func look(at file: BuiltFile)
    /// What is wrong, in the order of the paths.
    func findings() -> [Finding]
}

/// Every check of a built site.
private func standardChecks(
    _ paths: [String], baseURL: String?, _ redaction: RedactionCheck
) -> [any SiteCheck] {
    [
        LinkCheck(paths: paths, baseURL: baseURL), PolicyCheck(), SizeCheck(), WellFormednessCheck(),
        ChartCheck(paths: paths), AccessibilityCheck(), redaction,
    ]
}

/// Checks every file of a built site. A file that cannot be read is reported with what the others show.
///
/// - Parameters:
///   - site: its folder.
///   - baseURL: the address it will stand at, with `/` at its end; links that begin with it lead into the site.
///     When it is not given, the sitemap gives it.
///   - audience: for whom the configuration makes the site, for one that does not say what it hides; nil without a
///     configuration.
///   - search: makes the search for what must not be shown to an audience; requested only when something is hidden.
package func checkSite(
    _ site: String, baseURL: String?, for audience: Audience? = nil,
    search: (Audience) throws(Diagnostics) -> StandingSearch? = { _ in nil }
) -> [Diagnostic] {
    let paths: [String]
    do throws(FileFailure) {
        paths = try filesBelow(site)
    } catch {
        return [error.diagnostic]
    }
    guard paths.contains("index.html") else {
        return [
            .error(
                "check.no-site", "No site in '\(printable(site))'", at: .file(path: site),
                hints: ["run 'plimsoll build' first"])
        ]
    }
    // Why one of these two cannot be read is said where all files are.
    let sitemap = try? readFile(site + "/sitemap.xml")
    let status = try? readFile("\(site)/\(siteMarker)")
    let base = baseURL ?? sitemapLocations(sitemap ?? []).compactMap(top).min { $0.count < $1.count }
    let hidden = HiddenRules(of: site, status: status, configured: audience)
    var unread = [hidden.doubt].compactMap(\.self)
    var known: StandingSearch?
    do throws(Diagnostics) {
        known = try Audience(leavingOut: hidden.rules).flatMap(search)?.of(site)
    } catch {
        unread += error.list
    }
    var checks = standardChecks(
        paths, baseURL: base, RedactionCheck(rules: hidden.rules, search: known))
    let dialect = status.map(markdownDialect(ofStatus:)) ?? .github
    for path in paths {
        do throws(FileFailure) {
            let file = try BuiltFile(
                path, of: site, dialect: dialect, isSearched: !hidden.rules.isEmpty || path == siteMarker)
            for index in checks.indices { checks[index].look(at: file) }
        } catch {
            unread.append(error.diagnostic)
        }
    }
    return diagnostics(of: checks.flatMap { $0.findings() }, in: site) + unread
}

/// The addresses that a sitemap lists.
func sitemapLocations(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "<loc>").dropFirst().map { part in
        resolvedEntities(String(part.prefix { $0 != "<" }))
    }
}

/// Whether a file lists addresses for search engines: `sitemap.xml`, or one of those that it names.
func isSitemap(_ path: String) -> Bool {
    path == "sitemap.xml" || path.hasPrefix("sitemap-") && path.hasSuffix(".xml")
}

/// The folder of an entry page, or of the first part of a sitemap.
private func top(_ address: String) -> String? {
    for name in ["index.html", "sitemap-1.xml"] where address.hasSuffix("/" + name) {
        return String(address.dropLast(name.count))
    }
    return nil
}

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

/// The findings as diagnostics: a fault that a template repeats on every page is reported once, with the first places.
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
