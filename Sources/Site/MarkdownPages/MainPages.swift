import AppHealth
import Files
import Markup
import Pages

/// The file that holds what the main pages of a site say.
package let mainPagesFile = "llms-full.txt"

/// The most characters of that file: about 100,000 tokens.
private let mainPagesLimit = 400_000

/// Whether a page is in that file: those of the whole site and of its owner, and of each app the overview and its
/// parts, but neither issues, releases nor days of their own.
func isMainPage(_ path: SitePath) -> Bool {
    // Most pages are deeper, and no text is split for them.
    guard path.stem.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= 3 else { return false }
    let folders = path.stem.split(separator: "/").dropLast()
    switch folders.count {
    case 0: return path == .portfolio
    case 1, 2: return !["weeks", "groups", "all"].contains(folders.first)
    case 3: return AppPart(rawValue: String(folders[2])) != nil
    default: return false
    }
}

/// What a main page says, its headings below that of the file, its links from the top of the site.
func mainPageBlocks(_ markdown: [UInt8], at path: SitePath) -> [Block] {
    compactBlocks(ofMarkdown: String(decoding: markdown, as: UTF8.self)) { addressFromTop($0, on: path) }.map
    {
        guard case .heading(let words, let level) = $0 else { return $0 }
        return .heading(words, level: level + 1)
    }
}

/// `llms-full.txt`: the main pages in one file, for programs that read, in the order of `llms.txt`.
///
/// Pages are in it as a whole. Where not all fit, those of the site come before overviews and these before the parts of
/// apps, each up to the first app whose page does not fit, and a line says that some are not there. What comes after it
/// is not even read.
func mainPagesText(
    _ pages: WaitingPages, _ digests: [AppSummaryRow], _ input: SiteInput
) throws(FileFailure) -> [UInt8] {
    let overviews = digests.map { SitePath.app($0.id) }
    let whole = [.portfolio] + input.content.pages.map(\.path) + [.methods, .sources]
    let parts = digests.flatMap { digest in
        [.issues, .releases, .usage, .activity].map { SitePath.part($0, of: digest.id) }
    }
    var choice = MainPagesChoice(room: mainPagesLimit)
    for path in whole { try choice.take(path, of: pages) }
    for path in overviews where try !choice.take(path, of: pages) { break }
    for path in parts where try !choice.take(path, of: pages) { break }
    let apps = digests.flatMap { digest in
        [SitePath.app(digest.id)]
            + [.issues, .releases, .usage, .activity].map { SitePath.part($0, of: digest.id) }
    }
    let paths = [.portfolio] + apps + input.content.pages.map(\.path) + [.methods, .sources]
    let preface: [Block] = [
        .heading([.text(input.facts.title)], level: 1),
        .lines(
            [
                [
                    .text("The main pages in one file. "), .link("llms.txt", to: "llms.txt"),
                    .text(" lists everything else: pages of issues, releases and days, data and feeds."),
                ],
                choice.isWhole ? nil : [.text(missingPages)],
            ].compactMap(\.self)),
    ]
    let texts = [documentText(preface, in: .github)] + paths.compactMap { choice.texts[$0] }
    return Array(texts.joined(separator: "\n").utf8)
}

/// The main pages that fit into one file.
private struct MainPagesChoice {
    /// What each page says.
    private(set) var texts: [SitePath: String] = [:]
    /// Whether all are there.
    private(set) var isWhole = true
    private var room: Int

    /// For what precedes the pages.
    private static let preface = 2_000

    init(room: Int) { self.room = room - Self.preface }

    /// Takes a page if there is one and it fits; false when it does not. One that is much longer as a file is not read.
    @discardableResult
    mutating func take(_ path: SitePath, of pages: WaitingPages) throws(FileFailure) -> Bool {
        guard let size = pages.size(of: path) else { return true }
        if size <= 4 * room {
            let text = documentText(mainPageBlocks(try pages.page(path), at: path), in: .github)
            if text.utf16.count < room {
                texts[path] = text
                room -= text.utf16.count + 1
                return true
            }
        }
        isWhole = false
        return false
    }
}

private let missingPages =
    "Some are missing, as this file holds at most 400,000 characters; each page has its own Markdown version."
