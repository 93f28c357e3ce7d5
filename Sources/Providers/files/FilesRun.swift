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
    private let take: SnapshotTaker?
    private let captureBefore: @Sendable (Instant) -> Instant?
    private var isCanceled = false
    private var readTables = TablesOfSource()
    private var tables: Set<Source> = []
    private var apps = AppsOfTables()
    /// What is needed of snapshots that were handed over or stored before.
    private var given = Given()

    /// - Parameters:
    ///   - take: takes snapshots in the order of their capture before all are read; nil to have all in the outcome.
    ///   - captureBefore: when the newest stored snapshot from before an instant was captured.
    init(
        configuration: FilesConfiguration, sender: any Sender, shelf: SnapshotFileCache, app: App,
        now: Instant, take: SnapshotTaker?, captureBefore: @escaping @Sendable (Instant) -> Instant?
    ) {
        self.take = take
        self.captureBefore = captureBefore
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
                await read(address, shown: address.description, path: address.path)
                takeTables(in: .address(address.description))
            case .path(let path): try await read(path: path)
            }
        } catch {
            fail(error.diagnostic, at: now)
        }
        dropTablesOfSeveralApps()
        joinTables()
        addAge()
    }

    /// Which of the tables are of the app is not known where they name several: none is taken.
    private mutating func dropTablesOfSeveralApps() {
        guard case .path(let path) = configuration.place, let why = apps.conflict(in: path) else { return }
        outcome.snapshots.removeAll { tables.contains($0.source) }
        fail(why, at: now)
    }

    /// Tables of one source are one source: each knows what all of them know, and is as sure as the least of them.
    private mutating func joinTables() {
        let known = tables.reduce(into: Set<Capability>()) { $0.formUnion($1.capabilities) }
        let estimates = tables.reduce(into: Set<CoveredFact>()) { $0.formUnion($1.estimates) }
        let places = outcome.snapshots.indices.filter { tables.contains(outcome.snapshots[$0].source) }
        for places in Dictionary(grouping: places, by: { outcome.snapshots[$0].capturedAt }).values {
            let words = WordsOfTables(places.map { outcome.snapshots[$0].source })
            for place in places {
                outcome.snapshots[place].source.capabilities = known
                outcome.snapshots[place].source.estimates = estimates
                words.describe(&outcome.snapshots[place].source)
            }
        }
    }

    /// Files that are no longer written are a failure of this fetch, which makes their data stale. Without an age
    /// they may be as old as a day and a half where they came daily so far, and as a month and a half otherwise. Of a
    /// file that is written over, the archive has what came before. A file that is written again and again with the same
    /// old days is stale too.
    private mutating func addAge() {
        let times = Set(given.times + outcome.snapshots.map(\.capturedAt)).sorted()
        guard let last = times.last else { return }
        let hours = configuration.mostHours ?? usualHours(of: times, last)
        guard last.seconds(to: now) > hours * 3600 else {
            return addAgeOfDays(max(hours, Silence.usualHours))
        }
        fail(
            .error(
                "files.stale", "files: the newest file is of \(last), which is more than \(hours) h ago",
                hints: ["run what writes the files, or set 'maxAge'"]), at: now, makesStale: true)
    }

    private func usualHours(of times: [Instant], _ last: Instant) -> Int {
        let earlier = [times.dropLast().last, captureBefore(last)].compactMap(\.self).max()
        return Silence.hours(after: earlier, last)
    }

    private mutating func addAgeOfDays(_ hours: Int) {
        let days = [given.lastDay, newestDay(of: outcome.snapshots)].compactMap(\.self)
        guard let last = days.max(),
            Instant(secondsSinceEpoch: (last.daysSinceEpoch + 1) * 86_400).seconds(to: now) > hours * 3600
        else { return }
        fail(
            .error(
                "files.stale",
                "files: the last day in the files is \(last), which is more than \(hours / 24) days ago",
                hints: ["let what writes the files bring newer days, or set 'maxAge'"]), at: now,
            makesStale: true)
    }

    private mutating func read(path: String) async throws(FilesError) {
        guard try sourceKind(path) == .folder else {
            await read(try fileAddress(path), shown: path, path: path)
            return takeTables(in: .file(path: path))
        }
        let reader = SnapshotFolderReader(path, configuration, sender)
        let index = try await shelf.index(of: reader).get()
        outcome.requests += index.opened
        await read(index, through: reader)
        report(index.unread, of: index, in: path)
        if let why = index.interruption, !isCanceled { fail(why, at: now) }
        takeTables(in: .file(path: path))
        if tables.isEmpty, let why = apps.passedOver { fail(why, at: now) }
        if outcome.snapshots.isEmpty, given.times.isEmpty, outcome.failures.isEmpty {
            throw .nothing(
                .init(
                    app: app.id.text, path: path, others: index.owners(but: app.id),
                    named: index.namedOthers, unreadable: outcome.warnings.map(\.summary),
                    passedOver: reader.passedOver))
        }
    }

    /// Reads the files of the app. Where they are large their snapshots are handed over, oldest first, before all are
    /// read; tables of one source are one whole and are not.
    private mutating func read(_ index: SnapshotFolderIndex, through reader: SnapshotFolderReader) async {
        var numbers = index.files(of: app.id)
        let areTables = numbers.contains { SnapshotFileName(index.files[$0].relative).isTable }
        if !areTables { skipStored(&numbers, in: index) }
        let size = numbers.reduce(0) { $0 + index.files[$1].size }
        let isHandingOver = take != nil && size > configuration.mostHeldBytes && !areTables
        if isHandingOver {
            numbers.sort {
                (index.files[$0].time ?? now, $0) < (index.files[$1].time ?? now, $1)
            }
        }
        var held = 0
        for number in numbers where !isCanceled {
            if isHandingOver, held > 0, held + index.files[number].size > configuration.mostHeldBytes {
                await handOver()
                if isCanceled { return }
                held = 0
            }
            await read(number, of: index, through: reader)
            held += index.files[number].size
        }
    }

    /// Leaves the files to read: those of which the archive does not hold all, and whatever was captured since the first
    /// of them, as what is stored of a snapshot depends on those before it.
    private mutating func skipStored(_ numbers: inout [Int], in index: SnapshotFolderIndex) {
        func stored(_ number: Int) -> StoredFiles.File? {
            guard let digest = index.files[number].digest,
                let file = shelf.stored.file(digest, of: app.id, source: configuration.id)
            else { return nil }
            return isAhead(file.capturedAt) ? nil : file
        }
        let first = numbers.filter { stored($0) == nil }.compactMap { index.files[$0].time }.min()
        numbers.removeAll { number in
            guard let file = stored(number), first.map({ file.capturedAt < $0 }) ?? true else { return false }
            outcome.files.append(file)
            outcome.storedBefore += 1
            given.note(file)
            return true
        }
    }

    private mutating func handOver() async {
        guard let take, !outcome.snapshots.isEmpty else { return }
        given.note(outcome.snapshots)
        let snapshots = outcome.snapshots
        outcome.snapshots = []
        if await !take(snapshots) { isCanceled = true }
    }

    private mutating func read(
        _ number: Int, of index: SnapshotFolderIndex, through reader: SnapshotFolderReader
    ) async {
        let file = index.files[number]
        let name = SnapshotFileName(file.relative)
        if let why = index.faults[number] {
            return unreadable(why, at: name.time, whose: owner(of: name, in: index))
        }
        do throws(RequestFault) {
            var bytes = await shelf.bytes(of: number, in: reader.key, isLast: file.owner == app.id)
            if bytes == nil { bytes = try await reader.bytes(of: file.relative) }
            add(
                bytes ?? [],
                of: ReadFile(
                    shown: reader.path(of: file.relative), name: name, named: file.owner, time: file.time,
                    digest: file.digest, owner: owner(of: name, in: index)))
        } catch {
            isCanceled = error.isCanceled
            unreadable(
                error.diagnostic, at: isCanceled ? now : name.time,
                whose: isCanceled ? .ours : owner(of: name, in: index))
        }
    }

    /// What is beyond the most files of a folder is a failure of the app that it is about, by its name.
    private mutating func report(
        _ unread: [SnapshotFolderIndex.Unread], of index: SnapshotFolderIndex, in path: String
    ) {
        for owner in [Owner.ours, .unknown] {
            let concerned = unread.filter { self.owner(of: SnapshotFileName($0.first)) == owner }
            guard !concerned.isEmpty else { continue }
            let count = concerned.reduce(0) { $0 + $1.count }
            let more = concerned.count > Self.namedSeries ? ["and more"] : []
            unreadable(
                .error(
                    "files.many",
                    "files: \(count) of the folder's \(index.total) files were not read",
                    details: concerned.prefix(Self.namedSeries).map {
                        $0.count == 1 ? $0.first : "\($0.count) files from \($0.first) to \($0.last)"
                    } + more, at: .file(path: path),
                    hints: ["move old files elsewhere; the archive keeps what was read"]),
                at: nil, whose: owner)
        }
    }

    /// How many series of files a message names.
    private static let namedSeries = 10

    /// Reads the only file; whatever is wrong with it concerns the app.
    private mutating func read(_ address: Address, shown: String, path: String) async {
        outcome.requests += 1
        let name = SnapshotFileName(path)
        do throws(RequestFault) {
            let bytes = try await fileBytes(at: address, through: sender, configuration.limitsOfOne)
            add(bytes, of: ReadFile(shown: shown, name: name, isOnly: true))
        } catch {
            isCanceled = error.isCanceled
            unreadable(error.diagnostic, at: isCanceled ? now : name.time, whose: .ours)
        }
    }

    /// Takes what a file says of the app.
    private mutating func add(_ bytes: [UInt8], of file: ReadFile) {
        if file.name.isTable { return read(table: bytes, of: file) }
        let reader = SnapshotReader(app: app, sourceID: configuration.id, document: file.shown)
        do throws(DecodingFailure) {
            add(try reader.snapshot(from: bytes), from: file.shown, digest: file.digest)
        } catch {
            let isOurs = file.isOnly || file.named == app.id
            let time = file.isOnly ? reader.envelope(of: bytes)?.time : file.time
            unreadable(
                error.diagnostic, at: time ?? file.name.time, whose: isOurs ? .ours : file.owner,
                isTable: false)
        }
    }

    /// Reads a table of days; it is about the app that a comment names, otherwise about that of its path.
    private mutating func read(table bytes: [UInt8], of file: ReadFile) {
        // A table that names no app is about the one that it is configured for.
        guard file.isOnly || file.named == app.id || owner(of: file.name) != .anotherApp else { return }
        let reader = CSVSnapshotReader(
            app: app, sourceID: configuration.id, document: file.shown,
            fileTime: file.name.time ?? writtenAt(file.shown), layout: configuration.layout)
        do throws(CSVSnapshotError) {
            let read = try reader.read(bytes)
            readTables.add(
                .init(
                    read: read, document: file.shown, time: file.name.time,
                    named: read.statesTime ? nil : file.name.otherTime))
        } catch {
            readTables.hasUnread = true
            let why = error.diagnostic(in: file.shown)
            if case .noRowOfApp = error, !file.isOnly { return apps.pass(over: why) }
            fail(why, at: error.capturedAt.map { min($0, now) } ?? file.name.time ?? now)
        }
    }

    /// Takes the tables that have the columns that they should have.
    private mutating func takeTables(in place: Location) {
        readTables.orderByNames()
        let (taken, faults) = readTables.checked(in: place)
        for table in taken {
            apps.add(table.read.app, in: table.document)
            tables.insert(table.read.snapshot.source)
            add(
                table.read.snapshot.withoutDaysToCome(at: .file(path: table.document)), from: table.document)
        }
        for (time, why) in faults { fail(why, at: time ?? now) }
        let areEmpty = taken.allSatisfy { $0.read.snapshot.health.isEmpty && $0.read.snapshot.usage.isEmpty }
        if areEmpty, !taken.isEmpty { outcome.warnings.append(noDay(in: place)) }
    }

    /// When a local file was written; what lies elsewhere is as new as this run.
    private func writtenAt(_ path: String) -> Instant {
        guard case .path = configuration.place,
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        else { return now }
        return min(now, Instant(secondsSinceEpoch: Int(date.timeIntervalSince1970)))
    }
}

