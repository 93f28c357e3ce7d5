import Files
import Foundation

/// A site that version 0.1 wrote. It has no manifest, so its files are known by what else they can be: its
/// `status.json` is in our format, each path is one that 0.1 gives, and nothing was written after the last file of
/// that build. What does not fit is taken for the owner's.
struct LegacySite: Sendable {
    private let apps: Set<String>
    private let pages: Set<String>
    private let lastWrite: Int64

    init?(_ folder: String, _ entries: [FolderEntry]) {
        // 0.1 wrote this file after all others.
        guard let last = entries.first(where: { $0.path == mainPagesFile && $0.kind == .file }),
            let bytes = try? readFile("\(folder)/\(siteMarker)", limit: 4 << 20),
            let status = try? JSONDecoder().decode(Status.self, from: Data(bytes)),
            status.format == "plimsoll-status", status.version == 1,
            let index = try? readFile("\(folder)/llms.txt", limit: 4 << 20)
        else { return nil }
        apps = Set(status.apps.map(\.id))
        pages = Set(
            String(decoding: index, as: UTF8.self).matches(of: /\]\(([a-z0-9-]+)\/index\.md\)/).map {
                String($0.1)
            })
        lastWrite = last.stamp.written
    }

    /// Whether the build made this file.
    func owns(_ entry: FolderEntry) -> Bool {
        guard entry.kind == .file else { return false }
        if isSingleFile(entry.path) { return true }
        return entry.stamp.written <= lastWrite && isPath(entry.path)
    }

    /// The report of one app in one file, which comes after the build.
    private func isSingleFile(_ path: String) -> Bool {
        path.hasSuffix(".html") && apps.contains(String(path.dropLast(5)))
    }

    private func isPath(_ path: String) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last else { return false }
        switch (parts.count, parts[0]) {
        case (1, _): return Self.top.contains(name) || isPart(name)
        case (2, "schema"): return name.hasSuffix(".schema.json")
        case (_, "assets"): return name.contains(/\.[0-9a-f]{10}(\.|$)/)
        case (2, "methods"), (2, "health"): return isPart(name)
        case (3..., "apps"): return apps.contains(parts[1]) && isPart(name)
        case (2, let page): return pages.contains(page) && isPart(name)
        default: return false
        }
    }

    /// Whether a name is one of those next to a page.
    private func isPart(_ name: String) -> Bool {
        Self.parts.contains(name) || name.wholeMatch(of: /data-[A-Za-z0-9_-]+\.csv/) != nil
            || name.wholeMatch(of: /chart-[A-Za-z0-9_.-]+\.(svg|csv)/) != nil
    }

    private static let top: Set<String> = [
        "404.html", "404.md", "robots.txt", "sitemap.xml", siteMarker, "llms.txt", mainPagesFile,
    ]
    private static let parts: Set<String> = [
        "index.html", "index.md", "data.json", "data.csv", "feed.xml", "feed.json", "badge.svg", "badge.json",
        "summary.md",
    ]
}

private struct Status: Decodable {
    struct App: Decodable { let id: String }

    let format: String
    let version: Int
    let apps: [App]
}
