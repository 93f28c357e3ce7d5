import AppHealth
import Markup
import Pages

/// The file that holds what the main pages of a site say.
package let mainPagesFile = "llms-full.txt"

/// The most characters of that file: about 100,000 tokens.
private let mainPagesLimit = 400_000

/// Whether a page is in that file: those of the whole site and of its owner, and of each app the overview and its
/// parts, but neither issues, releases nor days of their own.
func isMainPage(_ path: SitePath) -> Bool {
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

/// `llms-full.txt`: the main pages in one file, for programs that read. They stand in the order of `llms.txt`, and are
/// cut at the borders of their blocks when they are too long together.
func mainPagesText(_ pages: [SitePath: [UInt8]], _ digests: [AppSummaryRow], _ input: SiteInput) -> [UInt8] {
    let apps = digests.flatMap { digest in
        [SitePath.app(digest.id)]
            + [.issues, .releases, .usage, .activity].map { SitePath.part($0, of: digest.id) }
    }
    let paths = [.portfolio] + apps + input.content.pages.map(\.path) + [.methods, .health]
    let preface: [Block] = [
        .heading([.text(input.facts.title)], level: 1),
        .lines([
            [
                .text("The main pages in one file. "), .link("llms.txt", to: "llms.txt"),
                .text(" lists everything else: pages of issues, releases and days, data and feeds."),
            ]
        ]),
    ]
    let text = fittingText(
        preface + paths.flatMap { path in pages[path].map { mainPageBlocks($0, at: path) } ?? [] },
        limit: mainPagesLimit,
        because:
            "this file holds at most 400,000 characters; each page has its own Markdown version"
    ) { documentText($0, in: .github) }
    return Array(text.text.utf8)
}