extension FilesRun {
    private mutating func add(_ snapshot: Snapshot, from document: String, digest: ContentDigest? = nil) {
        // It would be the newest that is known until that day comes, and hide what is fetched before it.
        guard !isAhead(snapshot.capturedAt) else {
            return fail(aheadOfTime(snapshot.capturedAt, in: document), at: now)
        }
        outcome.snapshots.append(snapshot)
        // A release that was to come is no fault of the file: it is said once.
        guard let digest, snapshot.warnings.count == snapshot.releasesToCome else { return }
        outcome.files.append(
            .init(digest, capturedAt: snapshot.capturedAt, lastDay: newestDay(of: [snapshot])))
    }

    private func aheadOfTime(_ capture: Instant, in document: String) -> Diagnostic {
        .error(
            "files.future",
            "files: capturedAt \(capture) is "
                + (configuration.isTimeGiven
                    ? "after \(now), the time that 'asOf' sets" : "ahead of the clock, \(now)"),
            details: ["the file was set aside: nothing of it was stored"],
            at: .keyPath(document: document, path: "capturedAt"),
            hints: [
                configuration.isTimeGiven
                    ? "remove 'asOf' from the configuration, or set it to a later time"
                    : "fix the clock of the machine that wrote the file, or of this one, and write the file again"
            ])
    }

