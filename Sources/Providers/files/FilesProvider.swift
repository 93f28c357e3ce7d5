package import AppHealth
import Diagnostics
import Foundation
package import Transport

/// Snapshots from files that anything may write: a directory of them, one file, or one address.
package struct FilesProvider: Provider {
    private let configuration: FilesConfiguration
    private let sender: any Sender
    private let shelf: SnapshotFileCache

    /// A provider that reads through the sender, which must allow file addresses for local paths; providers that
    /// are given the same shelf read each file once.
    package init(
        _ configuration: FilesConfiguration, sender: some Sender,
        shelf: SnapshotFileCache = SnapshotFileCache()
    ) {
        self.configuration = configuration
        self.sender = sender
        self.shelf = shelf
    }

    /// What can be said before a file is read; each file lists what its producer knows.
    package var source: Source {
        Source(
            id: configuration.id, provider: SnapshotReader.provider, sessionDefinition: "",
            userDefinition: "",
            zone: "UTC", delay: "", capabilities: Set(Capability.allCases))
    }

    package func plan(for app: App) -> [PlannedRequest] {
        switch configuration.place {
        case .address(let address):
            [PlannedRequest("GET", address.description, purpose: "the snapshot of \(app.id)")]
        case .path(let path):
            [
                PlannedRequest("LIST", path, purpose: "the snapshot files"),
                PlannedRequest(
                    "READ", "\(path)/**.{json,csv}", purpose: "the snapshots of \(app.id)",
                    most: configuration.mostFiles),
            ]
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let start = ContinuousClock.now
        var run = FilesRun(
            configuration: configuration, sender: sender, shelf: shelf, app: app, now: now)
        await run.fetch()
        run.outcome.sort()
        if case .path(let path) = configuration.place, let shown = configuration.shownAs {
            run.outcome.rename(path, as: shown)
        }
        run.outcome.milliseconds = start.duration(to: .now).milliseconds
        return run.outcome
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}

extension FetchOutcome {
    /// Names a local folder or file in every message as the configuration writes it, so that what is stored and
    /// published says nothing of the machine and is the same on each.
    mutating func rename(_ path: String, as shown: String) {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        let encoded = full.split(separator: "/").map { "/\(percentEncoded(String($0)))" }.joined()
        let pairs = ["file://\(encoded)", full, path].filter { !$0.isEmpty }
        func told(_ diagnostic: Diagnostic) -> Diagnostic {
            diagnostic.mapTexts { text in pairs.reduce(text) { $0.replacing($1, with: shown) } }
        }
        warnings = warnings.map(told)
        failures = failures.map { Failure(at: $0.at, why: told($0.why)) }
        for index in snapshots.indices {
            snapshots[index].warnings = snapshots[index].warnings.map(told)
        }
    }
}
