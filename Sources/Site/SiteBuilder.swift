import Analysis
package import AppHealth
package import Diagnostics
import Files
import Markup
import Pages
import Platform

/// Builds a whole site and puts it in the place of the old one.
///
/// Every template is resolved before any page is made. One app at a time is made into pages, while the next one is
/// read; of each only a digest is kept for the pages of the whole site.
///
/// - Parameters:
///   - history: reads what the archive knows of an app.
///   - progress: gets a line of progress as the pages of each app begin.
///   - notice: called, before anything is written, with what of the old site will be gone.
/// - Throws: the diagnostics for which nothing could be built; the old site then stays.
package func buildSite(
    _ input: SiteInput, progress: @escaping @Sendable (String) -> Void = { _ in },
    notice: (Diagnostic) -> Void = { _ in },
    history: @escaping @Sendable (App) throws(Diagnostics) -> AppHistory
) async throws(Diagnostics) -> SiteOutcome {
    if let problem = input.problem { throw Diagnostics([problem]) }
    let kept = input.keeping.map { keeping in
        if case .part(let folder) = input.scope { return KeptBuild(in: SitePart.keptFolder(folder)) }
        return KeptBuild(keeping, output: input.output, input.outputPolicy.swap)
    }
    let digests = try InputDigests(input, kept)
    let held = try single { () throws(Diagnostic) in
        try HeldSite(output: input.output, input.outputPolicy, kept)
    }
    for found in held.notices { notice(found) }
    let inputs = input.apps.map { digests.inputs(of: $0.app, $0.targets) }
    let siteInputs = try digests.siteInputs(inputs)
    if let outcome = digests.outcome(of: siteInputs, held) {
        progress("Nothing to build")
        return outcome
    }
    let (templates, problems) = ThemeTemplates.load(input.theme)
    guard let templates else { throw Diagnostics(problems) }
    let staged = try single { () throws(Diagnostic) in
        try StagedSite(held, keepsEqual: input.keeping?.isFull == false)
    }
    do throws(Diagnostics) {
        let reader = AppReader(input: input, templates: templates, history: history)
        let keeper = AppKeeper(digests, staged)
        // What reading the manifest took is free by now.
        cplatform_trim_memory()
        return try await fill(staged, reader, keeper, inputs, siteInputs, progress)
    } catch {
        let loss = staged.loss
        staged.abandon()
        throw loss.map { Diagnostics([$0]) } ?? error
    }
}

/// Does something that fails with one diagnostic.
private func single<Value>(_ work: () throws(Diagnostic) -> Value) throws(Diagnostics) -> Value {
    do throws(Diagnostic) {
        return try work()
    } catch {
        throw Diagnostics([error])
    }
}

