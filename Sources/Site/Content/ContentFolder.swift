package import AppHealth
import Configuration
package import Diagnostics
import Pages

/// What the owner of a site wrote: pages, words for two of the site's own pages, and notes.
package struct ContentFolder: Sendable {
    /// A folder without anything.
    package init() {}

    /// A page of the owner's.
    package struct Page: Sendable {
        let path: SitePath
        let title: String
        let summary: String
        let order: Int?
        let isInNavigation: Bool
        let text: LiveText
    }

    /// A text with what its fences ask for.
    package struct LiveText: Sendable {
        let source: String
        let fences: [LiveFence]
    }

    /// The pages in the order of the navigation: those with an `order` first, then by address.
    package var pages: [Page] = []
    /// `index.md`: words for the entry page.
    package var introduction: LiveText?
    /// `methods.md`: words for the methods page.
    package var methods: LiveText?
    /// The notes of the folder `notes`, with their places.
    package var notes: [NoteFile] = []

    /// Names at the top of a site that are its own.
    static let reserved: Set<String> = ["apps", "assets", "health", "methods", "weeks", "404", "index"]

    /// Reads the CommonMark files of a folder, of its `pages` folder and of its `notes` folder; a folder that is
    /// missing has none.
    ///
    /// - Parameter apps: the apps of the configuration, which fences and notes may name.
    package static func read(_ folder: String, apps: [Slug] = []) -> (ContentFolder, [Diagnostic]) {
        var content = ContentFolder()
        var problems: [Diagnostic] = []
        var taken: Set<String> = []
        for place in ["", "pages/"] {
            for name in markdownNames(folder + "/" + place) {
                content.add(
                    "\(folder)/\(place)\(name).md", named: name, apps, &taken, &problems)
            }
        }
        content.pages.sort { first, second in
            (first.order ?? .max, first.path) < (second.order ?? .max, second.path)
        }
        content.addNotes(in: folder + "/notes", apps, &problems)
        return (content, problems)
    }

    private mutating func add(
        _ file: String, named name: String, _ apps: [Slug], _ taken: inout Set<String>,
        _ problems: inout [Diagnostic]
    ) {
        guard let text = readText(file, &problems) else { return }
        let document = ContentDocument(text, path: file)
        let (fences, wrong) = readFences(document.body, path: file, firstLine: document.bodyLine, apps: apps)
        let live = LiveText(source: document.body, fences: fences)
        problems += document.problems + wrong
        switch name {
        case "index": introduction = live
        case "methods": methods = live
        default:
            guard let slug = Slug(name), !name.contains("."), !Self.reserved.contains(name),
                taken.insert(name).inserted
            else {
                problems.append(
                    .usage(
                        "content.bad-name", "'\(printable(name)).md' cannot be a page's name",
                        at: .file(path: file),
                        hints: ["use lowercase letters, digits and '-', and a name that no other page has"]))
                return
            }
            let title = document.title ?? name
            pages.append(
                Page(
                    path: SitePath(folder: [slug]), title: title, summary: document.summary ?? title,
                    order: document.order, isInNavigation: document.isInNavigation, text: live))
        }
    }
}

/// The names of the Markdown files in a folder, without their ending, in byte order; none when it is missing.
func markdownNames(_ folder: String) -> [String] {
    let names = (try? folderNames(folder)) ?? []
    return names.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") && $0 != "README.md" }.map {
        String($0.dropLast(3))
    }
}

/// The text of a file of the owner's; nil when it cannot be had, which is told.
func readText(_ file: String, _ problems: inout [Diagnostic]) -> String? {
    do throws(FileFailure) {
        if let text = String(validating: try readFile(file, limit: 4 << 20), as: UTF8.self) { return text }
        problems.append(
            .usage(
                "content.not-utf8", "The page is not UTF-8 text", at: .file(path: file),
                hints: ["save it as UTF-8"]))
    } catch {
        problems.append(error.diagnostic)
    }
    return nil
}
