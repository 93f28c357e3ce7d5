import AppHealth
import Archive
import ArgumentParser
import Configuration
import Diagnostics
import Files
import Providers
import Site
import Transport

/// Tries everything and changes nothing.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check sources, targets, theme, content, mutes and archive. Changes nothing.",
        discussion:
            """
            Sends each source the requests of a fetch and stores nothing. Reports connection, \
            authorization, missing permissions, age of the data, clock difference and remaining limit of each. Notes \
            and fences of the pages are checked against the archive: an unknown app, release, issue or day is reported \
            with its file, line and nearest name. Of each publish target it says when it was last published and what \
            would be sent, of each attach target whether it can be reached and what would be attached, and of both \
            how their clock differs from this one. Exit codes: 0 no problems; 1 problems.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console, asksSources: true)
        let (diagnoses, odd) = await diagnoses(project)
        let targets = await targetDiagnoses(project)
        let attachments = await attachDiagnoses(project, console)
        let problems = standing(project, console)
        // What hinders all targets alike is reported once.
        var reported: Set<Diagnostic> = []
        func report(_ problems: [Diagnostic]) {
            for problem in problems where reported.insert(problem).inserted { console.report(problem) }
        }
        report(odd)
        switch format {
        case .json:
            console.document(
                json: DoctorDocument(
                    diagnoses, targets, attachments, standing: odd + problems, at: project.now))
        case .text:
            for diagnosis in diagnoses {
                for line in diagnosis.lines(at: project.now) { console.result(line) }
                report(diagnosis.problems)
            }
            for line in project.endedLines { console.result(line) }
            for diagnosis in targets {
                for line in diagnosis.lines { console.result(line) }
                report(diagnosis.problems)
            }
            for diagnosis in attachments {
                for line in diagnosis.lines { console.result(line) }
                report(diagnosis.problems)
            }
            report(problems)
            console.result(problems.areNotes ? "✓ theme, pages and archive" : "✗ theme, pages and archive")
        }
        let isWell =
            diagnoses.allSatisfy(\.isWell) && targets.allSatisfy(\.isWell) && attachments.allSatisfy(\.isWell)
        if !(odd + problems).areNotes || !isWell {
            throw ExitStatus.doneWithFailures
        }
    }

    /// What was found of each source, and what is wrong with the secrets and the trust of all of them, with sources of
    /// which nothing is shown, and with apps without a rate.
    private func diagnoses(_ project: Project) async -> ([SourceDiagnosis], [Diagnostic]) {
        let (client, odd) = project.client(for: project.sourceJobs(.unsent))
        let archive = project.readableArchive
        var diagnoses: [SourceDiagnosis] = []
        var unused: [Diagnostic] = []
        for app in project.configuration.apps {
            var ofApp: [SourceDiagnosis] = []
            for source in project.askedSources(of: app) {
                ofApp.append(await diagnosis(of: source, of: app.app, in: project, archive, client))
            }
            let known = ofApp.compactMap(\.outcome.snapshots.last).map { snapshot in
                var history = SourceHistory(source: snapshot.source.withEnd(of: app))
                history.health = snapshot.health
                return history
            }
            unused += unusedProblems(known, of: app.app)
            // Of a source that failed it is not known what it counts.
            if ofApp.allSatisfy({ $0.failure == nil }) {
                let days = ofApp.flatMap(\.outcome.snapshots).map { snapshot in
                    (source: snapshot.source, days: snapshot.health.filter { $0.version == nil })
                }
                unused += [missingRate(of: app.app, days)].compactMap(\.self)
            }
            diagnoses += ofApp
        }
        await client.close()
        return (diagnoses, odd + unused)
    }

    private func targetDiagnoses(_ project: Project) async -> [TargetDiagnosis] {
        let site = Result { () throws(Diagnostic) in
            isBuilt(project) ? try builtSite(project) : nil
        }
        var diagnoses: [TargetDiagnosis] = []
        for job in (try? project.targetJobs()) ?? [] { diagnoses.append(await trial(of: job, site)) }
        return diagnoses
    }

    private func diagnosis(
        of source: SourceConfiguration, of app: App, in project: Project, _ archive: Archive?,
        _ client: Client
    ) async -> SourceDiagnosis {
        let sender = ObservingSender(client)
        var services = FetchServices(sender)
        if let archive {
            let memory = SourceMemory(of: archive, at: project.now)
            memory.serveCaptures(&services)
            memory.serveData(&services)
        }
        let job = project.sourceJob(app, source, services)
        let outcome = await outcome(of: job, at: project.now)
        // Before the question about permissions, which is no part of a fetch.
        let seen = sender.observation
        let provider = try? job.provider.get()
        var permissions = PermissionsReport()
        if let provider, let terms = provider.terms {
            let isKnown = seen.answers > 0 && !seen.refused.contains { $0.status == 401 }
            let granted = isKnown && !terms.permissions.isEmpty ? await provider.grantedPermissions() : nil
            permissions = PermissionsReport(terms, granted: granted, refused: seen.refused, by: provider)
        }
        return SourceDiagnosis(
            app: app, source: job.source, outcome: outcome, observation: seen, permissions: permissions,
            limit: provider?.terms?.limit, obstacle: job.obstacle,
            arrivals: try? archive?.arrivals(of: app.id, source: source.id, asOf: project.now))
    }

    /// What is wrong with the parts on this machine; an archive that is not there yet is none of it, one that is gone is.
    private func standing(_ project: Project, _ console: Console) -> [Diagnostic] {
        var problems = project.readContent().1
        do throws(Diagnostic) {
            problems += ThemeTemplates.load(try project.themeLayers()).1
        } catch {
            problems.append(error)
        }
        problems += [PublicationLedger(nextTo: project.archive).unread].compactMap(\.self)
        guard (try? knownKind(project.archive)) != .missing else {
            // A site of pages alone needs none.
            let lost = project.apps.isEmpty ? nil : LostArchive(of: project)?.diagnostic
            return problems + [lost].compactMap(\.self) + project.readMutes().1
        }
        let archived = ArchiveFindings(project.archive, of: project).problems
        guard archived.isEmpty else { return problems + archived + project.readMutes().1 }
        do throws(Diagnostics) {
            let archive = try openArchive(project)
            problems += project.hiddenDays(in: archive)
            problems += try project.contentProblems(archive, console)
            return problems + (try project.muteProblems(archive, console))
        } catch {
            return problems + project.readMutes().1 + error.list
        }
    }
}
