import Diagnostics
import Files
import Markup
import Pages

extension ContentFolder {
    /// Lets links between the owner's files, such as `../guide.md#signs`, lead to the pages that are made of them:
    /// to HTML in HTML, to Markdown in Markdown. So the files read as well where they are kept.
    ///
    /// - Parameters:
    ///   - folder: the content folder, as messages name it.
    ///   - keep: the files and folders of the site that no build makes.
    /// - Returns: a warning for each link to a file that is no page.
    mutating func resolveLinks(in folder: String, keep: [String]) -> [Diagnostic] {
        let pages = pathsOfFiles
        var lost: [LostLink] = []
        for index in self.pages.indices {
            let (file, path) = (self.pages[index].file, self.pages[index].path)
            lost += self.pages[index].text.resolveLinks(in: file, on: path, to: pages, keep: keep)
        }
        lost += introduction?.resolveLinks(in: introductionFile, on: .portfolio, to: pages, keep: keep) ?? []
        lost += methods?.resolveLinks(in: methodsFile, on: .methods, to: pages, keep: keep) ?? []
        let files = pages.keys.sorted()
        return lost.map { $0.problem(in: folder, pages: files) }
    }

    /// The pages that are made of files, by the path from the content folder.
    var pathsOfFiles: [String: SitePath] {
        Dictionary(
            pages.map { ($0.file, $0.path) } + [(introductionFile, SitePath.portfolio)]
                + (methods == nil ? [] : [(methodsFile, .methods)]),
            uniquingKeysWith: { first, _ in first })
    }
}

extension ContentFolder {
    /// The sections that a page lies in, the outermost first.
    func sections(above page: Page) -> [(title: String, path: SitePath)] {
        let above = pages.filter { section in
            section.path != page.path && section.file.hasSuffix("/index.md")
                && page.path.stem.hasPrefix(section.path.folder)
        }
        return above.sorted { $0.path.stem.count < $1.path.stem.count }.map { ($0.title, $0.path) }
    }
}

extension ContentFolder.LiveText {
    /// How many lost links of a page are named: more of them are one mistake.
    private static let mostLost = 20

    /// - Returns: the first links to files that are no pages, each once.
    fileprivate mutating func resolveLinks(
        in file: String, on page: SitePath, to pages: [String: SitePath], keep: [String]
    ) -> [LostLink] {
        var lost: [LostLink] = []
        func rewritten(_ text: String, ending: String) -> String {
            rewritingLinks(inCommonMark: text) { link in
                let end = link.firstIndex { $0 == "#" || $0 == "?" } ?? link.endIndex
                let address = percentDecoded(link[..<end].utf8)[...]
                guard address.hasSuffix(".md") else { return nil }
                let target = pathOfLink(address, from: file)
                if let path = target.flatMap({ pages[$0] }) {
                    return path.stem(from: page) + ending + link[end...]
                }
                if lost.count < Self.mostLost, isRelative(link[..<end]),
                    !lost.contains(where: { $0.link == link }),
                    !isOfSite(address, on: page, pages: pages.values, keep: keep)
                {
                    lost.append(
                        LostLink(link: String(link), file: file, line: line(of: link), target: target))
                }
                return nil
            }
        }
        (source, markdown) = (rewritten(source, ending: ".html"), rewritten(markdown, ending: ".md"))
        return lost
    }

    /// The line of the file that has a link.
    private func line(of link: Substring) -> Int? {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.firstIndex { $0.contains("](\(link)") } ?? indexOfLine(with: link, in: lines))
            .map { firstLine + $0 }
    }
}

/// The first line that has an address, also where that is written with entities.
func indexOfLine(with link: some StringProtocol, in lines: [Substring]) -> Int? {
    lines.firstIndex { $0.contains(link) } ?? lines.firstIndex { resolvedEntities(String($0)).contains(link) }
}

/// Whether an address is counted from where it is written.
private func isRelative(_ address: Substring) -> Bool {
    !address.isEmpty && !address.contains(":") && !address.hasPrefix("/")
}

/// Whether an address, as it is seen from a page of the site, leads to the Markdown version of one, or to what is kept.
private func isOfSite(
    _ address: Substring, on page: SitePath, pages: some Sequence<SitePath>, keep: [String]
) -> Bool {
    guard let target = pathOfLink(address, from: page.stem + ".md") else { return false }
    let first = target.prefix { $0 != "/" && $0 != "." }
    let isKept = keep.contains { target == $0 || target.hasPrefix("\($0)/") }
    // Of what is in 'assets' no address stays, as it has a digest of the file.
    return isKept || first != "assets" && ContentFolder.reserved.contains(String(first))
        || pages.contains { $0.stem + ".md" == target }
}

/// A relative address counted from a file, as a path from the same folder as that of the file; nil when it leads out
/// of the folder or is no path.
func pathOfLink(_ address: Substring, from file: String) -> String? {
    guard !address.contains(":"), !address.hasPrefix("/") else { return nil }
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in address.split(separator: "/") where part != "." {
        if part == ".." {
            guard parts.popLast() != nil else { return nil }
        } else {
            parts.append(String(part))
        }
    }
    return parts.joined(separator: "/")
}
