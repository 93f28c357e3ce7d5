import Diagnostics
import Files

/// Keeps the manifest at the target true while a publication is under way, also where another one begins meanwhile.
actor PublicationLog {
    /// After so many files, or a fifth of all, the manifest is written again, so that no more are sent twice if the
    /// machine fails.
    private let interval: Int
    /// After so long it is written too, where it is small next to what was sent since: so what a slow line has brought
    /// there is known when the line breaks.
    private let mostUnsaved: Duration
    private let mostUnwatched: Duration

    private let plan: PublicationPlan
    private let store: any FileStore
    private var manifest: PublicationManifest
    /// What names the state that was written last.
    private var revision: String?
    /// Its SHA-256.
    private var digest: String
    /// When it was known to be there.
    private var seen = ContinuousClock.now
    private var unsaved = 0
    private var unsavedBytes = 0
    /// When the list was written last, and how many bytes it had.
    private var saved = ContinuousClock.now
    private var listBytes: Int
    /// Two writes at a time would each find the other's manifest there.
    private var isBusy = false
    /// What was put there, or may have been.
    private var sent: [PublishedPath: SiteFile] = [:]
    /// What was removed, or may have been.
    private var removed: Set<PublishedPath> = []

    /// Writes what may be there from now on.
    init(
        _ plan: PublicationPlan, at instant: String, in store: any FileStore, mostUnwatched: Duration,
        mostUnsaved: Duration
    ) async throws(Diagnostic) {
        (self.plan, self.store) = (plan, store)
        (self.mostUnwatched, self.mostUnsaved) = (mostUnwatched, mostUnsaved)
        interval = max(1000, plan.uploads.count / 5)
        manifest = PublicationManifest(beginning: plan, at: instant)
        let bytes = manifest.bytes
        (digest, listBytes) = (contentHash(bytes), bytes.count)
        guard case .written(let revision) = try await store.writeManifest(bytes, over: plan.last?.revision)
        else { throw overtaken(store.place) }
        self.revision = revision
    }

    /// Notes that a file is about to be put there. A machine that slept, or whose network did, looks first.
    func begin(_ upload: PublicationPlan.Upload) async throws(Diagnostic) {
        if !isBusy, seen.duration(to: .now) >= mostUnwatched { try await refuseOther() }
        sent[upload.file.path] = upload.file
    }

    /// Notes that files are about to be removed.
    func begin(removing paths: [PublishedPath]) { removed.formUnion(paths) }

    func note(_ upload: PublicationPlan.Upload) async throws(Diagnostic) {
        manifest.note(upload)
        unsaved += 1
        unsavedBytes += upload.file.size
        if unsaved >= interval || isSlow, !isBusy { try await save() }
    }

    private var isSlow: Bool {
        unsavedBytes >= listBytes * Self.leastShare && saved.duration(to: .now) >= mostUnsaved
    }

    /// How many times as many bytes as the list has are sent before it is written for the time alone.
    private static let leastShare = 4

    /// - Throws: when another publication has written its list there.
    func refuseOther() async throws(Diagnostic) {
        isBusy = true
        defer { isBusy = false }
        guard try await store.isStill(digest, revision) else { throw overtaken(store.place) }
        seen = .now
    }

    func finish() async throws(Diagnostic) {
        manifest.finish(plan)
        try await save()
    }

    /// Keeps what was done of a publication that ends too early: in its own list, or in that of the one that overtook it.
    func leave() async {
        do throws(Diagnostic) {
            if try await !isSaved() { try await addToOther() }
        } catch {}
    }

    private func save() async throws(Diagnostic) {
        guard try await isSaved() else { throw overtaken(store.place) }
    }

    /// Writes the list as it is now; false when another publication has written its own.
    private func isSaved() async throws(Diagnostic) -> Bool {
        (unsaved, unsavedBytes) = (0, 0)
        isBusy = true
        defer { isBusy = false }
        let bytes = manifest.bytes
        guard case .written(let revision) = try await store.writeManifest(bytes, over: self.revision) else {
            return false
        }
        self.revision = revision
        (digest, listBytes) = (contentHash(bytes), bytes.count)
        (seen, saved) = (.now, .now)
        return true
    }

    /// Has the list of the other publication say that it is not known what is under the names that this one touched, so
    /// that the next publication sends or removes it.
    private func addToOther() async throws(Diagnostic) {
        guard !sent.isEmpty || !removed.isEmpty else { return }
        for _ in 0..<Self.mostAttempts {
            let found = try await store.readManifest()
            let other = try found.map { found throws(Diagnostic) in
                try PublicationManifest(found.bytes, at: store.place)
            }
            let list = manifest.merged(into: other, sent: sent.values, removed: removed)
            if case .written = try await store.writeManifest(list.bytes, over: found?.revision) { return }
        }
    }

    /// How often that list is written where the other one writes it at the same moment.
    private static let mostAttempts = 5
}
