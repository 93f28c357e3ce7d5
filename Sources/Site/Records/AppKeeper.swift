import Analysis
import AppHealth
import Diagnostics
import Files
import Pages

/// Finds out which apps of a site need no new pages, and keeps the files of those.
struct AppKeeper {
    private let input: SiteInput
    private let staged: StagedSite
    private let kept: KeptBuild?
    /// A digest of what all pages are made from; nil when it is not known.
    private let shared: String?
    init(_ digests: InputDigests, _ staged: StagedSite) {
        (input, kept, shared) = (digests.input, digests.kept, digests.shared)
        self.staged = staged
    }

    /// Where apps whose pages are made are put down for the next build; none yet.
    var noneMade: MadeApps { MadeApps(in: kept?.folder) }

    /// What the build before left of an app, when its pages are those of this report too.
    func app(_ id: Slug, _ inputs: KeptInputs?) -> KeptApp? {
        guard let inputs, input.keeping?.isFull == false,
            let app = kept?.app(id, inputs.digest, at: input.facts.asOf, files: staged.old.digest(of: id)),
            let files = try? staged.old.topFiles(of: SiteBranch(id)),
            app.fits(files, of: id, input.scope)
        else { return nil }
        return app
    }

    /// An app of one of the parts, when its pages are those of this report too.
    func app(_ id: Slug, _ inputs: KeptInputs?, in parts: [SitePart]) -> JoinedApp? {
        guard let inputs, input.keeping?.isFull == false else { return nil }
        for part in parts {
            if let app = part.app(id, inputs, at: input.facts.asOf) { return app }
        }
        return nil
    }

    /// What the build before left of the pages of an app whose figures changed; nil when nothing is kept at all.
    func pages(of id: Slug) -> OldPages? {
        guard kept != nil, shared != nil else { return nil }
        guard input.keeping?.isFull == false, let kept = kept?.pages(of: id), kept.shared == shared,
            kept.files == staged.old.digest(of: id), let pages = kept.table.pages,
            let files = try? staged.oldFiles(of: SiteBranch(id))
        else { return OldPages(pages: [:], files: [:]) }
        return OldPages(pages: pages, files: files)
    }

    /// What the build before left of the pages of the whole site; nil when nothing is kept at all.
    var sitePages: OldPages? {
        guard kept != nil, shared != nil else { return nil }
        guard input.keeping?.isFull == false, let kept = kept?.sitePages, kept.shared == shared,
            let pages = kept.table.pages, let files = try? staged.oldFiles(of: .rest),
            kept.files == digest(of: pages.files, { files[$0]?.file.digest })
        else { return OldPages(pages: [:], files: [:]) }
        return OldPages(pages: pages, files: files)
    }

    /// What the next build may keep of pages of the whole site that were just written; nil when nothing is kept at all.
    func sitePages(_ pages: [String: KeptPage]) -> KeptPages? {
        guard let shared, let files = staged.digest(of: pages.files, in: .rest),
            let table = try? KeptPageTable(pages)
        else { return nil }
        return KeptPages(shared: shared, files: files, table: table)
    }

    /// Leaves pages of the whole site for the next build.
    func keep(sitePages: KeptPages?) {
        guard let sitePages else { return }
        try? kept?.keep(sitePages: sitePages)
    }

    /// Leaves for the next build what came of this one.
    ///
    /// - Parameter manifest: A digest of the manifest of the site.
    func keep(_ outcome: SiteOutcome, of inputs: String?, manifest: String) {
        guard let kept, let inputs else { return }
        try? kept.keep(KeptSite(inputs: inputs, manifest: manifest, outcome: outcome))
    }

    /// Keeps the files of an app, but for those that show the instant of the report or the age of something.
    func reuse(_ app: KeptApp, of id: Slug) throws(Diagnostics) -> Tally {
        let plain = Set(app.plainFiles(of: id, input.scope))
        return try reported { () throws(FileFailure) in
            try staged.reuseFolders(of: SiteBranch(id), with: plain)
        }
    }
}

extension [String: KeptPage] {
    /// The paths of the files of all of them.
    fileprivate var files: [String] { values.flatMap(\.files) }
}

/// What the pages of an app are made from.
struct KeptInputs {
    /// A digest of all of it.
    let digest: String
    /// The first instant after that of the report at which the archive knows more; nil when there is none.
    let next: Instant?
}

extension KeptApp {
    /// What is kept of an app whose pages were just made.
    init(
        _ ready: ReadApp, _ row: Overview, _ front: FrontPage?, _ inputs: KeptInputs?, _ written: Tally,
        _ input: SiteInput
    ) {
        let analysis = ready.analysis
        self.init(
            mark: KeptMark(
                inputs: front == nil ? "" : inputs?.digest ?? "", from: input.facts.asOf,
                until: inputs?.next.map { min($0, analysis.changesAt) } ?? analysis.changesAt, files: ""),
            row: row, front: front, feed: analysis.feed,
            paths: ready.files.compactMap { $0.isListed ? $0.path : nil },
            pages: written.pages,
            mainPages: written.mainPages, failedChecks: written.failedChecks,
            noteProblems: input.content.noteProblems(with: analysis),
            secrets: ready.history.map {
                AudienceRedaction($0, for: input.facts.audience).sensitiveFacts(
                    of: $0, mutes: input.control.mutes)
            } ?? SensitiveFacts())
    }

    /// What is counted of its pages, without files and bytes.
    var tally: Tally {
        var tally = Tally(pages: pages)
        tally.failedChecks = failedChecks
        tally.mainPages = mainPages
        return tally
    }
}

extension AppKeeper {
    /// Leaves for the next build what it may keep. It is not needed: where nothing can be written, that build makes
    /// every page again.
    ///
    /// - Returns: where files are that somebody put into what is not kept any more.
    func keep(_ made: MadeApps, _ listing: NewListing?) -> [Diagnostic] {
        guard let kept else { return [] }
        for app in made.apps {
            if let record = made.record(of: app), !record.mark.inputs.isEmpty {
                try? kept.keep(record, id: app.id)
            } else {
                kept.removeApp(app.id)
            }
            guard let shared, let pages = made.pages(of: app) else { continue }
            try? kept.keep(KeptPages(shared: shared, files: app.files, table: pages), of: app.id)
        }
        try? listing?.keep()
        return kept.keepOnly(input.apps.map(\.app.id))
    }
}
