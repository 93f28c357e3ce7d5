import AppHealth
import Configuration
package import Diagnostics
import Pages

/// What the owner of a site wrote: pages, and words for two of the site's own pages.
package struct ContentFolder: Sendable {
    /// A folder without anything.
    package init() {}

    /// A page of the owner's.
    package struct Page: Sendable {
        let path: SitePath
        let title: String
        let summary: String
        let source: String
    }

    /// The pages in the order of the navigation.
    package var pages: [Page] = []
    /// `index.md`: words for the entry page.
    package var introduction: String?
    /// `methods.md`: words for the methods page.
    package var methods: String?

    /// Names at the top of a site that are its own.
    static let reserved: Set<String> = ["apps", "assets", "health", "methods", "weeks", "404", "index"]

    /// Reads the CommonMark files of a folder and of its `pages` folder; a folder that is missing has none.
    package static func read(_ folder: String) -> (ContentFolder, [Diagnostic]) {
        var content = ContentFolder()
        var problems: [Diagnostic] = []
        var taken: Set<String> = []
        for place in ["", "pages/"] {
            guard let names = try? folderNames(folder + "/" + place) else { continue }
            for name in names where name.hasSuffix(".md") && !name.hasPrefix(".") && name != "README.md" {
                content.add("\(folder)/\(place)\(name)", named: String(name.dropLast(3)), &taken, &problems)
            }
        }
        content.pages.sort { $0.path < $1.path }
        return (content, problems)
    }

    private mutating func add(
        _ file: String, named name: String, _ taken: inout Set<String>, _ problems: inout [Diagnostic]
    ) {
        let document: ContentDocument
        do throws(FileFailure) {
            let bytes = try readFile(file, limit: 4 << 20)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                problems.append(
                    .error(
                        "content.not-utf8", "The page is not UTF-8 text", at: .file(path: file),
                        hints: ["save it as UTF-8"]))
                return
            }
            document = ContentDocument(text, path: file)
        } catch {
            problems.append(error.diagnostic)
            return
        }
        problems += document.problems
        switch name {
        case "index": introduction = document.body
        case "methods": methods = document.body
        default:
            guard let slug = Slug(name), !name.contains("."), !Self.reserved.contains(name),
                taken.insert(name).inserted
            else {
                problems.append(
                    .error(
                        "content.bad-name", "'\(printable(name)).md' cannot be a page's name",
                        at: .file(path: file),
                        hints: ["use lowercase letters, digits and '-', and a name that no other page has"]))
                return
            }
            let title = document.title ?? name
            pages.append(
                Page(
                    path: SitePath(folder: [slug]), title: title, summary: document.summary ?? title,
                    source: document.body))
        }
    }
}
