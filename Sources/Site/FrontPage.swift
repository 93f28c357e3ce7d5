import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages

/// The overview of an app as files. It alone of the app's pages shows the instant of the report, for which there are gaps:
/// a later build fills them, and makes no page for it.
struct FrontPage: Codable, Sendable {
    /// The files that show the instant, by their paths.
    let timed: [String: GappedText]
    /// The paths of the others.
    let plain: [String]
    /// Mismatches on it.
    let failedChecks: [Diagnostic]
    /// Its Markdown as the templates write it.
    let source: GappedText

    /// Whether the gaps are for so many texts, and the other files are among some.
    func fits(_ count: Int, among files: [String: OldSite.File]) -> Bool {
        timed.values.allSatisfy { $0.fits(count) } && source.fits(count) && plain.allSatisfy { files[$0] != nil }
    }
}

/// The overview of an app as it was made.
struct MadeFront {
    let page: FrontPage
    /// The files that do not show the instant.
    let plain: [(path: String, bytes: [UInt8])]
    /// Why the page was given up; nil when it is whole.
    let fault: Diagnostic?

    /// Makes it. In the place of each text that follows from the instant there first is a mark that no template changes:
    /// letters alone.
    init(
        _ overview: Overview, _ templates: ThemeTemplates, _ site: SiteFacts, _ writer: MarkdownPageWriter
    ) {
        let name = contentHash(Array("\(overview.facts.app.id)".utf8)).prefix(24).map(letter)
        let marks = overview.instantTexts.indices.map { place in
            "instant" + String(name) + String(contentHash(Array("\(place)".utf8)).prefix(8).map(letter))
        }
        let file = overviewFile(overview, templates, site) { $0.instantTexts = marks }
        var bytes = ByteWriter(capacity: 1 << 14)
        let made = file.prepare().make(writer, &bytes)
        let marked = marks.map { Array($0.utf8) }
        let files = made.files.map { ($0.path, $0.bytes, GappedText($0.bytes, marks: marked)) }
        page = FrontPage(
            timed: Dictionary(
                files.filter { !$0.2.gaps.isEmpty }.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first }),
            plain: files.filter(\.2.gaps.isEmpty).map(\.0), failedChecks: made.failedChecks,
            source: GappedText(made.source ?? [], marks: marked))
        plain = files.filter(\.2.gaps.isEmpty).map { ($0.0, $0.1) }
        fault = made.fault
    }
}

/// A letter for a hexadecimal digit: where numbers of a page are compared, a mark is none.
private func letter(_ digit: Character) -> Character {
    Character(Unicode.Scalar(UInt8(ascii: "g") + UInt8(digit.hexDigitValue ?? 0)))
}
