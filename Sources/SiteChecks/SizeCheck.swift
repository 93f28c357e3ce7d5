import Diagnostics
import Markup

/// Pages that are heavy with their style sheets, reported once for each kind of page. A sheet for print alone is not
/// counted: browsers show the page without waiting for it.
struct SizeCheck: SiteCheck {
    /// Bytes that a page of a kind and its style sheets may have together, not compressed. What has up to 200 rows of
    /// the data has room for about 1 kB in each.
    static func limit(of kind: String) -> Int {
        ["issues", "releases", "activity"].contains(kind) ? 260_000 : 60_000
    }

    private struct Page {
        let path: String
        let bytes: Int
        let sheets: [String]
    }

    private var pages: [Page] = []
    private var sheets: [String: Int] = [:]

    mutating func look(at file: BuiltFile) {
        if file.kind == .style { sheets[file.path] = file.bytes.count }
        guard file.kind == .html else { return }
        let links = file.tags.filter {
            $0.name == "link" && $0["rel"] == "stylesheet" && $0["media"] != "print"
        }.compactMap { $0["href"] }
        let paths = links.compactMap { LinkedFile($0, from: file.path, baseURL: nil) { _ in true }?.path }
        pages.append(Page(path: file.path, bytes: file.bytes.count, sheets: paths))
    }

    func findings() -> [Finding] {
        let heavy = pages.map { page in
            let kind = pageKind(page.path)
            return (page: page, kind: kind, size: page.sheets.reduce(page.bytes) { $0 + (sheets[$1] ?? 0) })
        }.filter { $0.size >= Self.limit(of: $0.kind) }
        let kinds = Dictionary(grouping: heavy, by: \.kind)
        return kinds.sorted { $0.key < $1.key }.compactMap { kind, group in
            guard let worst = group.max(by: { ($0.size, $1.page.path) < ($1.size, $0.page.path) }) else {
                return nil
            }
            let count = group.count == 1 ? "one page" : "\(group.count) pages"
            return Finding(
                "size",
                "Page of kind '\(kind)' has \(worst.size / 1000) kB with styles, limit \(Self.limit(of: kind) / 1000) kB; \(count)",
                in: worst.page.path, severity: .warning,
                hint: "show fewer rows, or move a part to its own page")
        }
    }
}

/// The template that a page of the site was made with, by its path; `content` for every other page.
func pageKind(_ path: String) -> String {
    let parts = path.split(separator: "/")
    switch parts.count {
    case 1: return path == "index.html" ? "portfolio" : path == "404.html" ? "not-found" : "content"
    case 2 where parts[0] == "all" || parts[0] == "groups": return "list"
    case 2: return parts[0] == "methods" || parts[0] == "sources" ? String(parts[0]) : "content"
    default: break
    }
    if parts[0] == "all" || parts[0] == "groups" { return "list" }
    guard parts[0] == "apps" else { return "content" }
    switch (parts.count, parts[2]) {
    case (3, "index.html"): return "app"
    case (4, _): return String(parts[2])
    case (5, "activity"): return "activity"
    case (5, "issues"): return parts[3].wholeMatch(of: /page-[0-9]+/) == nil ? "issue" : "issues"
    case (5, "releases"): return "release"
    case (5, "compare"): return "compare"
    case (5, "days"): return "day"
    default: return "content"
    }
}
