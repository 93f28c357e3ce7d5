import Markup
import Pages

extension ContentFolder {
    /// Lets links between the owner's files, such as `../guide.md#signs`, lead to the pages that are made of them:
    /// to HTML in HTML, to Markdown in Markdown. So the files read as well where they are kept.
    mutating func resolveLinks() {
        let pages = Dictionary(
            self.pages.map { ($0.file, $0.path) } + [("index.md", SitePath.portfolio)],
            uniquingKeysWith: { first, _ in first })
        for index in self.pages.indices {
            let (file, path) = (self.pages[index].file, self.pages[index].path)
            self.pages[index].text.resolveLinks(in: file, on: path, to: pages)
        }
        introduction?.resolveLinks(in: "index.md", on: .portfolio, to: pages)
        methods?.resolveLinks(in: "methods.md", on: .methods, to: pages)
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
    fileprivate mutating func resolveLinks(
        in file: String, on page: SitePath, to pages: [String: SitePath]
    ) {
        func rewritten(_ text: String, ending: String) -> String {
            rewritingLinks(inCommonMark: text) { link in
                let end = link.firstIndex(of: "#") ?? link.endIndex
                guard link[..<end].hasSuffix(".md"), let target = resolved(link[..<end], from: file),
                    let path = pages[target]
                else { return nil }
                return path.stem(from: page) + ending + link[end...]
            }
        }
        (source, markdown) = (rewritten(source, ending: ".html"), rewritten(markdown, ending: ".md"))
    }
}

/// A relative address counted from a file, as a path from the same folder as that of the file; nil when it leads out
/// of the folder or is no path.
private func resolved(_ address: Substring, from file: String) -> String? {
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
