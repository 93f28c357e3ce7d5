import AppHealth
import Diagnostics
import Files
import Foundation
import Transport

/// One fetch of one app from files.
struct FilesRun {
    let configuration: FilesConfiguration
    let sender: any Sender
    let shelf: SnapshotFileCache
    let app: App
    let now: Instant
    var outcome = FetchOutcome()
    private var others: Set<String> = []
    private var isCancelled = false
    private var tables: Set<Source> = []

    init(
        configuration: FilesConfiguration, sender: any Sender, shelf: SnapshotFileCache, app: App,
        now: Instant
    ) {
        self.configuration = configuration
        self.sender = sender
        self.shelf = shelf
        self.app = app
        self.now = now
    }

    mutating func fetch() async {
        do throws(FilesError) {
            switch configuration.place {
            case .address(let address):
                await read(
                    address, shown: address.description, name: SnapshotFileName(address.path), isOnly: true)
            case .path(let path): try await read(path: path)
            }
        } catch {
            fail(error.diagnostic, at: now)
        }
        joinTables()
        addAge()
    }

    /// Tables of one source are one source: each knows what all of them know, and is as sure as the least of them.
    private mutating func joinTables() {
        let known = tables.reduce(into: Set<Capability>()) { $0.formUnion($1.capabilities) }
        let estimates = tables.reduce(into: Set<CoveredFact>()) { $0.formUnion($1.estimates) }
        for index in outcome.snapshots.indices where tables.contains(outcome.snapshots[index].source) {
            outcome.snapshots[index].source.capabilities = known
            outcome.snapshots[index].source.estimates = estimates
        }
    }

    /// Files that are no longer written are a failure of this fetch, which makes their data stale. Without an age
    /// they may be as old as a day and a half where they came daily so far, and as a month and a half otherwise. A file
    /// that is written again and again with the same old days is stale too.
    private mutating func addAge() {
        let times = outcome.snapshots.map(\.capturedAt).sorted()
        guard let last = times.last else { return }
        let isDaily = times.count > 1 && times[times.count - 2].seconds(to: last) <= Self.dailyHours * 3600
        let hours = configuration.mostHours ?? (isDaily ? Self.dailyHours : Self.usualHours)
        guard last.seconds(to: now) > hours * 3600 else { return addAgeOfDays(max(hours, Self.usualHours)) }
        fail(
            .error(
                "files.stale", "files: the newest file is of \(last), which is more than \(hours) h ago",
                hints: ["run what writes the files, or set 'maxAge'"]), at: now)
    }

    /// The age from which files that come daily are stale.
    private static let dailyHours = 36
    /// The age from which other files are.
    private static let usualHours = 45 * 24

    private mutating func addAgeOfDays(_ hours: Int) {
        let days = outcome.snapshots.flatMap { snapshot in
            snapshot.health.map(\.date) + snapshot.usage.map(\.date) + snapshot.issueDays.map(\.date)
        }
        guard let last = days.max(),
            Instant(secondsSinceEpoch: (last.daysSinceEpoch + 1) * 86_400).seconds(to: now) > hours * 3600
        else { return }
        fail(
            .error(
                "files.stale",
                "files: the last day in the files is \(last), which is more than \(hours / 24) days ago",
                hints: ["let what writes the files bring newer days, or set 'maxAge'"]), at: now)
    }

    private mutating func read(path: String) async throws(FilesError) {
        guard try sourceKind(path) == .folder else {
            await read(try fileAddress(path), shown: path, name: SnapshotFileName(path), isOnly: true)
            return
        }
        let folder = SnapshotFolder(path, readsTexts: configuration.layout.preset != nil)
        for entry in bounded(try folder.entries()) where !isCancelled {
            await read(entry)
        }
        if outcome.snapshots.isEmpty, outcome.failures.isEmpty {
            throw .nothing(app: app.id.text, path: path, others: others.sorted())
        }
    }

    private mutating func read(_ entry: SnapshotFolder.Entry) async {
        let name = SnapshotFileName(entry.relative)
        if let refusal = entry.refusal {
            return unreadable(FilesError.refused(refusal).diagnostic, at: nil, whose: owner(of: name))
        }
        do throws(FilesError) {
            await read(try fileAddress(entry.path), shown: entry.path, name: name, isOnly: false)
        } catch {
            unreadable(error.diagnostic, at: name.time, whose: owner(of: name))
        }
    }

    private mutating func bounded(_ entries: [SnapshotFolder.Entry]) -> ArraySlice<
        SnapshotFolder.Entry
    > {
        if entries.count > configuration.mostFiles {
            outcome.warnings.append(
                .warning(
                    "files.many",
                    "files: only the last \(configuration.mostFiles) of \(entries.count) files were read",
                    hints: ["move old files elsewhere; the archive keeps what was read"]))
        }
        return entries.suffix(configuration.mostFiles)
    }

    /// Reads one file; when it is the only one, whatever is wrong with it concerns the app.
    private mutating func read(
        _ address: Address, shown: String, name: SnapshotFileName, isOnly: Bool
    ) async {
        outcome.requests += 1
        let file: SnapshotFileCache.File
        do throws(RequestFault) {
            file = try await self.file(at: address, shown: shown, name: name, isOnly: isOnly)
        } catch {
            if error.isCancelled {
                isCancelled = true
                return fail(error.diagnostic, at: now)
            }
            return unreadable(error.diagnostic, at: name.time, whose: isOnly ? .ours : owner(of: name))
        }
        if let other = file.owner, other != app.id, !isOnly {
            others.insert(other.text)
            return
        }
        let bytes = file.bytes ?? []
        if name.isTable {
            return read(table: bytes, of: file.owner, shown: shown, name: name, isOnly: isOnly)
        }
        let reader = SnapshotReader(app: app, sourceID: configuration.id, document: shown)
        do throws(DecodingFailure) {
            add(try reader.snapshot(from: bytes), from: shown)
        } catch {
            let isOurs = isOnly || file.owner == app.id
            let time = isOnly ? reader.envelope(of: bytes)?.time : file.time
            unreadable(error.diagnostic, at: time ?? name.time, whose: isOurs ? .ours : owner(of: name))
        }
    }

