import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Providers
import Transport

/// Providers to archive.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Fetch data into the archive.",
        discussion: """
            A failing source affects no other source and no stored data. A source whose stored data cannot be read \
            has failed: nothing that it reports is stored. Where the whole archive cannot be read, the fetch ends \
            with that error. When the 'timeBudget' is used up, no more requests are sent, and unfinished sources \
            have failed. Responses that a service can confirm as unchanged are kept in the folder \
            <archive>.cache; it may be removed at any time.

            With '--shard', n machines fetch the apps at the same time, each into an archive of its own: \
            'plimsoll archive merge' joins them. An app belongs to the same shard whatever other apps there are.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption
    @OptionGroup var fetching: FetchOptions
    @OptionGroup var sharing: ShardOption

    @Flag(
        help:
            "Print planned requests and rate-limit waits; send nothing.")
    var plan = false

    @Flag(
        help:
            "With the plan, request from warehouses what their queries would read, and what that costs; read nothing."
    )
    var cost = false

    func run() async throws {
        let console = Console()
        let project = sharing.part(of: try loadProject(configuration.file, console, asksSources: true))
        if let shard = sharing.shard, project.configuration.apps.isEmpty {
            // Whoever joins the parts joins this one too.
            if !plan, !cost { try makeArchive(project, console) }
            return console.result("No app belongs to shard \(shard)")
        }
        if plan || cost { return try await printPlan(project, console) }
        try refuseRecording(fetching, project, configuration.file, console)
        let results = try await fetch(project, waiting: waiting.wait, exchanges: fetching.exchanges, console)
        if results.contains(where: { $0.failure != nil }) { throw ExitStatus.doneWithFailures }
    }
}

extension FetchCommand {
    private func makeArchive(_ project: Project, _ console: Console) throws(ExitStatus) {
        do throws(Diagnostic) {
            _ = try HeldArchive(project, for: "fetch", waiting: waiting.wait, console)
        } catch {
            throw console.stop(error)
        }
    }

    private func printPlan(_ project: Project, _ console: Console) async throws(ExitStatus) {
        var services = FetchServices.unsent
        if let archive = project.readableArchive {
            SourceMemory(of: archive, at: project.now).serveData(&services)
        }
        let (text, plain) = planText(project.sourceJobs(services), timeBudget: project.timeBudget)
        console.result(text)
        var problems = plain
        if cost {
            _ = await visitWarehouses(project.configuration.apps, project, console) { job, warehouse in
                let (text, more) = costText(
                    await warehouse.forecasts(for: job.app, at: project.now), of: warehouse, for: job)
                console.result(text)
                problems += more
                return true
            }
        }
        for problem in problems { console.report(problem) }
        if problems.contains(where: { $0.severity > .note }) { throw .doneWithFailures }
    }
}

/// Ends the command when exchanges would be recorded over something else.
func refuseRecording(
    _ options: FetchOptions, _ project: Project, _ file: String, _ console: Console
) throws(ExitStatus) {
    guard let folder = options.record, let problem = project.recordProblem(folder, file) else { return }
    console.report(problem)
    throw .usage
}

/// Fetches and reports on it; an archive that cannot be used ends the command.
func fetch(
    _ project: Project, waiting seconds: Int = WaitOption.usual, exchanges: Exchanges = .live,
    _ console: Console
) async throws(ExitStatus) -> [SourceResult] {
    do throws(Diagnostic) {
        let results = try await fetchAll(project, waiting: seconds, exchanges: exchanges, console)
        for result in results { report(result, console) }
        return results
    } catch {
        console.endProgress()
        console.report(error)
        throw ExitStatus.nothingDone
    }
}

private func report(_ result: SourceResult, _ console: Console) {
    for warning in result.warnings.alikeOnce { console.report(warning.naming(result)) }
    if let failure = result.failure { console.report(failure.naming(result)) }
    let mark = result.failure == nil ? "✓" : "✗"
    let count = counted(result.snapshots, "snapshot")
    console.result(
        "\(mark) \(result.app.id) from \(result.source.id): \(count), \(result.revisions) new or changed values"
    )
}

extension Diagnostic {
    /// The same for a run of several apps: its summary begins with app and source, in place of the provider's name.
    fileprivate func naming(_ result: SourceResult) -> Diagnostic {
        let provider = "\(result.source.provider): "
        let words = summary.hasPrefix(provider) ? summary.dropFirst(provider.count) : summary[...]
        var named = self
        named.summary = "\(result.app.id)/\(result.source.id): \(words)"
        return named
    }
}
