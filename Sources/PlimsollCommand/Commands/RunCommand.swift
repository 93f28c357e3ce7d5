import ArgumentParser
import Diagnostics
import Publishing
import Site

/// Fetch, build, publish and attach, for cron.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Fetch, build, publish, then attach (for cron).",
        discussion: """
            Publishes to every target in 'publish', and attaches summaries to every target in 'attach'; without \
            targets, the site folder is the result. Exit codes: 0 success; 1 the site was built and shows what failed; \
            4 nothing done, site unchanged; 5 the site was built, but not published everywhere, or not all summaries \
            were attached, also when it shows failures.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption
    @OptionGroup var fetching: FetchOptions
    @OptionGroup var options: BuildOptions

    @Flag(help: "Do not publish the site.")
    var noPublish = false

    @Flag(help: "Do not attach summaries.")
    var noAttach = false

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console, asksSources: true) { settings in
            options.apply(to: &settings)
        }
        try refuseRecording(fetching, project, configuration.file, console)
        let results = try await fetch(project, waiting: waiting.wait, exchanges: fetching.exchanges, console)
        let outcome = try await buildUnlessStopped(
            project, asOf: project.now, options, waiting: waiting.wait, console)
        let published = try await afterBuild { () async throws(ExitStatus) in
            noPublish ? [] : try await publishAfterBuild(project, console)
        }
        let attached = try await afterBuild { () async throws(ExitStatus) in
            noAttach ? [] : try await attachAfterBuild(project, waiting: waiting.wait, console)
        }
        let isPublished = published?.allSatisfy { $0.outcome.failure == nil } ?? false
        let isAttached = attached?.allSatisfy(\.failures.isEmpty) ?? false
        // The site cannot show it to those that it does not reach.
        guard isPublished, isAttached else {
            // The end of a log is what cron mails.
            for line in undelivered(published, attached).prefix(15) { console.result(line) }
            throw ExitStatus.notDelivered
        }
        if results.contains(where: { $0.failure != nil }) || outcome.hasTrouble {
            throw ExitStatus.doneWithFailures
        }
    }

    /// What did not reach its readers, a line for each target.
    private func undelivered(_ published: [TargetResult]?, _ attached: [AttachResult]?) -> [String] {
        let failed =
            (published ?? []).compactMap { result in result.outcome.failure.map { (result.job.id, $0) } }
            + (attached ?? []).compactMap { result in result.failures.first.map { (result.job.id, $0) } }
        return (published == nil ? ["✗ not published"] : []) + (attached == nil ? ["✗ not attached"] : [])
            + failed.map { target, why in "✗ \(target): \(why.summary) [\(why.id)]" }
    }

    /// What a step gives that comes after the build; nil when it could do nothing. Then there is a new site all the
    /// same, and the next step still comes.
    private func afterBuild<Value>(
        _ step: () async throws(ExitStatus) -> Value
    ) async throws(ExitStatus) -> Value? {
        do throws(ExitStatus) {
            return try await step()
        } catch {
            guard error == .nothingDone else { throw error }
            return nil
        }
    }
}
