import Diagnostics
import Files
import Markup
import Site

/// Links that lead nowhere, anchors that are not there, ids that stand twice, and files that nothing leads to.
struct LinkCheck: SiteCheck {
    private struct Link {
        let from: String
        let line: Int?
        /// As it is written.
        let text: String
        let target: String
        let anchor: String?
    }

    private let paths: Set<String>
    private let baseURL: String?
    private var links: [Link] = []
    private var anchors: [String: Set<String>] = [:]
    private var faults: [Finding] = []
    /// Pages at former addresses, which are known outside the site alone.
    private var moved: Set<String> = []

    init(paths: [String], baseURL: String?) {
        self.paths = Set(paths)
        self.baseURL = baseURL
    }

    mutating func look(at file: BuiltFile) {
        var ids: Set<String> = []
        for tag in file.tags where !tag.isEnd {
            if let id = tag["id"], !ids.insert(id).inserted, file.kind != .markdown {
                faults.append(
                    Finding(
                        "duplicate-id", "The id '\(printable(id))' appears twice in one file", in: file.path,
                        line: tag.line, hint: "give each element its own id"))
            }
        }
        for tag in file.tags where !tag.isEnd {
            if tag.refreshAddress != nil { moved.insert(file.path) }
            for address in addresses(in: tag) { add(address, file, line: file.line(of: tag)) }
            for id in references(in: tag) where !ids.contains(id) {
                faults.append(
                    Finding(
                        "missing-id", "Nothing in the file has the id '\(printable(id))'", in: file.path,
                        line: file.line(of: tag), hint: "fix the id, or add it to an element"))
            }
        }
        if file.kind == .style {
            for token in styleTokens(file.bytes) where token.kind == .address {
                add(String(decoding: file.bytes[token.range], as: UTF8.self), file, line: nil)
            }
        }
        if isSitemap(file.path) {
            for address in sitemapLocations(file.bytes) { add(address, file, line: nil) }
        }
        anchors[file.path] = ids
    }

    func findings() -> [Finding] { faults + links.compactMap(fault) + orphans() }

    private mutating func add(_ text: String, _ file: BuiltFile, line: Int?) {
        guard let address = LinkedFile(text, from: file.path, baseURL: baseURL, isFile: paths.contains)
        else {
            return
        }
        guard let target = address.path else {
            faults.append(
                Finding(
                    "link", "The link '\(printable(text))' points outside the site", in: file.path,
                    line: line,
                    hint: "fix the link"))
            return
        }
        links.append(
            Link(from: file.path, line: line, text: text, target: target, anchor: address.anchor))
    }

    private func fault(_ link: Link) -> Finding? {
        guard paths.contains(link.target) else {
            return Finding(
                "link", "Broken link '\(printable(link.text))'", in: link.from, line: link.line,
                hint: link.target.hasSuffix(".html") || link.target.hasSuffix(".md")
                    ? "fix the link, or create '\(printable(link.target))'"
                    : "fix the link, or put the file there and name '\(printable(link.target))' in 'keep' of plimsoll.yml"
            )
        }
        guard let anchor = link.anchor, !anchor.isEmpty, anchor != "top", link.target.hasSuffix(".html"),
            anchors[link.target]?.contains(anchor) == false
        else { return nil }
        return Finding(
            "anchor", "Broken anchor in link '\(printable(link.text))'",
            in: link.from, line: link.line,
            hint: "fix the part after '#', or add that id to an element of '\(link.target)'")
    }

    /// The files that no way from the files known by name leads to.
    private func orphans() -> [Finding] {
        let next = Dictionary(grouping: links, by: \.from).mapValues { $0.map(\.target) }
        var waiting = Array(paths.filter(Self.wellKnown.contains).union(moved))
        var reached: Set<String> = []
        while let path = waiting.popLast() {
            if reached.insert(path).inserted { waiting += next[path] ?? [] }
        }
        // The program writes files for pages that a site without apps does not have: those of the theme, and schemas.
        let isPagesAlone = !paths.contains { $0.hasPrefix("apps/") }
        let unreached = paths.subtracting(reached).filter { path in
            !isPagesAlone || !["assets/", "schema/"].contains(where: path.hasPrefix)
        }
        return unreached.sorted().map { path in
            Finding(
                "orphan", "No page links to '\(printable(path))'", in: path, severity: .warning,
                hint: "link to it, or remove it")
        }
    }

    /// Files that visitors and programs request by name.
    private static let wellKnown: Set<String> = [
        "index.html", "404.html", "robots.txt", "sitemap.xml", "feed.xml", siteMarker, "favicon.ico",
        "404.md", "CNAME", "humans.txt", "llms.txt", SiteManifest.name,
    ]
}

/// What a tag leads to.
private func addresses(in tag: MarkupTag) -> [String] {
    [tag.refreshAddress].compactMap(\.self)
        + tag.attributes.flatMap { name, value in addresses(of: name, value) }
}

extension MarkupTag {
    /// Where a page leads that is no page of its own any more: `url=` of a `meta` element that refreshes it, with or
    /// without quotes.
    var refreshAddress: String? {
        guard name == "meta", self["http-equiv"]?.lowercased() == "refresh", let content = self["content"],
            let found = content.firstMatch(of: /(?i)\burl\s*=\s*(?:"([^"]*)|'([^']*)|(.*))/)
        else { return nil }
        return (found.1 ?? found.2 ?? found.3).map(String.init)
    }
}

/// The ids of the same file that a tag names.
private func references(in tag: MarkupTag) -> [String] {
    tag.attributes.flatMap { name, value -> [String] in
        switch name {
        case "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "for", "headers", "list":
            value.split(whereSeparator: \.isWhitespace).map(String.init)
        case "fill", "stroke", "clip-path", "mask", "filter":
            value.hasPrefix("url(#") && value.hasSuffix(")") ? [String(value.dropFirst(5).dropLast())] : []
        default: []
        }
    }
}
