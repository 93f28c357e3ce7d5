import AppHealth
import ArgumentParser
import Attaching
import Configuration
import Diagnostics

/// Summaries to the places where they are talked about.
struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach summaries to the targets in 'attach': release notes, comments, chats, mail.",
        discussion: """
            The archive remembers what was attached where: a summary is sent once, and release notes and comments are \
            updated in place. A target that fails is tried again by the next run. When the answer of a chat or a mail \
            server was lost, the summary may have arrived; '--again' sends what may have arrived, and with '--day', \
            '--week' or '--release' that one, whether it arrived or not. \
            Exit codes: 0 everything is attached; 1 a target failed.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Attach target by its id, repeatable (default: all).", valueName: "id"))
    var targets: [String] = []

    @Option(help: ArgumentHelp("App id (default: all).", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("Day, such as 2026-11-19 (default: latest with data).", valueName: "date"))
    var day: CivilDate?

    @Option(help: ArgumentHelp("Version, such as 4.2.1 (default: newest).", valueName: "version"))
    var release: String?

    @Option(help: ArgumentHelp("Week that is over, such as 2026-W46 (default: newest).", valueName: "week"))
    var week: CivilWeek?

    @Flag(help: "Check with each target what there is to do; change nothing.")
    var dryRun = false

    @Flag(help: "Print exactly what would be sent; send nothing.")
    var preview = false

    @Flag(help: "Send what may have arrived; with '--day', '--week' or '--release' also what arrived.")
    var again = false

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    @Option(
        help: ArgumentHelp("Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func validate() throws {
        if [day != nil, release != nil, week != nil].count(where: \.self) > 1 {
            throw ValidationError("Use one of '--day', '--week' and '--release'.")
        }
        if preview, dryRun { throw ValidationError("Use '--preview' or '--dry-run', not both.") }
    }

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        guard !project.configuration.attach.isEmpty else {
            console.report(
                .usage(
                    "attach.no-targets", "No attach targets are configured",
                    at: .file(path: configuration.file),
                    hints: [
                        "add a list 'attach', such as 'attach: [{to: github-release, repository: owner/name, token: \"${GITHUB_TOKEN}\"}]'"
                    ]))
            throw ExitStatus.usage
        }
        let outcome: (results: [AttachResult]?, isWhole: Bool)
        do throws(Diagnostics) {
            let wishes = try wishes(project)
            let jobs = try jobs(project)
            for warning in project.targetWarnings(of: project.configuration.attach.map(\.block)) {
                console.report(warning)
            }
            if preview {
                outcome = (nil, try printDrafts(project, jobs, wishes, console))
            } else {
                let results = try await attachAll(
                    project, jobs, asOf: asOf ?? project.now, wishes, waiting: waiting.wait, console)
                outcome = (results, results.allSatisfy(\.failures.isEmpty))
            }
        } catch {
            throw console.stop(error)
        }
        if let results = outcome.results { show(results, console) }
        if !outcome.isWhole { throw ExitStatus.doneWithFailures }
    }

    private func show(_ results: [AttachResult], _ console: Console) {
        switch format {
        case .json: console.document(json: attachDocument(results, isDryRun: dryRun))
        case .text: report(results, isDryRun: dryRun, console)
        }
    }

    private func jobs(_ project: Project) throws(Diagnostics) -> [AttachJob] {
        return try single { () throws(Diagnostic) in try project.attachJobs(targets) }
    }

    private func wishes(_ project: Project) throws(Diagnostics) -> AttachWishes {
        let apps = project.configuration.apps.map(\.app.id)
        var wishes = AttachWishes(isDryRun: dryRun, again: again, day: day, release: release, week: week)
        guard let app else { return wishes }
        wishes.app = apps.first { $0.text == app }
        if wishes.app == nil { throw unknownName("attach", "app", app, among: apps.map(\.text)) }
        return wishes
    }

    /// Prints what each target would be sent, as it would be, and reports what is wrong with a target.
    ///
    /// - Returns: whether nothing is.
    private func printDrafts(
        _ project: Project, _ jobs: [AttachJob], _ wishes: AttachWishes, _ console: Console
    ) throws(Diagnostics) -> Bool {
        let archive = try openArchive(project)
        let instant = asOf ?? project.now
        let known = try ledgers(archive, jobs)
        let plan = try AttachPlan(project, archive, asOf: instant, wishes)
        let planned = try plan.targets(of: jobs, known, console)
        let options = AttachOptions(at: instant, again: wishes.resending)
        var isWhole = true
        for (job, planned) in zip(jobs, planned) {
            do throws(Diagnostic) {
                let ledger = known[job.id] ?? AttachLedger()
                isWhole = try printDrafts(planned, of: job, ledger, options, console) && isWhole
            } catch {
                console.report(error)
                isWhole = false
            }
        }
        return isWhole
    }

    /// Prints what one target would be sent, and notes why the rest would not be.
    ///
    /// - Returns: whether it is known of all whether they arrived.
    private func printDrafts(
        _ planned: PlannedTarget, of job: AttachJob, _ ledger: AttachLedger, _ options: AttachOptions,
        _ console: Console
    ) throws(Diagnostic) -> Bool {
        let target = try job.target.get()
        var (current, isKnown) = ([String](), true)
        for summary in planned.summaries {
            let name = summary.key(at: job.id).name
            switch try attachPreview(of: summary, to: target, named: job.id, knowing: ledger, options) {
            case .draft(let text):
                console.progress("[\(job.id)] \(target.place): \(name)")
                console.document(text)
            case .unchanged(let arrivedAt): current.append("\(name): \(upToDate(arrivedAt))")
            case .uncertain(let why):
                console.report(why)
                isKnown = false
            }
        }
        note("attach.up-to-date", "Up to date at '\(job.id)'", current, console)
        note("attach.no-summary", "Nothing to attach to '\(job.id)'", planned.absences.map(\.text), console)
        return isKnown
    }

    private func note(_ id: String, _ summary: String, _ details: [String], _ console: Console) {
        guard !details.isEmpty else { return }
        console.report(Diagnostic(.note, id: id, summary, details: details))
    }
}