    /// Reads a table of days; it is about the app that a comment names, otherwise about that of its path.
    private mutating func read(
        table bytes: [UInt8], of named: Slug?, shown: String, name: SnapshotFileName, isOnly: Bool
    ) {
        // A table that names no app is about the one that it is configured for.
        guard isOnly || named == app.id || owner(of: name) != .anotherApp else { return }
        let reader = CSVSnapshotReader(
            app: app, sourceID: configuration.id, document: shown,
            fileTime: name.time ?? writtenAt(shown), layout: configuration.layout)
        do throws(CSVSnapshotError) {
            let snapshot = try reader.snapshot(from: bytes)
            tables.insert(snapshot.source)
            add(snapshot, from: shown)
        } catch {
            fail(error.diagnostic(in: shown), at: name.time ?? now)
        }
    }

    /// When a local file was written; what lies elsewhere is as new as this run.
    private func writtenAt(_ path: String) -> Instant {
        guard case .path = configuration.place,
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        else { return now }
        return min(now, Instant(secondsSinceEpoch: Int(date.timeIntervalSince1970)))
    }

    /// A file of a directory is read once for all apps; a file that is the only one belongs to whichever app is read.
    private func file(
        at address: Address, shown: String, name: SnapshotFileName, isOnly: Bool
    ) async throws(RequestFault) -> SnapshotFileCache.File {
        var limits = configuration.limits
        limits.bodyBytes = configuration.mostBytes
        let request = Request(.get, address, limits: limits)
        let reader = SnapshotReader(app: app, sourceID: configuration.id, document: shown)
        let (sender, isTable, most) = (sender, name.isTable, configuration.mostBytes)
        let read: SnapshotFileCache.DataState = {
            do throws(RequestFault) {
                let bytes = try uncompressed(
                    try await sender.goodResponse(to: request), most: most)
                if isOnly { return .success(.init(bytes: bytes)) }
                if isTable {
                    return .success(.init(owner: CSVSnapshotReader.app(in: bytes), bytes: bytes))
                }
                let envelope = reader.envelope(of: bytes)
                return .success(.init(owner: envelope?.slug, time: envelope?.time, bytes: bytes))
            } catch {
                return .failure(error)
            }
        }
        return try await (isOnly ? read() : shelf.file(at: address, for: app.id, read)).get()
    }
}

extension FilesRun {
    private mutating func add(_ snapshot: Snapshot, from document: String) {
        // It would be the newest that is known until that day comes, and hide what is fetched before it.
        guard now.seconds(to: snapshot.capturedAt) <= Self.mostAheadSeconds else {
            return fail(
                .error(
                    "files.future", "files: capturedAt \(snapshot.capturedAt) is ahead of the clock, \(now)",
                    details: ["the file was set aside: nothing of it was stored"],
                    at: .keyPath(document: document, path: "capturedAt"),
                    hints: [
                        "fix the clock of the machine that wrote the file, or of this one, and write the file again"
                    ]), at: now)
        }
        outcome.snapshots.append(snapshot)
    }

    /// How far a clock may be ahead of this one's.
    private static let mostAheadSeconds = 3600

    private enum Owner {
        case ours
        case anotherApp
        case unknown
    }

    /// To which app a file belongs that does not name it.
    private func owner(of name: SnapshotFileName) -> Owner {
        if name.belongs(to: app.id) { return .ours }
        return name.namesAnApp ? .anotherApp : .unknown
    }

    /// Reports a file that cannot be read; another app's file is reported when that app is fetched.
    private mutating func unreadable(_ why: Diagnostic, at time: Instant?, whose owner: Owner) {
        switch owner {
        case .ours: fail(why, at: time ?? now)
        case .anotherApp: break
        case .unknown:
            var why = why
            why.severity = .warning
            outcome.warnings.append(why)
        }
    }

    private mutating func fail(_ why: Diagnostic, at time: Instant) {
        outcome.failures.append(FetchOutcome.Failure(at: time, why: why))
    }
}

/// What the path of a source leads to.
func sourceKind(_ path: String) throws(FilesError) -> PathKind {
    let kind: PathKind
    do throws(FileFailure) {
        kind = try knownKind(path)
    } catch {
        throw .refused(error)
    }
    guard kind != .missing else { throw .missing(path: path) }
    return kind
}

/// The body of a response, undone where it is a gzip file. Such a file is whole, as it says how long it is, so its last
/// line ends.
private func uncompressed(_ response: Response, most: Int) throws(RequestFault) -> [UInt8] {
    guard isGzip(response.body) else { return response.body }
    do throws(TransportError) {
        let bytes = try response.gunzippedBody(most: most)
        return bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
    } catch {
        throw .transport(error)
    }
}

/// Whether the bytes begin as gzip files do (RFC 1952); neither JSON nor a table does.
func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

/// The address of a file on this machine; a relative path begins at the working directory.
func fileAddress(_ path: String) throws(FilesError) -> Address {
    let full = URL(fileURLWithPath: path).standardizedFileURL.path
    let path = full.split(separator: "/").map { "/\(percentEncoded(String($0)))" }.joined()
    do throws(AddressError) {
        return try Address("file://\(path)")
    } catch {
        throw .path(full)
    }
}
