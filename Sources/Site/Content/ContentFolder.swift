package import Analysis
package import AppHealth
import Configuration
package import Diagnostics
import Files
package import Pages

/// What the owner of a site wrote: pages, words for two of the site's own pages, and notes.
package struct ContentFolder: Sendable {
    /// A folder without anything.
    package init() {}

    /// A page of the owner's.
    package struct Page: Sendable {
        /// The file, from the content folder: `providers/sentry.md`.
        let file: String
        /// Its address in the site.
        package let path: SitePath
        let title: String
        let summary: String
        let order: Int?
        let isInNavigation: Bool
        var text: LiveText
    }

    /// A text with what its fences request.
    package struct LiveText: Sendable {
        /// The text for the HTML.
        var source: String
        /// The text for the Markdown version: the same but for the links to other pages.
        var markdown: String
        let fences: [LiveFence]
        /// The line of the file on which the text begins, counted from 1.
        let firstLine: Int
        /// The heading, where the title of the page is another one.
        var heading: String?
    }

    /// The pages in the order of the navigation: those with an `order` first, then by address.
    package var pages: [Page] = []
    /// `index.md`: words for the entry page, or all of it when the site has no apps.
    package var introduction: LiveText?
    /// The title of `index.md`.
    package var introductionTitle: String?
    /// The files of the two, from the content folder.
    private(set) var introductionFile = "index.md", methodsFile = "methods.md"
    /// `methods.md`: words for the methods page.
    package var methods: LiveText?
    /// The notes of the folder `notes`, with their places.
    package var notes: [NoteFile] = []
    /// Whether the site has no other pages.
    private var isWholeSite = false

    /// Names at the top of a site that are its own.
    static let reserved: Set<String> = [
        "all", "apps", "assets", "groups", "health", "methods", "sources", "weeks", "404", "index",
    ]

    /// How many folders deep a page may lie.
    private static let deepest = 4

    /// How many characters a part of an address has at most.
    private static let longestName = 80

    /// From how many pages on the navigation is reported: each of them is linked on every page of the site.
    private static let mostInNavigation = 50

    /// Reads the CommonMark files of a folder, of its `pages` folder, of its sections and of its `notes` folder; a
    /// folder that is missing has none.
    ///
    /// A section is a folder with an `index.md`: its pages lie below its address. A folder with a `plimsoll.yml` is
    /// another site, and any other folder holds no pages.
    ///
    /// - Parameters:
    ///   - apps: the apps of the configuration, which fences and notes may name.
    ///   - isWholeSite: whether there are no other pages; `methods.md` is a page like others then.
    ///   - keep: the files and folders of the site that no build makes: links may lead to them.
    package static func read(
        _ folder: String, apps: [Slug] = [], isWholeSite: Bool = false, keep: [String] = []
    ) -> (ContentFolder, [Diagnostic]) {
        var content = ContentFolder()
        content.isWholeSite = isWholeSite
        var problems: [Diagnostic] = []
        for place in ["", "pages/"] {
            content.addPages(of: folder, in: place, [], [], apps, &problems)
        }
        content.pages.sort { first, second in
            (first.order ?? .max, first.path) < (second.order ?? .max, second.path)
        }
        let links = content.resolveLinks(in: folder, keep: keep)
        // A file that is refused is no page either, which is said of it.
        if !problems.contains(where: { $0.severity == .error }) { problems += links }
        problems += [content.crowdedNavigation(folder)].compactMap(\.self)
        content.addNotes(in: folder + "/notes", apps, &problems)
        problems += unreadNotes(in: folder + "/notes")
        return (content, problems)
    }

    private func crowdedNavigation(_ folder: String) -> Diagnostic? {
        let count = pages.count(where: \.isInNavigation)
        guard count > Self.mostInNavigation else { return nil }
        return .warning(
            "content.navigation",
            "\(count) pages of content are in the navigation, on every page of the site",
            at: .file(path: folder),
            hints: ["put pages into sections (a folder with an 'index.md'), or write 'navigation: false'"])
    }

    /// Adds the pages of a place below the content folder, and those of the sections in it.
    ///
    /// - Parameter above: where the folders are that the place is in: a link back to one of them is no section.
    private mutating func addPages(
        of folder: String, in place: String, _ section: [Slug], _ above: [String], _ apps: [Slug],
        _ problems: inout [Diagnostic]
    ) {
        let above = above + [fullPath(folder), fullPath(folder + "/" + place)]
        for name in markdownNames(folder + "/" + place, &problems) {
            add(folder, place + name + ".md", named: name, section, apps, &problems)
        }
        problems += unreadFiles(in: folder, place)
        guard section.count < Self.deepest else {
            problems += sectionNames(folder + "/" + place, &problems).map {
                tooDeep("\(folder)/\(place)\($0)")
            }
            return
        }
        for name in sectionNames(folder + "/" + place, &problems) where place + name != "pages" {
            let path = "\(folder)/\(place)\(name)"
            guard !above.contains(fullPath(path)) else {
                problems.append(leadsBack(path))
                continue
            }
            guard let slug = slug(name, in: section) else {
                problems.append(badName(path, "section", because: fault(of: name, in: section)))
                continue
            }
            addPages(of: folder, in: place + name + "/", section + [slug], above, apps, &problems)
        }
    }

    private mutating func add(
        _ folder: String, _ file: String, named name: String, _ section: [Slug], _ apps: [Slug],
        _ problems: inout [Diagnostic]
    ) {
        let path = folder + "/" + file
        guard let text = readText(path, below: folder, &problems) else { return }
        let document = ContentDocument(text, path: path)
        let (fences, wrong) = readFences(document.body, path: path, firstLine: document.bodyLine, apps: apps)
        let live = LiveText(
            source: document.body, markdown: document.body, fences: fences, firstLine: document.bodyLine,
            heading: document.heading)
        let open = problem(ofOpenBlockIn: document.body, path: path, firstLine: document.bodyLine)
        problems += document.problems + wrong + [open].compactMap(\.self)
        switch file {
        case "index.md", "pages/index.md":
            guard introduction == nil else {
                return problems.append(badName(path, "page", because: .double(introductionFile)))
            }
            (introduction, introductionTitle, introductionFile) = (live, document.title, file)
        case "methods.md" where !isWholeSite, "pages/methods.md" where !isWholeSite:
            guard methods == nil else {
                return problems.append(badName(path, "page", because: .double(methodsFile)))
            }
            (methods, methodsFile) = (live, file)
        default:
            let isIndex = name == "index"
            guard let slug = isIndex ? section.last : slug(name, in: section) else {
                return problems.append(badName(path, "page", because: fault(of: name, in: section)))
            }
            let address = SitePath(folder: isIndex ? section : section + [slug])
            if let other = pages.first(where: { $0.path == address }) {
                return problems.append(badName(path, "page", because: .double(other.file)))
            }
            let title = document.title ?? name
            pages.append(
                Page(
                    file: file, path: address, title: title, summary: document.summary ?? title,
                    order: document.order,
                    isInNavigation: document.isInNavigation ?? (isIndex || section.isEmpty), text: live))
        }
    }

    /// The part of an address that a file or a folder means; nil when the name is not fit for one or taken.
    private func slug(_ name: String, in section: [Slug]) -> Slug? {
        name.contains(".") || isTaken(name, in: section) ? nil : Slug(name)
    }

    /// Whether a page that the site makes itself has the name.
    private func isTaken(_ name: String, in section: [Slug]) -> Bool {
        section.isEmpty && Self.reserved.contains(name) && !(isWholeSite && name == "methods")
    }

    private func fault(of name: String, in section: [Slug]) -> NameFault {
        if isTaken(name, in: section) { return .taken }
        let isWord = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard isWord, !name.hasPrefix("-"), !name.isEmpty else { return .unfit }
        return name.utf8.count > Self.longestName ? .long : .device
    }
}

