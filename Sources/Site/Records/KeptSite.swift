import AppHealth
import Files
import Pages

/// What a build leaves of a whole site, so that the next one of the same need not even begin.
struct KeptSite: Codable, Sendable {
    /// A digest of all that the site is made from; see `SiteInputs`.
    let inputs: String
    /// A digest of its manifest.
    let manifest: String
    /// What came of that build.
    let outcome: SiteOutcome
}

/// Everything that a site is made from: what its apps are made from, the instant of the report, and what is shown on the
/// pages of the whole site alone.
struct SiteInputs: Encodable {
    let shared: String
    let asOf: Instant
    let apps: [String]
    let content: [String]
    let publications: [String]
    let schemas: [String]
    let kept: [String]
    let swap: String

    init(_ input: SiteInput, shared: String, apps: [String]) throws(FileFailure) {
        (self.shared, self.apps) = (shared, apps)
        asOf = input.facts.asOf
        content = input.content.shownTexts
        publications = input.publications.map {
            "\($0.target) \($0.publishedAt?.description ?? "–") \($0.failedAt?.description ?? "–")"
        }
        var schemas: [String] = []
        for name in try schemaNames(input.schemas) {
            schemas.append("\(name) \(contentHash(try readFile((input.schemas ?? "") + "/" + name)))")
        }
        self.schemas = schemas
        kept = input.outputPolicy.kept
        swap = "\(input.outputPolicy.swap)"
    }
}

extension ContentFolder {
    /// All that pages show of it, with what a note is called; the notes themselves belong to their apps.
    fileprivate var shownTexts: [String] {
        let own = pages.flatMap { page in
            [
                page.file, page.path.stem, page.title, page.text.heading ?? "", page.summary,
                "\(page.order ?? .max)",
                "\(page.isInNavigation)", page.text.source, page.text.markdown,
            ]
        }
        let words = [introduction, methods].flatMap { text -> [String] in
            text.map { ["text", $0.heading ?? "", $0.source, $0.markdown] } ?? ["nothing"]
        }
        return own + words + [introductionTitle ?? ""] + notes.map { "\($0.app) \($0.note.id)" }
    }
}