private func fill(
    _ staged: StagedSite, _ reader: AppReader, _ keeper: AppKeeper, _ allInputs: [KeptInputs?],
    _ siteInputs: String?, _ progress: @Sendable (String) -> Void
) async throws(Diagnostics) -> SiteOutcome {
    let (input, templates) = (reader.input, reader.templates)
    var tally = Tally()
    let markdownWriter = MarkdownPageWriter(input.facts)
    var digests: [AppSummaryRow] = []
    var paths: [SitePath] = []
    var live = LiveContent(input.content)
    var secrets = SensitiveFacts()
    let parts = try input.scope.parts()
    var made = keeper.noneMade
    var mainPages = WaitingPages(in: staged.staging)
    var feed: [FeedItem] = []
    func plan(_ place: Int) -> AppPlan? {
        guard input.apps.indices.contains(place) else { return nil }
        let id = input.apps[place].app.id
        return keeper.plan(id, allInputs[place], in: parts, isRequested: live.requests(id))
    }
    var following = plan(0)
    var ahead: Result<ReadApp, Diagnostics>?
    for (place, (app, _)) in input.apps.enumerated() {
        guard let current = following else { break }
        following = plan(place + 1)
        let ready = current.reads ? try await reader.read(place, unless: ahead).get() : nil
        let readsAhead = following?.reads == true && input.threads > 1 && ready?.isLarge != true
        async let next = readsAhead ? reader.read(place + 1) : nil
        let known: KeptApp
        /// What the next build may keep of it, where that is new.
        var pages: KeptPageTable??
        switch (current, ready) {
        case (.keep(let found), _):
            progress("Keeping \(app.name)")
            known = found
            tally += try keeper.reuse(found, of: app.id)
        case (.join(let part, let found, let table), _):
            progress("Joining \(app.name)")
            known = found
            tally += try part.copy(found, of: app.id, into: staged)
            pages = .some(table)
        case (.make, nil): continue
        case (.make, let ready?):
            progress("Building \(app.name)")
            // What the analysis of a large app took on its way is free by now.
            if ready.isLarge { cplatform_trim_memory() }
            live.gather(from: ready.analysis)
            let written = try await write(
                ready.files, staged, markdownWriter, input.threads, keeper.pages(of: app.id))
            tally += Tally(files: written.files, bytes: written.bytes)
            let (front, gapped) = try putFront(ready.analysis.overview, reader, markdownWriter, staged)
            tally += front
            known = KeptApp(ready, gapped, allInputs[place], written, input)
            pages = .some(try? KeptPageTable(written.kept))
        }
        live.add(known.noteProblems)
        tally += known.tally
        let row = known.row.at(input.facts.asOf)
        if !current.reads, let front = known.front {
            tally += try put(front, row, markdownWriter, staged)
        }
        var digest = AppSummaryRow(row, feed: known.feed)
        if !input.scope.isPart {
            secrets.formUnion(known.secrets)
            if input.facts.baseURL != nil { paths += known.paths + [.app(app.id)] }
            if !current.keepsFeeds { tally += try putFeeds(of: app, digest.feed, input.facts, staged) }
            tally += try putBadge(row, staged)
        }
        digest.trimFeed(among: &feed)
        digests.append(digest)
        try put(&tally.mainPages, into: &mainPages)
        let files = try ended(SiteBranch(app.id), staged)
        if let pages { made.add(app.id, known, pages, files: files) }
        ahead = await next
    }
    if input.scope.isPart { return try finish(staged, input, keeper, siteInputs, made, digests, live, tally) }
    let muteProblems = muteProblems(input.control.mutes, digests.flatMap(\.muteUses))
    try live.finish(with: digests)
    let files = siteFiles(digests, live, input, templates)
    tally += try await write(PageList(files), staged, markdownWriter, input.threads)
    if input.facts.hasApps {
        let health = healthFile(
            digests, muteProblems, orderedChecks(tally.failedChecks), input, templates)
        tally += try await write(PageList([health]), staged, markdownWriter, input.threads)
        paths.append(health.path)
    }
    paths += files.filter(\.isListed).map(\.path)
    tally += try putSingles(digests, paths.sorted(), templates.assets, input, staged)
    try put(&tally.mainPages, into: &mainPages)
    tally += try put(try text(mainPages, digests, input), mainPagesFile, staged)
    if input.facts.audience.hidesData {
        secrets.known.insert(input.facts.title)
        progress("Checking for hidden data")
        try endAll(staged)
        try await refuseLeaks(staged, secrets, input)
    }
    return try finish(staged, input, keeper, siteInputs, made, digests, live, tally, muteProblems)
}

/// Puts what was written in the place of what was there.
private func finish(
    _ staged: StagedSite, _ input: SiteInput, _ keeper: AppKeeper, _ siteInputs: String?,
    _ made: MadeApps, _ digests: [AppSummaryRow], _ live: LiveContent, _ written: Tally,
    _ muteProblems: [Diagnostic] = []
) throws(Diagnostics) -> SiteOutcome {
    var tally = written
    try refuseInterruption()
    let apps = Set(input.apps.map { SiteBranch($0.app.id) })
    if let refusal = staged.refusal(ofLossOf: apps) { throw Diagnostics([refusal]) }
    let swapped: (manifest: SiteManifest.File, listing: NewListing?, warnings: [Diagnostic])
    do throws(Diagnostic) {
        swapped = try staged.swapIn()
    } catch {
        throw Diagnostics([error])
    }
    keeper.keep(made, swapped.listing)
    tally += Tally(files: 1, bytes: swapped.manifest.size)
    let outcome = SiteOutcome(
        output: staged.output, files: tally.files, pages: tally.pages, bytes: tally.bytes,
        apps: digests.map(AppOutcome.init), muteProblems: muteProblems, noteProblems: live.noteProblems,
        outputProblems: swapped.warnings,
        failedChecks: orderedChecks(tally.failedChecks))
    keeper.keep(outcome, of: siteInputs, manifest: "\(swapped.manifest.digest)")
    return outcome
}

/// Ends a build that was asked to stop, while nothing of it is seen yet.
private func refuseInterruption() throws(Diagnostics) {
    guard Task.isCancelled else { return }
    var stopped = Diagnostic.error(
        "build.interrupted", "Build interrupted; the previous site is unchanged", hints: ["run it again"])
    stopped.gravity = .nothingDone
    throw Diagnostics([stopped])
}