/// Why a file or a folder cannot be a page or a section.
private enum NameFault {
    /// It has characters that an address of a page has not.
    case unfit
    /// It has too many characters.
    case long
    /// Windows keeps it for a device, such as `con`.
    case device
    /// The site has a page of its own with the name.
    case taken
    /// Another file, named from the content folder, has the same address.
    case double(String)
}

private func badName(_ file: String, _ what: String, because fault: NameFault) -> Diagnostic {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let (reason, hint) =
        switch fault {
        case .unfit: ("", "use lowercase letters, digits and '-'")
        case .long: (": it is too long", "use at most 80 characters")
        case .device: (": Windows keeps it for a device", "use another name")
        case .taken: (": the site has its own page there", "use another name")
        case .double(let other):
            (": '\(printable(other))' has the same address", "rename or remove one of them")
        }
    return .usage(
        "content.bad-name", "'\(printable(name))' is not a valid \(what) name\(reason)",
        at: .file(path: file),
        hints: [hint])
}

private func tooDeep(_ folder: String) -> Diagnostic {
    .usage(
        "content.too-deep", "The section lies too many folders deep", at: .file(path: folder),
        hints: ["move it up: a section is at most four folders below the content folder"])
}

private func leadsBack(_ folder: String) -> Diagnostic {
    .usage(
        "content.link-circle", "The folder is a link to a folder that it is in", at: .file(path: folder),
        hints: ["remove the link, or link to another folder"])
}

