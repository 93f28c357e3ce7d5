import AppHealth
import Archive
import ArgumentParser
import Configuration
import Diagnostics
import Providers
import Site
import Transport

/// Tries everything and changes nothing.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Try every source, the theme, the pages, the mutes and the archive; change nothing.",
        discussion:
            "Asks each source as a fetch would, and stores nothing. Exits with 1 when anything needs care.")

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        let diagnoses = await diagnoses(project)
        for diagnosis in diagnoses {
            for line in diagnosis.lines(at: project.now) { console.result(line) }
            for warning in diagnosis.outcome.snapshots.last?.warnings ?? [] { console.tell(warning) }
            if let failure = diagnosis.failure { console.tell(failure) }
        }
        let problems = standing(project, console)
        for problem in problems { console.tell(problem) }
        console.result(problems.isEmpty ? "✓ theme, pages and archive" : "✗ theme, pages and archive")
        let isWell = problems.isEmpty && diagnoses.allSatisfy { $0.failure == nil }
        if !isWell { throw ExitStatus.doneWithFailures }
    }

    private func diagnoses(_ project: Project) async -> [SourceDiagnosis] {
        let client = project.client()
        var diagnoses: [SourceDiagnosis] = []
        for app in project.configuration.apps {
            for source in app.sources {
                let sender = ObservingSender(client)
                let job = project.sourceJob(app.app, source, sender)
                let outcome = await outcome(of: job, at: project.now)
                diagnoses.append(
                    SourceDiagnosis(
                        app: app.app, source: job.source, outcome: outcome, observation: sender.observation))
            }
        }
        await client.close()
        return diagnoses
    }

    /// What is wrong with the parts on this machine; an archive that is not there yet is none of it.
    private func standing(_ project: Project, _ console: Console) -> [Diagnostic] {
        var problems = ContentFolder.read(project.path(project.configuration.content)).1
        do throws(Diagnostic) {
            problems += ThemeTemplates.load(try project.themeLayers()).1
        } catch {
            problems.append(error)
        }
        guard pathKind(project.archive) != .missing else { return problems + project.readMutes().1 }
        do throws(ArchiveError) {
            try Archive(at: project.archive, for: .reading).close()
        } catch {
            problems.append(error.diagnostic)
            return problems + project.readMutes().1
        }
        do throws(Diagnostics) {
            return problems + (try project.muteProblems(openArchive(project), console))
        } catch {
            return problems + project.readMutes().1 + error.list
        }
    }
}