    /// Whether the clock that gave a time was ahead of this one's.
    private func isAhead(_ time: Instant) -> Bool { now.seconds(to: time) > Instant.mostAheadSeconds }

    private enum Owner {
        case ours
        case anotherApp
        case unknown
    }

    /// A file whose bytes are at hand.
    private struct ReadFile {
        /// What messages call it.
        let shown: String
        let name: SnapshotFileName
        /// The app that it names itself.
        var named: Slug?
        /// When it was captured, where that is known before it is read.
        var time: Instant?
        /// Of a file whose snapshot need not be read again once it is stored.
        var digest: ContentDigest?
        /// Whether the source has no other file.
        var isOnly = false
        /// Whose it is where it names no app.
        var owner = Owner.ours
    }

    /// To which app a file belongs that does not name it.
    private func owner(of name: SnapshotFileName) -> Owner {
        if name.belongs(to: app.id) { return .ours }
        return name.namesAnApp ? .anotherApp : .unknown
    }

    /// The same in a folder: where its files name no other app, one with a date that names none is the app's too.
    private func owner(of name: SnapshotFileName, in index: SnapshotFolderIndex) -> Owner {
        let owner = owner(of: name)
        guard owner == .unknown, name.time != nil, index.owners(but: app.id).isEmpty else { return owner }
        return .ours
    }