/// Failed checks by page, whatever thread made it.
private func orderedChecks(_ failed: [Diagnostic]) -> [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> [String] {
        [diagnostic.location.map { "\($0)" } ?? "", diagnostic.id, diagnostic.summary] + diagnostic.details
    }
    return failed.sorted { key($0).lexicographicallyPrecedes(key($1)) }
}

/// Makes files on several threads at once; the order has no influence on a byte.
private func write(
    _ files: PageList, _ staged: StagedSite, _ markdownWriter: MarkdownPageWriter, _ threads: Int,
    _ old: OldPages? = nil
) async throws(Diagnostics) -> Tally {
    let queue = PageQueue(files)
    let result: Result<Tally, FileFailure> = await withTaskGroup(of: Result<Tally, FileFailure>.self) {
        group in
        for _ in 0..<min(threads, max(1, files.count)) {
            group.addTask { await writePages(of: queue, staged, markdownWriter, old) }
        }
        var whole = Tally()
        var failure: FileFailure?
        for await result in group {
            switch result {
            case .success(let tally): whole += tally
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { return .failure(failure) }
        return .success(whole)
    }
    try refuseInterruption()
    switch result {
    case .success(let tally):
        if let fault = tally.fault { throw Diagnostics([fault]) }
        return tally
    case .failure(let error): throw Diagnostics([error.diagnostic])
    }
}

@concurrent
private func writePages(
    of queue: PageQueue, _ staged: StagedSite, _ markdownWriter: MarkdownPageWriter, _ old: OldPages?
) async -> Result<Tally, FileFailure> {
    var writer = ByteWriter(capacity: 1 << 16)
    var tally = Tally()
    do throws(FileFailure) {
        while let file = queue.next() {
            tally += try write(file, staged, markdownWriter, &writer, old)
            if tally.fault != nil || Task.isCancelled { break }
        }
    } catch {
        return .failure(error)
    }
    return .success(tally)
}

/// Writes the files of a page, or keeps those of an equal one of the site before.
private func write(
    _ file: PageFile, _ staged: StagedSite, _ markdownWriter: MarkdownPageWriter, _ writer: inout ByteWriter,
    _ old: OldPages?
) throws(FileFailure) -> Tally {
    let prepared = file.prepare()
    let digest = old == nil ? nil : prepared.digest?()
    if let digest, let (page, files) = old?.page(file.name, digest) {
        var tally = Tally(pages: page.isPage ? 1 : 0, files: files.count, failedChecks: page.failedChecks)
        for old in files {
            try staged.reuse(old)
            tally.bytes += old.file.size
        }
        tally.kept[file.name] = page
        return tally
    }
    let made = prepared.make(markdownWriter, &writer)
    var tally = Tally(pages: made.isPage ? 1 : 0, files: made.files.count, failedChecks: made.failedChecks)
    tally.fault = made.fault
    if let source = made.source { tally.mainPages[file.path] = source }
    for (path, bytes) in made.files {
        try staged.write(path, bytes)
        tally.bytes += bytes.count
    }
    if let digest {
        tally.kept[file.name] = KeptPage(
            digest: digest, files: made.files.map(\.path), isPage: made.isPage,
            failedChecks: made.failedChecks)
    }
    return tally
}

/// Ends what is written of an app; returns a digest of the files below its folders.
private func ended(_ branch: SiteBranch, _ staged: StagedSite) throws(Diagnostics) -> String {
    do throws(FileFailure) {
        return try staged.end(branch)
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

/// Ends all that is written: no other file is there.
private func endAll(_ staged: StagedSite) throws(Diagnostics) {
    do throws(FileFailure) {
        try staged.endAll()
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

/// Lets the main pages that were made wait.
private func put(
    _ pages: inout [SitePath: [UInt8]], into waiting: inout WaitingPages
) throws(Diagnostics) {
    do throws(FileFailure) {
        try waiting.add(pages)
        pages = [:]
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

private func text(
    _ pages: WaitingPages, _ digests: [AppSummaryRow], _ input: SiteInput
) throws(Diagnostics) -> [UInt8] {
    do throws(FileFailure) {
        return try mainPagesText(pages, digests, input)
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

private func put(_ bytes: [UInt8], _ path: String, _ staged: StagedSite) throws(Diagnostics) -> Tally {
    do throws(FileFailure) {
        try staged.write(path, bytes)
        return Tally(files: 1, bytes: bytes.count)
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

/// Makes the overview of an app; returns also what a later build makes it from.
private func putFront(
    _ overview: Overview, _ reader: AppReader, _ markdownWriter: MarkdownPageWriter, _ staged: StagedSite
) throws(Diagnostics) -> (Tally, FrontPage?) {
    let (templates, facts) = (reader.templates, reader.input.facts)
    let path = SitePath.app(overview.facts.app.id)
    var bytes = ByteWriter(capacity: 1 << 14)
    let page = overviewFile(overview, templates, facts).prepare().make(markdownWriter, &bytes)
    if let fault = page.fault { throw Diagnostics([fault]) }
    var tally = Tally(pages: 1, failedChecks: page.failedChecks)
    tally.mainPages[path] = page.source
    for file in page.files { tally += try put(file.bytes, file.path, staged) }
    let isKept = reader.input.keeping != nil
    return (tally, isKept ? FrontPage(page, overview, templates, facts, markdownWriter) : nil)
}

/// Fills the gaps of the overview of an app whose pages are kept.
private func put(
    _ front: FrontPage, _ row: Overview, _ markdownWriter: MarkdownPageWriter, _ staged: StagedSite
) throws(Diagnostics) -> Tally {
    let (path, texts) = (SitePath.app(row.facts.app.id), row.instantTexts)
    var tally = Tally(pages: 1)
    tally.mainPages[path] = front.source.filled(texts)
    for file in front.files(texts, at: path, markdownWriter) {
        tally += try put(file.bytes, file.path, staged)
    }
    return tally
}

/// The paths of the feeds of an app.
func feedFiles(of app: Slug) -> [String] { ["feed.xml", "feed.json"].map { SitePath.app(app).folder + $0 } }

private func putFeeds(
    of app: App, _ items: [FeedItem], _ facts: SiteFacts, _ staged: StagedSite
) throws(Diagnostics) -> Tally {
    let paths = feedFiles(of: app.id)
    return try put(atomBytes(items, title: app.name, at: paths[0], site: facts), paths[0], staged)
        + put(jsonFeedBytes(items, title: app.name, at: paths[1], site: facts), paths[1], staged)
}

/// The badge of an app, drawn and as data: it shows the age of its figure.
private func putBadge(_ row: Overview, _ staged: StagedSite) throws(Diagnostics) -> Tally {
    let badge = BadgeDocument(row.last, row.facts)
    let folder = SitePath.app(row.facts.app.id).folder
    return try put(Array(badge.svg.text.utf8), folder + "badge.svg", staged)
        + put(badgeBytes(badge), folder + "badge.json", staged)
}

/// The files of which a site has one: feeds, sitemap, robots, status, schemas, assets.
private func putSingles(
    _ digests: [AppSummaryRow], _ paths: [SitePath], _ assets: ThemeAssets, _ input: SiteInput,
    _ staged: StagedSite
) throws(Diagnostics) -> Tally {
    let facts = input.facts
    var tally = Tally()
    if facts.hasApps {
        let items = feedItems(digests)
        tally += try put(
            atomBytes(items, title: facts.title, at: "feed.xml", site: facts), "feed.xml", staged)
        tally += try put(
            jsonFeedBytes(items, title: facts.title, at: "feed.json", site: facts), "feed.json", staged)
    }
    tally += try put(sitemapBytes(paths, site: facts), "sitemap.xml", staged)
    tally += try put(robotsBytes(site: facts), "robots.txt", staged)
    tally += try put(statusBytes(digests, input.publications, site: facts), siteMarker, staged)
    do throws(FileFailure) {
        let schemas = try schemaNames(input.schemas)
        for name in schemas {
            let bytes = try readFile((input.schemas ?? "") + "/" + name)
            try staged.write("schema/" + name, bytes)
            tally += Tally(files: 1, bytes: bytes.count)
        }
        let index = languageModelIndex(digests, schemas, input)
        try staged.write("llms.txt", index)
        tally += Tally(files: 1, bytes: index.count)
        for asset in assets.files {
            try staged.write(asset.address, asset.bytes)
            tally += Tally(files: 1, bytes: asset.bytes.count)
        }
    } catch {
        throw Diagnostics([error.diagnostic])
    }
    return tally
}

/// The names of the JSON schemas in a folder, in order; none without a folder.
func schemaNames(_ folder: String?) throws(FileFailure) -> [String] {
    guard let folder, try knownKind(folder) == .folder else { return [] }
    return try folderNames(folder).filter { $0.hasSuffix(".schema.json") }.sorted()
}
