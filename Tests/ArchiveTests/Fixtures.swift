import AppHealth
import Archive
import Diagnostics
import Foundation

/// A folder that is removed with the value.
final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "archive-tests-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var archivePath: String { path + "/plimsoll.sqlite" }

    func archive() throws -> Archive {
        try Archive(at: archivePath, for: .writing)
    }

    /// Copies the archive as it lies on the disk at this moment, as a killed process would leave it.
    func copyArchive() throws -> String {
        let copy = path + "/copy.sqlite"
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: archivePath + ending) {
            try FileManager.default.copyItem(atPath: archivePath + ending, toPath: copy + ending)
        }
        return copy
    }
}

extension App {
    static let harbour = App(id: Slug(anyText: "harbour"), name: "Harbour", platform: "ios")
}

extension Source {
    static let files = Source(
        id: Slug(anyText: "files"), provider: "files", sessionDefinition: "one run",
        userDefinition: "one install",
        zone: "UTC", delay: "one day", capabilities: [.sessions, .issues, .issueDays])
}

extension Snapshot {
    /// A snapshot of the fixture app, `at` seconds after the epoch.
    static func at(_ seconds: Int, source: Source = .files, _ fill: (inout Snapshot) -> Void = { _ in })
        -> Snapshot
    {
        var snapshot = Snapshot(
            app: .harbour, source: source, capturedAt: Instant(secondsSinceEpoch: seconds))
        fill(&snapshot)
        return snapshot
    }

    /// A snapshot that says how many sessions the fixture day had.
    static func at(_ seconds: Int, sessions: Int?) -> Snapshot {
        .at(seconds) { $0.health = [HealthDay(date: day, sessions: sessions)] }
    }
}

/// The fixture day.
let day = CivilDate(daysSinceEpoch: 20_000)

extension Archive {
    /// What the archive knows of one source of the fixture app.
    func known(at seconds: Int = 1_000_000, source: Source = .files) throws -> SourceHistory {
        let (history, warnings) = try history(
            of: .harbour, sources: [source], asOf: Instant(secondsSinceEpoch: seconds))
        guard warnings.isEmpty, let source = history.sources.first else { throw UnexpectedWarnings() }
        return source
    }
}

struct UnexpectedWarnings: Error {}

let failure = Diagnostic.error("transport.timeout", "no answer", hints: ["try again"])
