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
///   - notice: called, before anything is written, with what of the old site will be gone; and when nothing is built, with
///     what somebody put where it would have been.
/// - Throws: the diagnostics for which nothing could be built; the old site then stays.
package func buildSite(
    _ input: SiteInput, progress: @escaping @Sendable (String) -> Void = { _ in },
    notice: (Diagnostic) -> Void = { _ in },
    history: @escaping @Sendable (App) throws(Diagnostics) -> AppHistory
) async throws(Diagnostics) -> SiteOutcome {
    if let problem = input.problem { throw Diagnostics([problem]) }
    let kept = input.keeping.map { keeping in
        if case .part(let folder) = input.scope { return KeptBuild(in: SitePart.keptFolder(folder)) }
        return KeptBuild(
            keeping, output: input.output, input.outputPolicy.swap, threads: input.threads)
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
    guard let templates else {
        try refuseInterruption()
        throw Diagnostics(problems)
    }
    let staged = try single { () throws(Diagnostic) in
        try StagedSite(held, keepsEqual: input.keeping?.isFull == false)
    }
    do throws(Diagnostics) {
        // What reading the manifest took is free by now.
        cplatform_trim_memory()
        var making = SiteMaking(
            staged, AppReader(input: input, templates: templates, history: history),
            AppKeeper(digests, staged), inputs, progress)
        try await making.makeApps()
        if !input.scope.isPart { try await making.makeSitePages() }
        return try making.finish(siteInputs)
    } catch {
        let loss = staged.loss
        for late in staged.abandon() { notice(late) }
        throw loss.map { Diagnostics([$0]) } ?? error
    }
}

/// Ends a build that was asked to stop, while nothing of it is seen yet.
func refuseInterruption() throws(Diagnostics) {
    guard Task.isCancelled else { return }
    var stopped = Diagnostic.error(
        "build.interrupted", "Build interrupted; the previous site is unchanged", hints: ["run it again"])
    stopped.gravity = .nothingDone
    throw Diagnostics([stopped])
}

/// Failed checks by page, whatever thread made it.
func orderedChecks(_ failed: [Diagnostic]) -> [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> [String] {
        [diagnostic.location.map { "\($0)" } ?? "", diagnostic.id, diagnostic.summary] + diagnostic.details
    }
    return failed.sorted { key($0).lexicographicallyPrecedes(key($1)) }
}
