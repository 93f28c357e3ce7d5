import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages
import Platform

/// A site while its pages are made: those of one app after the other, then those of the whole site.
struct SiteMaking {
    private let staged: StagedSite
    private let reader: AppReader
    private let keeper: AppKeeper
    /// What the pages of each app are made from.
    private let inputs: [KeptInputs?]
    private let progress: @Sendable (String) -> Void
    private let markdownWriter: MarkdownPageWriter
    private var tally = Tally()
    /// What is held of each app for the pages of the whole site.
    private var digests: [AppSummaryRow] = []
    /// The pages that the sitemap lists.
    private var paths: [SitePath] = []
    private var live: LiveContent
    private var secrets = SensitiveFacts()
    private var made: MadeApps
    private var mainPages: WaitingPages
    /// The newest events of all apps.
    private var feed: [FeedItem] = []
    private var muteNotices: [Diagnostic] = []
    /// What the next build may keep of the pages of the whole site.
    private var sitePages: KeptPages?

    private var input: SiteInput { reader.input }

    init(
        _ staged: StagedSite, _ reader: AppReader, _ keeper: AppKeeper, _ inputs: [KeptInputs?],
        _ progress: @escaping @Sendable (String) -> Void
    ) {
        (self.staged, self.reader, self.keeper) = (staged, reader, keeper)
        (self.inputs, self.progress) = (inputs, progress)
        markdownWriter = MarkdownPageWriter(reader.input.facts, literals: reader.templates.ownNumbers)
        live = LiveContent(reader.input.content)
        made = keeper.noneMade
        mainPages = WaitingPages(in: staged.staging)
    }

    /// Makes the pages of all apps, or keeps them. While those of one app are made the next one is read.
    mutating func makeApps() async throws(Diagnostics) {
        let (upcoming, readsAhead) = (
            UpcomingApps(reader, keeper, inputs, try input.scope.parts(), live), input.threads > 1
        )
        var following = await upcoming.app(0, isRead: false)
        for place in input.apps.indices {
            guard let (plan, ahead) = following else { break }
            let ready = plan.reads ? try await reader.read(place, unless: ahead).get() : nil
            async let next = readsAhead ? upcoming.app(place + 1, isRead: ready?.isLarge != true) : nil
            try end(try await take(place, plan, ready), plan)
            following = await readsAhead ? next : upcoming.app(place + 1, isRead: false)
        }
    }

    /// An app whose pages are in the new site.
    private struct TakenApp {
        let app: App
        let known: KeptApp
        /// Whether the next build has to know it again.
        let isNew: Bool
        /// Its pages, which the next build may keep.
        var pages: KeptPageTable?
    }

    private mutating func take(
        _ place: Int, _ plan: AppPlan, _ ready: ReadApp?
    ) async throws(Diagnostics) -> TakenApp {
        let app = input.apps[place].app
        switch plan {
        case .keep(let known):
            progress("Keeping \(app.name)")
            tally += try keeper.reuse(known, of: app.id)
            tally.keptPages += known.pages
            return TakenApp(app: app, known: known, isNew: false)
        case .join(let joined):
            progress("Joining \(app.name)")
            let staged = staged
            tally += try reported { () throws(FileFailure) in try joined.files.copy(into: staged) }
            return TakenApp(app: app, known: joined.app, isNew: true, pages: joined.pages)
        case .make:
            let read = if let ready { ready } else { try await reader.read(place).get() }
            return try await make(read, app, inputs[place])
        }
    }

    private mutating func make(
        _ ready: ReadApp, _ app: App, _ inputs: KeptInputs?
    ) async throws(Diagnostics) -> TakenApp {
        progress("Building \(app.name)")
        // What the analysis of a large app took on its way is free by now.
        if ready.isLarge { cplatform_trim_memory() }
        live.gather(from: ready.analysis)
        let written = try await staged.make(
            ready.files, markdownWriter, input.threads, keeper.pages(of: app.id))
        tally += Tally(keptPages: written.keptPages, files: written.files, bytes: written.bytes)
        let overview = ready.analysis.overview
        let (front, gapped) = try staged.putFront(overview, reader, markdownWriter)
        tally += front
        return TakenApp(
            app: app, known: KeptApp(ready, overview.ofRow, gapped, inputs, written, input), isNew: true,
            pages: try? KeptPageTable(written.kept))
    }

