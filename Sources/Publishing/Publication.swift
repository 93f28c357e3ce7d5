package import Diagnostics
import Synchronization

/// How a site is published.
package struct PublicationOptions: Sendable {
    /// The instant of the publication, as `2026-11-20T06:00:00Z`.
    package var instant: String
    /// The most files to remove, in percent of those that are there; nil for any number.
    package var mostRemoved: Int?
    /// Whose site it is; nil where that is not known.
    package var project: PublishedProject?
    /// Whether files that no publication put there, and the site of another project, may be replaced.
    package var adopts = false
    /// Whether nothing is changed.
    package var isDryRun = false

    /// At most 30% are removed, and nothing of others is replaced.
    package init(at instant: String, mostRemoved: Int? = 30) {
        (self.instant, self.mostRemoved) = (instant, mostRemoved)
    }
}

/// What a publication did, or would do.
package struct PublicationOutcome: Sendable {
    /// How it ended.
    package enum State: Sendable {
        /// Everything is there.
        case published
        /// Everything was there already.
        case unchanged
        /// Nothing was changed: it was a dry run.
        case planned
        /// Something could not be done.
        case failed(Diagnostic)
    }

    /// How it ended.
    package var state: State
    /// What there was to do; nil when that could not be found out.
    package var plan: PublicationPlan?
    /// How many files arrived.
    package var sentFiles = 0
    /// The bytes of those files.
    package var sentBytes = 0
    /// What the site has dropped and is still there, as others changed it: no publication removes it any more.
    package var kept: [PublishedPath] = []
    /// What was amiss and hindered nothing.
    package var remarks: [Diagnostic] = []

    /// Nothing has arrived.
    package init(state: State) { self.state = state }

    /// Why it failed; nil when it did not.
    package var failure: Diagnostic? {
        if case .failed(let why) = state { why } else { nil }
    }

    /// How many files were removed, or would be.
    package var removedFiles: Int { (plan?.removals.count ?? 0) - kept.count }
}

/// Publishes a site to a target: only what is not there yet.
///
/// - Parameter progress: gets the number of files that have arrived, and of how many.
package func publish(
    _ site: SiteFolder, to target: any Target, _ options: PublicationOptions,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
) async -> PublicationOutcome {
    var outcome = await send(site, to: target, options, progress: progress)
    outcome.remarks = target.remarks + [keptRemark(outcome.kept, at: target.place)].compactMap(\.self)
    return outcome
}

private func send(
    _ site: SiteFolder, to target: any Target, _ options: PublicationOptions,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
) async -> PublicationOutcome {
    var outcome = PublicationOutcome(state: .planned)
    let tally = SentTally()
    do throws(Diagnostic) {
        let plan = PublicationPlan(
            site.files, over: try await target.lastPublication(), of: options.project, served: target.served)
        outcome.plan = plan
        if !plan.isEmpty, !options.adopts, let problem = plan.projectProblem(at: target.place) {
            throw problem
        }
        if let most = options.mostRemoved, let problem = plan.removalProblem(most: most, at: target.place) {
            throw problem
        }
        if let problem = site.unlistedProblem(plan.removals + plan.leaving) { throw problem }
        if plan.isEmpty {
            outcome.state = .unchanged
            return outcome
        }
        let foreign = try await target.foreignFiles(under: plan)
        try foreign.refuse(at: target.place, adopts: options.adopts)
        if options.isDryRun { return outcome }
        let count = plan.uploads.count
        outcome.kept = try await target.apply(plan, of: site, at: options.instant) { upload in
            progress(tally.add(upload), count)
        }
        outcome.state = .published
    } catch {
        outcome.state = .failed(error)
    }
    (outcome.sentFiles, outcome.sentBytes) = tally.sums
    return outcome
}

/// Names what stays though the site has dropped it; nil when there is nothing of the kind.
private func keptRemark(_ kept: [PublishedPath], at place: String) -> Diagnostic? {
    guard !kept.isEmpty else { return nil }
    let (files, verbs) =
        kept.count == 1
        ? ("1 file", "was changed there and stays") : ("\(kept.count) files", "were changed there and stay")
    return .warning(
        "publish.kept-changed", "\(files) that the site no longer has \(verbs) at \(place)",
        details: firstFive("was changed there", kept),
        hints: ["remove what must not stay there yourself: no later publication does"])
}

/// Counts the files that have arrived, from any thread.
private final class SentTally: Sendable {
    private let counted = Mutex((files: 0, bytes: 0))

    /// Files and bytes so far.
    var sums: (files: Int, bytes: Int) { counted.withLock { $0 } }

    /// Counts one more; returns how many there are.
    func add(_ upload: PublicationPlan.Upload) -> Int {
        counted.withLock { counted in
            counted.files += 1
            counted.bytes += upload.file.size
            return counted.files
        }
    }
}
