import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Providers
import Transport

/// What concerns the queries to warehouses.
struct WarehouseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warehouse", abstract: "Try the queries to a warehouse.",
        subcommands: [WarehouseCheckCommand.self])
}

/// Tries each query of the sources that are warehouses.
struct WarehouseCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Run each query for ten rows. Stores nothing.",
        discussion: """
            Shows what each query of a source that is a warehouse answers, and which column is missing, unknown or of \
            another type. '--print-sql' prints the queries with their parameters and sends nothing. Exit codes: 0 no \
            problems; 1 problems; 2 no source is a warehouse.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: "App id (default: all).")
    var app: String?

    @Flag(help: "Print the queries instead; send nothing.")
    var printSQL = false

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let apps = try chosen(project, console)
        let (found, isWell) = await visitWarehouses(apps, project, console) { job, warehouse in
            console.result("\(job.app.id) / \(job.source.id)")
            return await show(warehouse, job.app, at: project.now, console)
        }
        guard found || !isWell else {
            throw console.stop(
                .usage(
                    "warehouse.none", "No source is a warehouse",
                    hints: ["add a source whose provider reads a warehouse"]))
        }
        if !isWell { throw ExitStatus.doneWithFailures }
    }
}

/// Goes through the sources that are warehouses. Whether there is one, and whether all is well with each; a source
/// that cannot be set up is reported.
func visitWarehouses(
    _ apps: [AppConfiguration], _ project: Project, _ console: Console,
    _ visit: (SourceJob, any Warehouse) async -> Bool
) async -> (found: Bool, isWell: Bool) {
    let (client, odd) = project.client(for: project.sourceJobs(.unsent))
    for problem in odd { console.report(problem) }
    var (found, isWell) = (false, true)
    for app in apps {
        for source in project.askedSources(of: app) {
            let job = project.sourceJob(app.app, source, FetchServices(ObservingSender(client)))
            let provider: any Provider
            do throws(Diagnostic) {
                provider = try job.provider.get()
            } catch {
                isWell = false
                console.report(error)
                continue
            }
            guard let warehouse = provider as? any Warehouse else { continue }
            found = true
            isWell = await visit(job, warehouse) && isWell
        }
    }
    await client.close()
    return (found, isWell)
}

extension WarehouseCheckCommand {
    private func chosen(_ project: Project, _ console: Console) throws(ExitStatus) -> [AppConfiguration] {
        guard let app else { return project.configuration.apps }
        do throws(Diagnostics) {
            return [try project.app(app, for: "warehouse")]
        } catch {
            throw console.stop(error)
        }
    }

    /// Shows the queries or what they answer; false when one has a problem.
    private func show(
        _ warehouse: any Warehouse, _ app: App, at now: Instant, _ console: Console
    ) async -> Bool {
        if printSQL {
            for statement in warehouse.statements(for: app, at: now) {
                console.result("-- \(statement.name): \(statement.place)")
                for (name, value) in statement.parameters.sorted(by: { $0.key < $1.key }) {
                    console.result("-- \(name) = \(value)")
                }
                console.result(statement.text + ";\n")
            }
            return true
        }
        var isWell = true
        for trial in await warehouse.trials(of: app, at: now) {
            do throws(Diagnostic) {
                let rows = try trial.rows.get()
                console.result("✓ \(trial.name), \(max(0, rows.count - 1)) rows")
                for row in rows { console.result("  " + row.joined(separator: "  ")) }
            } catch {
                isWell = false
                console.result("✗ \(trial.name)")
                console.report(error)
            }
            for warning in trial.warnings { console.report(warning) }
        }
        return isWell
    }
}