    /// Ends an app: its files that show the instant are written, and of it only what the pages of the whole site need is
    /// held.
    private mutating func end(_ taken: TakenApp, _ plan: AppPlan) throws(Diagnostics) {
        let (app, known) = (taken.app, taken.known)
        live.add(known.noteProblems)
        tally += known.tally
        let row = known.row.at(input.facts.asOf)
        if !plan.reads, let front = known.front { tally += try staged.put(front, row, markdownWriter) }
        var digest = AppSummaryRow(row, feed: known.feed)
        if !input.scope.isPart {
            secrets.formUnion(known.secrets)
            if input.facts.baseURL != nil { paths += known.paths + [.app(app.id)] }
            if !plan.keepsFeeds { tally += try staged.putFeeds(of: app, digest.feed, input.facts) }
            tally += try staged.putBadge(row)
        }
        digest.trimFeed(among: &feed)
        digests.append(digest)
        try putMainPages()
        let (staged, branch) = (staged, SiteBranch(app.id))
        let plain =
            taken.isNew ? staged.digest(of: known.plainFiles(of: app.id, input.scope), in: branch) : nil
        let files = try reported { () throws(FileFailure) in try staged.end(branch) }
        if taken.isNew { made.add(app.id, known, taken.pages, files: files, plain: plain) }
    }

    /// Lets the main pages that were made wait.
    private mutating func putMainPages() throws(Diagnostics) {
        do throws(FileFailure) {
            try mainPages.add(tally.mainPages)
            tally.mainPages = [:]
        } catch {
            throw Diagnostics([error.diagnostic])
        }
    }

    /// Makes the pages of the whole site, of which that of sources is the last: it names failed checks.
    mutating func makeSitePages() async throws(Diagnostics) {
        let (staged, templates) = (staged, reader.templates)
        muteNotices = muteProblems(input.control.mutes, digests.flatMap(\.muteUses))
        try live.finish(with: digests)
        let files = siteFiles(digests, live, input, templates)
        let written = try await staged.make(
            PageList(files), markdownWriter, input.threads, keeper.sitePages)
        tally += written
        sitePages = keeper.sitePages(written.kept)
        if input.facts.hasApps {
            let sourcesPage = sourcesFile(
                digests, muteNotices, orderedChecks(tally.failedChecks), input, templates)
            tally += try await staged.make(PageList([sourcesPage]), markdownWriter, input.threads)
            paths.append(sourcesPage.path)
        }
        paths += files.filter(\.isListed).map(\.path)
        tally += try staged.putSingles(digests, paths.sorted(), templates.assets, input)
        try putMainPages()
        let (pages, rows, input) = (mainPages, digests, input)
        let text = try reported { () throws(FileFailure) in try mainPagesText(pages, rows, input) }
        tally += try staged.put(text, mainPagesFile)
        try await refuseHidden()
    }

    private mutating func refuseHidden() async throws(Diagnostics) {
        guard input.facts.audience.hidesData else { return }
        secrets.known.insert(input.facts.title)
        progress("Checking for hidden data")
        let staged = staged
        try reported { () throws(FileFailure) in try staged.endAll() }
        try await refuseLeaks(staged, secrets, input)
    }

    /// Puts what was written in the place of what was there.
    ///
    /// - Parameter siteInputs: a digest of all that the site is made from.
    mutating func finish(_ siteInputs: String?) throws(Diagnostics) -> SiteOutcome {
        try refuseInterruption()
        let apps = Set(input.apps.map { SiteBranch($0.app.id) })
        if let refusal = staged.refusal(ofLossOf: apps, isPart: input.scope.isPart) {
            throw Diagnostics([refusal])
        }
        let swapped = try single { () throws(Diagnostic) in try staged.swapIn() }
        let late = keeper.keep(made, swapped.listing)
        keeper.keep(sitePages: sitePages)
        tally += Tally(files: 1, bytes: swapped.manifest.size)
        let outcome = SiteOutcome(
            output: staged.output, files: tally.files, pages: tally.pages, keptPages: tally.keptPages,
            bytes: tally.bytes,
            apps: digests.map(AppOutcome.init), muteProblems: muteNotices, noteProblems: live.noteProblems,
            outputProblems: swapped.warnings + late,
            failedChecks: orderedChecks(tally.failedChecks))
        keeper.keep(outcome, of: siteInputs, manifest: "\(swapped.manifest.digest)")
        return outcome
    }
}

/// The apps that are not begun.
private struct UpcomingApps: Sendable {
    private let reader: AppReader
    private let keeper: AppKeeper
    private let inputs: [KeptInputs?]
    private let parts: [SitePart]
    private let live: LiveContent

    init(
        _ reader: AppReader, _ keeper: AppKeeper, _ inputs: [KeptInputs?], _ parts: [SitePart],
        _ live: LiveContent
    ) {
        (self.reader, self.keeper, self.inputs) = (reader, keeper, inputs)
        (self.parts, self.live) = (parts, live)
    }

    /// What to do about the app at a place, and the app where it is read; nil where there is none.
    ///
    /// - Parameter isRead: whether it is read when its pages are made.
    @concurrent
    func app(_ place: Int, isRead: Bool) async -> (plan: AppPlan, read: Result<ReadApp, Diagnostics>?)? {
        guard reader.input.apps.indices.contains(place) else { return nil }
        let id = reader.input.apps[place].app.id
        let plan = keeper.plan(id, inputs[place], in: parts, isRequested: live.requests(id))
        return (plan, isRead && plan.reads ? await reader.read(place) : nil)
    }
}
