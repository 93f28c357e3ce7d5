import AppHealth
import Archive
import Configuration
import Diagnostics
import Files
import Foundation
import Settings
import Site

/// A file or folder that the program reads, or keeps for itself, and that no output may touch.
struct ProjectInput {
    /// What it is, as part of a sentence.
    let what: String
    /// As it is shown.
    let path: String
    /// Where it leads.
    let place: FilePlace
    /// Whether what is written below it would be read as an input, or removed.
    let isClosed: Bool
    /// Whether a target writes to it.
    let isWritten: Bool

    init(_ what: String, _ path: String, isClosed: Bool = false, isWritten: Bool = false) {
        (self.what, self.path, self.isClosed, self.isWritten) = (what, path, isClosed, isWritten)
        place = FilePlace(path)
    }
}

extension Project {
    /// Everything that a run of the project reads or keeps.
    ///
    /// - Parameter file: the configuration.
    func inputs(_ file: String) -> [ProjectInput] {
        let home = FilePlace(folder)
        // The folder of the project itself may be that of the content: then its parts are inputs.
        func folderInput(_ what: String, _ path: String) -> ProjectInput {
            ProjectInput(what, path, isClosed: !home.lies(in: FilePlace(path)))
        }
        let content = path(configuration.content)
        return archiveInputs + [ProjectInput("the configuration", file)]
            + [
                folderInput("the content", content),
                folderInput("the owner's pages", content + "/pages"),
                folderInput("the notes", content + "/notes"),
                folderInput("the themes", path("Themes")),
                folderInput("the installed themes", data + "/Themes"),
                folderInput("the schemas", data + "/Content/schema"),
            ]
            + configuration.apps.flatMap(\.sources).flatMap { source in
                source.places.map { folderInput("the snapshots of '\(source.id)'", path($0)) }
                    + files(of: source).map { ProjectInput("a file of a credential", path($0)) }
            }
            + configuration.publish.flatMap(\.block.files).map {
                ProjectInput("a file of a publish target", path($0))
            }
            + configuration.attach.flatMap(\.block.files).map {
                ProjectInput("a file of an attach target", path($0))
            }
            + configuration.attach.flatMap(\.block.writtenFiles).map {
                ProjectInput("a file of an attach target", path($0), isWritten: true)
            }
            + configuration.publish.flatMap(\.block.writtenFiles).map {
                ProjectInput("a file of a publish target", path($0), isWritten: true)
            }
    }

    /// The archive with the files next to it.
    private var archiveInputs: [ProjectInput] {
        [ProjectInput("the archive", archive)]
            + (ArchiveFiles.endings + [".lock"]).map {
                ProjectInput("the archive", ArchiveFiles.companion($0, of: archive))
            }
            + [
                ProjectInput("the response cache", responseCache, isClosed: true),
                ProjectInput("the list of publications", PublicationLedger.path(of: archive)),
                ProjectInput("what builds keep", keptBuilds, isClosed: true),
                ProjectInput("the backups of the archive", backups, isClosed: true),
            ]
    }

    private func files(of source: SourceConfiguration) -> [String] {
        let certificate = source.trust.clientCertificate
        return (source.secrets + [certificate?.password].compactMap(\.self)).compactMap { reference in
            guard case .file(let path) = reference else { return nil }
            return path
        }
            + [source.trust.certificateAuthority, certificate?.certificate, certificate?.key].compactMap(
                \.self)
    }
}

extension SourceConfiguration {
    /// The files and folders on this machine that it reads snapshots from.
    fileprivate var places: [String] {
        schema.keys.compactMap { key in
            guard key.kind == .path || key.kind == .pathOrURL, let place = settings.text(key.name) else {
                return nil
            }
            if place.hasPrefix("file://") { return String(place.dropFirst("file://".count)) }
            return place.contains("://") ? nil : place
        }
    }

    /// Where its secrets are kept.
    var secrets: [SecretReference] { schema.keys.compactMap { settings.secret($0.name) } }
}

extension BlockConfiguration {
    /// The files on this machine that it reads or keeps.
    fileprivate var files: [String] {
        let secrets = (schema.keys.map { settings.secret($0.name) } + [trust.clientCertificate?.password])
            .compactMap { reference -> String? in
                if case .file(let path)? = reference { path } else { nil }
            }
        let named = schema.keys.filter { $0.kind == .path && !$0.isOutput && !$0.isWritten }.compactMap {
            settings.text($0.name)
        }
        return secrets + named
            + [
                trust.certificateAuthority, trust.clientCertificate?.certificate,
                trust.clientCertificate?.key,
            ].compactMap(\.self)
    }
}

extension BlockConfiguration {
    /// The files on this machine that it writes to.
    fileprivate var writtenFiles: [String] { writtenKeys.map(\.path) }

    /// The same with the keys that name them.
    fileprivate var writtenKeys: [(key: String, path: String)] {
        schema.keys.filter(\.isWritten).compactMap { key in settings.text(key.name).map { (key.name, $0) } }
    }
}

extension TargetConfiguration {
    /// The folders on this machine that a publication fills.
    fileprivate var outputs: [String] {
        schema.keys.filter { $0.kind == .path && $0.isOutput }.compactMap { settings.text($0.name) }
    }
}

// MARK: - Outputs

extension Project {
    /// The site, for what must not lie in it.
    var site: ProjectInput { ProjectInput("the site", output, isClosed: true) }