/// The names of the folders in a folder that are sections, in byte order.
private func sectionNames(_ folder: String, _ problems: inout [Diagnostic]) -> [String] {
    var sections: [String] = []
    for name in names(in: folder, &problems) where !name.hasPrefix(".") {
        do throws(FileFailure) {
            let place = "\(folder)/\(name)"
            if try knownKind(place + "/index.md") != .missing,
                try knownKind(place + "/plimsoll.yml") == .missing
            {
                sections.append(name)
            }
        } catch {
            problems.append(error.diagnostic)
        }
    }
    return sections
}

/// What is in a folder; nothing when it is missing. One that cannot be listed is reported: its pages would be gone from
/// the site without a word. So would a page with a name that is no text.
private func names(in folder: String, _ problems: inout [Diagnostic]) -> [String] {
    do throws(FileFailure) {
        let contents = try FolderContents(of: folder)
        for name in contents.unreadable where name.hasSuffix(".md") && !name.hasPrefix(".") {
            let problem = FileFailure.unreadableName("\(folder)/\(name)").diagnostic
            if !problems.contains(problem) { problems.append(problem) }
        }
        return contents.names
    } catch {
        if !error.isMissing, !problems.contains(error.diagnostic) { problems.append(error.diagnostic) }
        return []
    }
}

/// The names of the Markdown files in a folder, without their ending, in byte order; none when it is missing.
func markdownNames(_ folder: String, _ problems: inout [Diagnostic]) -> [String] {
    names(in: folder, &problems).filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") && $0 != "README.md" }.map
    {
        String($0.dropLast(3))
    }
}

/// The text of a file of the owner's; nil when it is not available, which is reported.
func readText(_ file: String, below folder: String, _ problems: inout [Diagnostic]) -> String? {
    do throws(FileFailure) {
        let bytes = try readFile(file, below: folder, limit: 4 << 20)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        problems.append(
            .usage(
                "content.not-utf8", "Page is not UTF-8 text", at: .file(path: file),
                hints: ["save it as UTF-8"]))
    } catch {
        problems.append(error.diagnostic)
    }
    return nil
}

extension ContentFolder {
    /// What notes and fences speak of that an app does not have: a release, an issue or a day that is not known.
    package func problems(with analysis: AppAnalysis) -> [Diagnostic] {
        fences.filter { $0.request.app == analysis.facts.app.id }.compactMap(analysis.problem(with:))
            + noteProblems(with: analysis)
    }

    /// Whether a note or a fence speaks of an app.
    package func mentions(_ app: Slug) -> Bool {
        notes.contains { $0.app == app } || fences.contains { $0.request.app == app }
    }

    /// What the notes on an app speak of that it does not have.
    func noteProblems(with analysis: AppAnalysis) -> [Diagnostic] {
        notes.filter { $0.app == analysis.facts.app.id }.compactMap {
            analysis.problem(with: $0.note, at: $0.place)
        }
    }

    private var fences: [LiveFence] {
        ([introduction, methods].compactMap(\.self) + pages.map(\.text)).flatMap(\.fences)
    }
}

extension ContentFolder {
    /// Every text of the pages as it was written, with the names that their addresses are made of.
    var texts: [String] {
        pages.flatMap { page in
            [page.title, page.text.heading ?? "", page.summary, page.text.source, page.text.markdown]
                + page.path.folder.split(separator: "/").map(String.init)
        }
            + [
                introduction?.heading,
                introductionTitle, introduction?.source, introduction?.markdown, methods?.source,
                methods?.markdown,
            ]
            .compactMap(\.self)
    }
}
