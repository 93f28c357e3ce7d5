import Diagnostics
import Synchronization

/// A target that takes files one by one.
struct StoreTarget<Store: FileStore>: Target {
    let store: Store
    /// How long files are put there without a look at whether another publication has begun.
    var mostUnwatched = Duration.seconds(30)
    /// How long the list of what is there may be older than that.
    var mostUnsaved = Duration.seconds(10)

    init(_ store: Store) { self.store = store }

    var place: String { store.place }

    func served(_ file: SiteFile) -> String { store.served(file) }

    func lastPublication() async throws(Diagnostic) -> LastPublication? {
        guard let kept = try await store.readManifest() else { return nil }
        return LastPublication(
            try PublicationManifest(kept.bytes, at: store.place), revision: kept.revision)
    }

    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles {
        var foreign = try await store.foreignFiles(under: plan)
        let files = foreign.awaited.map { PublishedFile(path: $0.key, entry: $0.value) }
        foreign.add(try await changed(files))
        return foreign
    }

    func obstacles() async -> [Diagnostic] { await store.obstacles() }

    @discardableResult
    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath] {
        let hold = try store.begin(plan)
        defer { withExtendedLifetime(hold) {} }
        let log = try await PublicationLog(
            plan, at: instant, in: store, mostUnwatched: mostUnwatched, mostUnsaved: mostUnsaved)
        var kept: Set<PublishedPath> = []
        do throws(Diagnostic) {
            for (number, batch) in plan.batches.enumerated() {
                if number > 0 { try await log.refuseOther() }
                kept.formUnion(try await remove(plan.displaced(by: batch), plan, log))
                try await inLanes(batch) { upload throws(Diagnostic) in
                    try await log.begin(upload)
                    try await store.put(upload.file, of: site)
                    sent(upload)
                    try await log.note(upload)
                }
            }
            if !plan.laterRemovals.isEmpty { try await log.refuseOther() }
            kept.formUnion(try await remove(plan.laterRemovals, plan, log))
            try await log.finish()
        } catch {
            // Also when the task was canceled: what has arrived need not be sent again.
            await Task { await log.leave() }.value
            throw error
        }
        return kept.sorted()
    }

    /// Removes files that a publication put there, but none that others changed since.
    ///
    /// - Returns: those that others changed, which stay.
    /// - Throws: also when another is still there in the end, so that all of them stay in the list.
    private func remove(
        _ paths: [PublishedPath], _ plan: PublicationPlan, _ log: PublicationLog
    ) async throws(Diagnostic) -> Set<PublishedPath> {
        let files = paths.compactMap { path in
            plan.last?.manifest.files[path].map { PublishedFile(path: path, entry: $0) }
        }
        let changed = try await changed(files)
        let unchanged = files.filter { !changed.contains($0.path) }
        await log.begin(removing: unchanged.map(\.path))
        let refusal = Mutex<Diagnostic?>(nil)
        try await inLanes(groups(unchanged)) { files throws(Diagnostic) in
            let why = try await store.remove(files)
            refusal.withLock { $0 = $0 ?? why }
        }
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        return changed
    }

    private func changed(_ files: [PublishedFile]) async throws(Diagnostic) -> Set<PublishedPath> {
        let changed = Mutex<Set<PublishedPath>>([])
        try await inLanes(files) { file throws(Diagnostic) in
            if try await !store.isAsPublished(file) { _ = changed.withLock { $0.insert(file.path) } }
        }
        return changed.withLock { $0 }
    }

    /// As many files together as the place removes at once.
    private func groups(_ files: [PublishedFile]) -> [[PublishedFile]] {
        stride(from: 0, to: files.count, by: store.removalsAtOnce).map { start in
            Array(files[start...].prefix(store.removalsAtOnce))
        }
    }

    /// Does something for every element, several at a time; after a failure no other begins.
    private func inLanes<Element: Sendable>(
        _ elements: [Element], _ work: @escaping @Sendable (Element) async throws(Diagnostic) -> Void
    ) async throws(Diagnostic) {
        let progress = LaneProgress()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(store.lanes, elements.count) {
                group.addTask { await runLane(elements, progress, work) }
            }
        }
        if let failure = progress.failure { throw failure }
        if Task.isCancelled { throw interrupted }
    }
}

/// Takes one element after the other until none is left, or something has failed.
@concurrent
private func runLane<Element: Sendable>(
    _ elements: [Element], _ progress: LaneProgress,
    _ work: @escaping @Sendable (Element) async throws(Diagnostic) -> Void
) async {
    while progress.failure == nil, !Task.isCancelled, case let index = progress.next(), index < elements.count
    {
        do throws(Diagnostic) {
            try await work(elements[index])
        } catch {
            progress.fail(error)
        }
    }
}

/// What the lanes of one batch share.
private final class LaneProgress: Sendable {
    private let index = Mutex(0)
    private let first = Mutex<Diagnostic?>(nil)

    /// The first failure.
    var failure: Diagnostic? { first.withLock { $0 } }

    /// The index of the next element.
    func next() -> Int {
        index.withLock { index in
            defer { index += 1 }
            return index
        }
    }

    func fail(_ why: Diagnostic) { first.withLock { $0 = $0 ?? why } }
}

/// The run was called off.
let interrupted = Diagnostic.error(
    "publish.interrupted", "Publication interrupted; the next one completes it",
    hints: ["publish again"])