    /// Why a folder cannot be published to: something is there that a publication must not touch.
    func publishProblem(_ file: String) -> Diagnostic? {
        for target in configuration.publish {
            for folder in target.outputs {
                let place = FilePlace(path(folder))
                let input = ([site] + inputs(file)).first { input in
                    input.place.lies(in: place) || input.isClosed && place.lies(in: input.place)
                }
                guard let input else { continue }
                return .usage(
                    "publish.place",
                    "Publish target '\(target.id)' would share a folder with '\(input.path)'",
                    details: ["that is \(input.what)"], at: target.location,
                    hints: ["use another folder for 'path'"])
            }
        }
        return nil
    }

    /// Why the folder of the site cannot be where it is: a build replaces it as a whole.
    func siteProblem(_ file: String) -> Diagnostic? {
        let site = FilePlace(output)
        for input in inputs(file) {
            if input.place.lies(in: site) {
                return outputProblem(
                    "'\(input.path)' is inside the site folder",
                    input, output, file)
            }
            if input.isClosed, site.lies(in: input.place) {
                return outputProblem(
                    "Site folder '\(output)' is inside '\(input.path)'", input, output, file)
            }
        }
        return nil
    }

    /// Why the folder of a part cannot be where it is: what is in it is no page of a site, and may be hidden from readers.
    ///
    /// - Parameter site: the folder of the project's own site.
    func partProblem(site: String) -> Diagnostic? {
        let folder = splitPath(output).folder
        let part = FilePlace(folder)
        let sites =
            [ProjectInput("the site", site)]
            + configuration.publish.flatMap(\.outputs).map {
                ProjectInput("the folder of a publish target", path($0))
            }
        guard let found = sites.first(where: { part.lies(in: $0.place) || $0.place.lies(in: part) }) else {
            return nil
        }
        return placeProblem(
            "The folder of a part, '\(folder)', would share a folder with \(found.what), '\(found.path)'",
            folder, hint: "use '--output' with a new folder outside it")
    }

    /// Why the archive, or a file next to it, cannot be where it is: another file is there.
    func archiveProblem(_ file: String) -> Diagnostic? {
        let own = archiveInputs
        for input in inputs(file).dropFirst(own.count) {
            guard let one = own.first(where: { $0.place.isSame(as: input.place) }) else { continue }
            return .usage(
                "config.archive", "'\(one.path)' belongs to the archive and is also \(input.what)",
                at: configuration.places["archive"] ?? .file(path: file),
                hints: ["use another file for 'archive'"])
        }
        return nil
    }

    /// Why a target cannot write to its file: something that is read, or kept, is there.
    func writtenProblem(_ file: String) -> Diagnostic? {
        let inputs = inputs(file).filter { !$0.isWritten }
        var states: [FilePlace] = []
        let blocks =
            configuration.attach.map { ($0.block, publishes: false) }
            + configuration.publish.map { ($0.block, publishes: true) }
        for (block, publishes) in blocks {
            for (key, written) in block.writtenKeys {
                let place = FilePlace(path(written))
                let input = inputs.first {
                    $0.place.isSame(as: place) || $0.isClosed && place.lies(in: $0.place)
                }
                let owner =
                    if let input {
                        "\(input.what), '\(input.path)'"
                    } else if states.contains(where: { $0.isSame(as: place) }) {
                        "another publish target"
                    } else {
                        String?.none
                    }
                if let owner {
                    return .usage(
                        "config.target-file", "'\(written)' belongs to \(owner)", at: block.location,
                        hints: ["use another path for '\(key)'"])
                }
                if publishes { states.append(place) }
            }
        }
        return nil
    }

    /// Why exchanges cannot be recorded into a folder.
    func recordProblem(_ folder: String, _ file: String) -> Diagnostic? {
        let record = FilePlace(folder)
        let site = FilePlace(output)
        if record.lies(in: site) || site.isSame(as: record) {
            return placeProblem("'\(folder)' is inside the site folder", folder, hint: Self.otherRecord)
        }
        guard
            let input = inputs(file).first(where: {
                $0.place.isSame(as: record) || $0.isClosed && record.lies(in: $0.place)
            })
        else { return nil }
        return placeProblem(
            "'\(folder)' belongs to \(input.what), '\(input.path)'", folder, hint: Self.otherRecord)
    }

    private static let otherRecord = "use '--record' with another path"

    /// Why a file cannot be written to a path: what is there would be gone.
    ///
    /// - Parameters:
    ///   - others: where it cannot be either.
    ///   - hint: how to name another path.
    func fileProblem(
        _ target: String, _ file: String, others: [ProjectInput] = [], hint: String
    ) -> Diagnostic? {
        let place = FilePlace(target)
        guard
            let input = (inputs(file) + others).first(where: {
                $0.place.isSame(as: place) || $0.isClosed && place.lies(in: $0.place)
            })
        else { return nil }
        return placeProblem("'\(target)' belongs to \(input.what), '\(input.path)'", target, hint: hint)
    }

    private func outputProblem(
        _ summary: String, _ input: ProjectInput, _ output: String, _ file: String
    ) -> Diagnostic {
        .usage(
            "config.output", summary, details: ["it is \(input.what)"],
            at: configuration.places["output"] ?? .file(path: file),
            hints: ["use another folder for 'output'"])
    }

    private func placeProblem(_ summary: String, _ path: String, hint: String) -> Diagnostic {
        .usage(
            "config.output", summary, details: ["nothing was written"], at: .file(path: path), hints: [hint])
    }
}

/// A path of the command line, counted from the working directory.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
