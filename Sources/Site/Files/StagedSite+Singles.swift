import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages

extension StagedSite {
    /// Puts the bytes of a file.
    func put(_ bytes: [UInt8], _ path: String) throws(Diagnostics) -> Tally {
        do throws(FileFailure) {
            try write(path, bytes)
            return Tally(files: 1, bytes: bytes.count)
        } catch {
            throw Diagnostics([error.diagnostic])
        }
    }

    /// Makes the overview of an app; returns also what a later build makes it from.
    func putFront(
        _ overview: Overview, _ reader: AppReader, _ markdownWriter: MarkdownPageWriter
    ) throws(Diagnostics) -> (Tally, FrontPage?) {
        let (templates, facts) = (reader.templates, reader.input.facts)
        let path = SitePath.app(overview.facts.app.id)
        var bytes = ByteWriter(capacity: 1 << 14)
        let page = overviewFile(overview, templates, facts).prepare().make(markdownWriter, &bytes)
        if let fault = page.fault { throw Diagnostics([fault]) }
        var tally = Tally(pages: 1, failedChecks: page.failedChecks)
        tally.mainPages[path] = page.source
        for file in page.files { tally += try put(file.bytes, file.path) }
        let isKept = reader.input.keeping != nil
        return (tally, isKept ? FrontPage(page, overview, templates, facts, markdownWriter) : nil)
    }

    /// Fills the gaps of the overview of an app whose pages are kept.
    func put(
        _ front: FrontPage, _ row: Overview, _ markdownWriter: MarkdownPageWriter
    ) throws(Diagnostics) -> Tally {
        let (path, texts) = (SitePath.app(row.facts.app.id), row.instantTexts)
        var tally = Tally(pages: 1)
        tally.mainPages[path] = front.source.filled(texts)
        for file in front.files(texts, at: path, markdownWriter) {
            tally += try put(file.bytes, file.path)
        }
        return tally
    }

    /// The feeds of an app.
    func putFeeds(
        of app: App, _ items: [FeedItem], _ facts: SiteFacts
    ) throws(Diagnostics) -> Tally {
        let paths = feedFiles(of: app.id)
        return try put(atomBytes(items, title: app.name, at: paths[0], site: facts), paths[0])
            + put(jsonFeedBytes(items, title: app.name, at: paths[1], site: facts), paths[1])
    }

    /// The badge of an app, drawn and as data.
    func putBadge(_ row: Overview) throws(Diagnostics) -> Tally {
        let badge = BadgeDocument(row.last, row.stability, row.facts)
        let folder = SitePath.app(row.facts.app.id).folder
        return try put(Array(badge.svg.text.utf8), folder + "badge.svg")
            + put(badgeBytes(badge), folder + "badge.json")
    }

    /// The files of which a site has one: feeds, sitemap, robots, status, schemas, assets.
    func putSingles(
        _ digests: [AppSummaryRow], _ paths: [SitePath], _ assets: ThemeAssets, _ input: SiteInput
    ) throws(Diagnostics) -> Tally {
        let facts = input.facts
        var tally = Tally()
        if facts.hasApps {
            let items = feedItems(digests)
            tally += try put(
                atomBytes(items, title: facts.title, at: "feed.xml", site: facts), "feed.xml")
            tally += try put(
                jsonFeedBytes(items, title: facts.title, at: "feed.json", site: facts), "feed.json")
            for file in movedPages(sourceParts: SourceList(digests).parts.count) {
                tally += try put(file.bytes, file.path)
            }
        }
        for file in sitemapFiles(paths, site: facts) { tally += try put(file.bytes, file.name) }
        tally += try put(robotsBytes(site: facts), "robots.txt")
        tally += try put(statusBytes(digests, input.publications, site: facts), siteMarker)
        do throws(FileFailure) {
            let schemas = try schemaNames(input.schemas)
            for name in schemas {
                let bytes = try readFile((input.schemas ?? "") + "/" + name)
                try write("schema/" + name, bytes)
                tally += Tally(files: 1, bytes: bytes.count)
            }
            let index = languageModelIndex(digests, schemas, input)
            try write("llms.txt", index)
            tally += Tally(files: 1, bytes: index.count)
            for asset in assets.files {
                try write(asset.address, asset.bytes)
                tally += Tally(files: 1, bytes: asset.bytes.count)
            }
        } catch {
            throw Diagnostics([error.diagnostic])
        }
        return tally
    }
}

/// The paths of the feeds of an app.
func feedFiles(of app: Slug) -> [String] { ["feed.xml", "feed.json"].map { SitePath.app(app).folder + $0 } }

/// The names of the JSON schemas in a folder, in order; none without a folder.
func schemaNames(_ folder: String?) throws(FileFailure) -> [String] {
    guard let folder, try knownKind(folder) == .folder else { return [] }
    return try folderNames(folder).filter { $0.hasSuffix(".schema.json") }.sorted()
}
