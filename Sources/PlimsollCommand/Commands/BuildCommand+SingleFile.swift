import AppHealth
import Configuration
import Diagnostics
import Formatting
import Pages
import Site

extension BuildCommand {
    /// Writes the report of one app as one file and tells its size.
    func writeSingleFile(_ console: Console) async throws {
        let project = try loadProject(configuration.file, console) { settings in
            if let audience = options.audience { settings.read(by: audience) }
        }
        let outcome: SingleFile
        do throws(Diagnostics) {
            outcome = try singleFile(project, console)
        } catch {
            throw console.stop(error)
        }
        if outcome.digest.hasTrouble { throw ExitStatus.doneWithFailures }
    }

    private func singleFile(_ project: Project, _ console: Console) throws(Diagnostics) -> SingleFile {
        let chosen = try chosenApp(project.configuration.apps)
        let path = try path(for: chosen.app.id, project)
        let asOf = asOf ?? project.now
        let input = try siteInput(of: project, asOf: asOf, threads: options.threads)
        let history = try readHistory(
            of: chosen.app, project.sourcesByApp[chosen.app.id] ?? [], openArchive(project), asOf, console)
        let file = try SingleFile(of: chosen.app, chosen.targets, history, input.input)
        try write(file.bytes, to: path, project)
        for problem in input.problems { console.tell(problem) }
        console.result("Built \(path) (\(sizeText(file.bytes.count)))")
        console.result("  " + file.digest.line)
        if file.bytes.count > SingleFile.large {
            console.tell(
                .warning(
                    "build.large-file", "The file is larger than 5 MB; many mail servers refuse it",
                    at: .file(path: path), hints: ["send the URL of the site instead"]))
        }
        return file
    }

    /// Writes the file; one that lies in a site is part of it from now on, until the next build.
    private func write(_ bytes: [UInt8], to file: String, _ project: Project) throws(Diagnostics) {
        do throws(Diagnostic) {
            if let inner = Site.path(of: file, below: project.output), holdsSite(project.output) {
                let policy = project.outputPolicy(adopts: options.adopt, waiting: waiting.wait)
                return try addFile(inner, bytes, toSite: project.output, policy)
            }
            do throws(FileFailure) {
                try replaceFile(file, bytes)
            } catch {
                throw error.diagnostic
            }
        } catch {
            throw Diagnostics([error])
        }
    }

    private func chosenApp(_ apps: [AppConfiguration]) throws(Diagnostics) -> AppConfiguration {
        let names = apps.map(\.app.id.text)
        guard let app else {
            if let only = apps.first, apps.count == 1 { return only }
            throw Diagnostics([
                .usage(
                    "config.which-app",
                    "'--single-file' needs one app",
                    hints: ["add '--app' with one of: \(names.joined(separator: ", "))"])
            ])
        }
        guard let found = apps.first(where: { $0.app.id.text == app }) else {
            throw unknownName("config", "app", app, among: names)
        }
        return found
    }

    /// The file that was named, or one in the site, which must stand already: a build refuses to replace a folder
    /// that is not a site.
    private func path(for app: Slug, _ project: Project) throws(Diagnostics) -> String {
        if let output = options.output {
            let target = absolutePath(output)
            if let problem = project.singleFileProblem(target, configuration.file) {
                throw Diagnostics([problem])
            }
            return target
        }
        guard holdsSite(project.output) else {
            throw Diagnostics([
                .usage(
                    "config.no-site", "No site in '\(project.output)' for the file",
                    hints: ["use '--output' with a file", "or run 'plimsoll build' first"])
            ])
        }
        return "\(project.output)/\(app).html"
    }
}
