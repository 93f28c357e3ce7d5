import Diagnostics
import Files

/// A link of a page to a file that is no page.
struct LostLink {
    /// The address as it is written.
    let link: String
    /// The file with the link, from the content folder.
    let file: String
    let line: Int?
    /// The file that it leads to, from the content folder; nil when that is outside.
    let target: String?

    /// What is said of it.
    ///
    /// - Parameters:
    ///   - folder: the content folder, as messages name it.
    ///   - pages: the files of all pages, from that folder.
    func problem(in folder: String, pages: [String]) -> Diagnostic {
        .warning(
            "content.page-link", "Link '\(printable(link))' leads to no page",
            at: .file(path: "\(folder)/\(file)", line: line), hints: [hint(folder, pages)])
    }

    private func hint(_ folder: String, _ pages: [String]) -> String {
        guard let target else {
            return "write the path from this file to that of a page, such as 'guide.md', or a whole URL"
        }
        let place = "\(folder)/\(target)"
        let parts = parts(of: target)
        if parts.count > 1, ContentFolder.reserved.contains(parts[0]) {
            return "link to a page elsewhere: no file of content is one below '\(parts[0])/'"
        }
        if pathKind(place) == .file {
            return missingSection(of: parts, in: folder).map {
                "add '\(printable($0))': a folder without it holds no pages"
            } ?? "link to another file: this one is no page"
        }
        if let near = nearestName(to: target, among: pages) {
            return "did you mean '\(printable(path(to: near)))'?"
        }
        return "correct the path, or create '\(printable(place))'"
    }

    /// The first file that is missing for a file to be a page; nil where nothing makes it one.
    private func missingSection(of target: [String], in folder: String) -> String? {
        guard target.first != "notes", target.last != "README.md" else { return nil }
        let folders = target.dropLast()
        return folders.indices.filter { $0 > 0 || folders[$0] != "pages" }
            .map { "\(folder)/\(folders[...$0].joined(separator: "/"))/index.md" }
            .first { pathKind($0) != .file }
    }

    /// The path of another file, from this one.
    private func path(to other: String) -> String {
        let (here, there) = (parts(of: file).dropLast(), parts(of: other))
        let common = zip(here, there.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: here.count - common)
        return (up + there.dropFirst(common)).joined(separator: "/")
    }

    private func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
