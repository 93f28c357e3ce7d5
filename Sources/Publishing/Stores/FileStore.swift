import Diagnostics
import Files

/// A place that takes files one by one: a bucket, a server, a folder that cannot be replaced as a whole.
protocol FileStore: Sendable {
    /// Where it is, free of secrets.
    var place: String { get }
    /// How many files may be on their way at once.
    var lanes: Int { get }

    /// What tells how a file is served there.
    func served(_ file: SiteFile) -> String

    /// The manifest of the last publication, and what names this state of it; nil when there is none.
    func readManifest() async throws(Diagnostic) -> (bytes: [UInt8], revision: String?)?

    /// Replaces the manifest, if it still is the one that was read.
    ///
    /// - Parameter revision: what named the state that is replaced; nil when there must be none.
    func writeManifest(_ bytes: [UInt8], over revision: String?) async throws(Diagnostic) -> ManifestOutcome

    /// Whether the manifest there is the one that was written last. Where the place names no states, it always is.
    ///
    /// - Parameters:
    ///   - digest: its SHA-256.
    ///   - revision: what names this state of it.
    func isStill(_ digest: String, _ revision: String?) async throws(Diagnostic) -> Bool

    /// What is there that no publication put there and that a plan would touch.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles

    /// Begins a publication: removes what a killed one left under names of its own.
    ///
    /// - Returns: what keeps others out until it is gone; nil where nothing does.
    func begin(_ plan: PublicationPlan) throws(Diagnostic) -> FolderHold?

    /// Puts a file there, so that a reader finds the old one or the new one.
    func put(_ file: SiteFile, of site: SiteFolder) async throws(Diagnostic)

    /// Whether a file is still what a publication put there; one that was changed since belongs to whoever changed it.
    /// A missing one counts as published: there is nothing to keep.
    func isAsPublished(_ file: PublishedFile) async throws(Diagnostic) -> Bool

    /// Removes files that a publication put there; one that is gone is fine. One that the place does not let go keeps no
    /// other from going.
    ///
    /// - Returns: why one of them is still there; nil when all are gone.
    func remove(_ files: [PublishedFile]) async throws(Diagnostic) -> Diagnostic?

    /// How many files one call of `remove` takes.
    var removalsAtOnce: Int { get }

    /// What would hinder a publication; changes nothing.
    func obstacles() async -> [Diagnostic]
}

/// What came of the attempt to replace a manifest.
enum ManifestOutcome: Sendable {
    /// The new one is there.
    ///
    /// - Parameter revision: what names this state of it.
    case written(revision: String?)
    /// Another publication has written its own since; that is still there.
    case overtaken
}

/// A file that a publication put at a place, with what its manifest says of it.
struct PublishedFile: Sendable {
    let path: PublishedPath
    let entry: PublicationManifest.Entry
}

extension FileStore {
    var removalsAtOnce: Int { 1 }
    func served(_ file: SiteFile) -> String { "" }
    func obstacles() async -> [Diagnostic] { [] }
    func begin(_ plan: PublicationPlan) throws(Diagnostic) -> FolderHold? { nil }

    func isStill(_ digest: String, _ revision: String?) async throws(Diagnostic) -> Bool {
        try await readManifest().map { contentHash($0.bytes) } == digest
    }
}

/// Another publication wrote to the place since this one began.
func overtaken(_ place: String) -> Diagnostic {
    .error(
        "publish.overtaken", "Another publication to \(place) began meanwhile; this one stopped",
        hints: ["wait for its end, then publish again; see that two runs never publish to one place at once"]
    )
}
