package import Analysis
package import AppHealth
import Configuration
package import Diagnostics
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
                guard link[..<end].hasSuffix(".md") else { return nil }
                let target = pathOfLink(link[..<end], from: file)
                if let path = target.flatMap({ pages[$0] }) {
                    return path.stem(from: page) + ending + link[end...]
                }
                if lost.count < Self.mostLost, isRelative(link[..<end]),
                    !lost.contains(where: { $0.link == link }),
                    !isOfSite(link[..<end], on: page, pages: pages.values, keep: keep)
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
        return (lines.firstIndex { $0.contains("](\(link)") } ?? lines.firstIndex { $0.contains(link) })
            .map { firstLine + $0 }
    }
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
    return isKept || ContentFolder.reserved.contains(String(first))
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

/// Reads `mutes.yml` in the folder of the owner's pages; a file that is missing has no mutes.
///
/// - Parameters:
///   - name: the folder as messages and pages show it, so that no page reports where it lies on this machine.
///   - apps: the apps of the configuration.
package func readMutesFile(
    in folder: String, shownAs name: String, apps: [Slug]
) -> ([Mute], [Diagnostic]) {
    let file = folder + "/mutes.yml"
    do throws(FileFailure) {
        guard try knownKind(file) != .missing else { return ([], []) }
        let bytes = try readFile(file, limit: 4 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return (
                [],
                [
                    .usage(
                        "config.not-utf8", "Mutes are not UTF-8 text", at: .file(path: file),
                        hints: ["save the file as UTF-8"])
                ]
            )
        }
        return readMutes(text, path: name + "/mutes.yml", apps: apps)
    } catch {
        return ([], [error.diagnostic])
    }
}

/// The owner's texts with what their fences show, gathered app by app while a site is built.
struct LiveContent: Sendable {
    /// The pages with their blocks.
    private(set) var pages: [(page: ContentFolder.Page, blocks: LiveBlocks)]
    /// What is wrong with notes.
    private(set) var noteProblems: [Diagnostic] = []
    private var index: LiveBlocks
    private var methodsBlocks: LiveBlocks
    private let content: ContentFolder

    /// Nothing is gathered yet.
    init(_ content: ContentFolder) {
        self.content = content
        pages = content.pages.map { ($0, LiveBlocks($0.path, fences: $0.text.fences)) }
        index = LiveBlocks(.portfolio, fences: content.introduction?.fences ?? [])
        methodsBlocks = LiveBlocks(.methods, fences: content.methods?.fences ?? [])
    }

    /// The words for the entry page.
    var introduction: ContentBody? {
        index.introduction(content.introduction?.source, markdown: content.introduction?.markdown)
    }

    /// The words for the methods page.
    var methods: ContentBody? {
        methodsBlocks.introduction(content.methods?.source, markdown: content.methods?.markdown)
    }

    /// The blocks of the entry page.
    var entryBlocks: LiveBlocks { index }

    /// Whether any text requests something about an app.
    func requests(_ app: Slug) -> Bool {
        pages.contains { $0.blocks.requests(app) } || index.requests(app) || methodsBlocks.requests(app)
    }

    /// Gathers what is requested about an app.
    mutating func gather(from analysis: AppAnalysis) {
        for page in pages.indices { pages[page].blocks.gather(from: analysis) }
        index.gather(from: analysis)
        methodsBlocks.gather(from: analysis)
    }

    /// Adds what is wrong with notes on an app.
    mutating func add(_ problems: [Diagnostic]) { noteProblems += problems }

    /// Gathers what is requested about all apps together.
    ///
    /// - Throws: what fences request that is unknown; no page of the site then takes its place.
    mutating func finish(with digests: [AppSummaryRow]) throws(Diagnostics) {
        for page in pages.indices { pages[page].blocks.gather(from: digests) }
        index.gather(from: digests)
        methodsBlocks.gather(from: digests)
        let problems = pages.flatMap(\.blocks.problems) + index.problems + methodsBlocks.problems
        if !problems.isEmpty { throw Diagnostics(problems) }
    }
}
