import Diagnostics
import Files
import Markup
import Pages

/// Where the relative links of a note lead. A note is shown at several depths of the site, so that an address is counted
/// from its file: `../guide.md` is a page, `../pictures/map.png` a file in the folder of the site.
struct NoteLinks {
    /// Paths from the top of the site by the address as it is written; nil without any.
    private(set) var targets: [String: String]?
    /// The addresses that lead to no page, and out of the folder.
    private(set) var unknown: [String] = []

    /// - Parameters:
    ///   - file: the path of the note from the content folder.
    ///   - pages: the pages that are made of files.
    init(inCommonMark text: String, of file: String, to pages: [String: SitePath]) {
        _ = rewritingLinks(inCommonMark: text) { link in
            let end = link.firstIndex { $0 == "#" || $0 == "?" } ?? link.endIndex
            let path = link[..<end]
            guard !path.isEmpty, !path.contains(":"), !path.hasPrefix("/") else { return nil }
            let address = percentDecoded(path.utf8)[...]
            let isPage = address.hasSuffix(".md")
            let target = pathOfLink(isPage ? address : path, from: file)
            if let target, let found = isPage ? pages[target].map({ $0.stem + ".html" }) : target {
                if targets == nil { targets = [:] }
                targets?[String(link)] = found + link[end...]
            } else {
                unknown.append(String(link))
            }
            return nil
        }
    }

    /// What is said of the links that lead nowhere.
    ///
    /// - Parameters:
    ///   - lines: the lines of the note, of which the first has this number in its file.
    ///   - path: the file as messages name it.
    func problems(in lines: [Substring], from first: Int, path: String) -> [Diagnostic] {
        unknown.map { link in
            let line = indexOfLine(with: link, in: lines).map { first + $0 - lines.startIndex }
            return .warning(
                "content.note-link", "Link '\(printable(link))' of a note leads to no page",
                at: .file(path: path, line: line),
                hints: [
                    "write the path from the note to the file of a page, such as '../guide.md', or a whole URL"
                ])
        }
    }
}