    /// Reports a file that cannot be read; another app's file is reported when that app is fetched.
    ///
    /// - Parameter isTable: whether it may be a table.
    private mutating func unreadable(
        _ why: Diagnostic, at time: Instant?, whose owner: Owner, isTable: Bool = true
    ) {
        if isTable, owner != .anotherApp { readTables.hasUnread = true }
        switch owner {
        case .ours: fail(why, at: time ?? now)
        case .anotherApp: break
        case .unknown:
            var why = why
            why.severity = .warning
            outcome.warnings.append(why)
        }
    }

    private mutating func fail(_ why: Diagnostic, at time: Instant, makesStale: Bool = false) {
        outcome.failures.append(FetchOutcome.Failure(at: time, why: why, makesStale: makesStale))
    }
}

/// That tables can be read and have no day.
private func noDay(in place: Location) -> Diagnostic {
    .warning(
        "files.no-day", "files: no table has a day with a count", at: place,
        hints: ["check what selects the rows where they are written: the app, the days and the conditions"])
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

extension FilesRun {
    /// What is needed of snapshots that were handed over or stored before.
    private struct Given {
        var times: [Instant] = []
        var lastDay: CivilDate?

        mutating func note(_ snapshots: [Snapshot]) {
            times += snapshots.map(\.capturedAt)
            lastDay = [lastDay, newestDay(of: snapshots)].compactMap(\.self).max()
        }

        mutating func note(_ file: StoredFiles.File) {
            times.append(file.capturedAt)
            lastDay = [lastDay, file.lastDay].compactMap(\.self).max()
        }
    }
}

/// The last day with data.
private func newestDay(of snapshots: [Snapshot]) -> CivilDate? {
    snapshots.compactMap { snapshot in
        [
            snapshot.health.map(\.date).max(), snapshot.usage.map(\.date).max(),
            snapshot.issueDays.map(\.date).max(),
        ].compactMap(\.self).max()
    }.max()
}
