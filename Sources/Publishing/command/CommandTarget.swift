import Diagnostics
import Files
import Foundation
import Platform
import Settings

extension TargetDescriptor {
    /// A program of the owner's.
    package static let command = TargetDescriptor(
        BlockSchema(
            "command", title: "Command",
            summary: "A program of your own, which reads what changed as JSON from its standard input",
            keys: [
                .required("run", .path, example: "deploy.sh", "the program"),
                .written(
                    "state", example: "deploy.state.json",
                    "file that keeps what was published (default: .plimsoll-<id>.json)"),
                .optional(
                    "timeLimit", .number(1...86_400), else: "3600", "seconds after which the program is ended"
                ),
            ], usesTLS: false),
        needs: "Whatever the program needs; it gets the environment of plimsoll"
    ) { setup throws(Diagnostic) in
        CommandTarget(
            program: try setup.required("run"),
            state: setup.text("state") ?? "\(setup.folder)/.plimsoll-\(setup.id).json",
            folder: setup.folder, environment: setup.environment,
            mostSeconds: setup.number("timeLimit", else: 3600))
    }
}

/// A program that publishes. What it was given is kept in a file on this machine, as only the program knows the place.
struct CommandTarget: Target {
    let program: String
    let state: String
    let folder: String
    let environment: [String: String]
    let mostSeconds: Int

    var place: String { program }

    func lastPublication() async throws(Diagnostic) -> LastPublication? {
        guard fileKind(state) != .missing else { return nil }
        let bytes = try readLocalFile(state, limit: PublicationManifest.mostBytes)
        return LastPublication(try PublicationManifest(bytes, at: state))
    }

    /// What else is there the program knows.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles { ForeignFiles() }

    func served(_ file: SiteFile) -> String { "" }

    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath] {
        // The program may read all of the site, and takes its time.
        try await site.lend(site.files) { (site) async throws(Diagnostic) in
            try save(PublicationManifest(beginning: plan, at: instant))
            try await run(try changes(plan, site, at: instant))
        }
        plan.uploads.forEach(sent)
        try save(PublicationManifest(after: plan, at: instant))
        // What the program removed it knows alone.
        return []
    }

    /// Runs the program to its end.
    private func run(_ changes: [UInt8]) async throws(Diagnostic) {
        let result = try await ChildProcess(
            program: program, arguments: [], environment: environment, folder: folder, input: changes,
            mostSeconds: mostSeconds, isRead: false
        ).run()
        guard result.status == 0 else {
            throw .error(
                "publish.command", "'\(program)' ended with status \(result.status)",
                details: result.lastLines(), at: .file(path: program),
                hints: ["fix what it reports; the next publication sends the same changes again"])
        }
    }

    func obstacles() async -> [Diagnostic] {
        guard program.contains("/"), fileKind(program) == .missing else { return [] }
        return [fileProblem("find the program", program, code: ENOENT)]
    }

    private func save(_ manifest: PublicationManifest) throws(Diagnostic) {
        try makeLocalFolder(splitPath(state).folder)
        try replaceLocalFile(state, manifest.bytes)
    }

    /// The document that the program reads.
    private func changes(
        _ plan: PublicationPlan, _ site: String, at instant: String
    ) throws(Diagnostic) -> [UInt8] {
        let changes = Changes(
            format: "plimsoll-changes", version: 1, site: site, at: instant,
            upload: plan.uploads.map { upload in
                let served = ServedAs(
                    upload.file.path.text, size: upload.file.size, pageSeconds: 300, compresses: false)
                return Changes.File(
                    path: upload.file.path.text, size: upload.file.size, sha256: upload.file.sha256,
                    isNew: upload.isNew, contentType: served.contentType, cacheControl: served.cacheControl)
            }, remove: plan.removals.map(\.text))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let document = try? encoder.encode(changes) else {
            throw .error(
                "publish.command", "List of changes for '\(program)' cannot be written as JSON",
                hints: ["report it as a fault of plimsoll; nothing was published"])
        }
        return [UInt8](document) + [UInt8(ascii: "\n")]
    }
}

private struct Changes: Encodable {
    struct File: Encodable {
        let path: String
        let size: Int
        let sha256: String
        let isNew: Bool
        let contentType: String
        let cacheControl: String
    }

    let format: String
    let version: Int
    let site: String
    let at: String
    /// In the order in which they should go.
    let upload: [File]
    /// After all of those.
    let remove: [String]
}
