import AppHealth
import Diagnostics
import Files

/// Whose each file of a folder is, so that a folder with the files of many apps is listed and read once for all.
struct SnapshotFolderIndex: Sendable {
    /// One file, as far as it must be known to find it again.
    struct File: Sendable {
        /// The path below the folder.
        let relative: String
        /// The app that it names; nil when it names none or cannot be read.
        var owner: Slug?
        /// The time that it names.
        var time: Instant?
        /// How many bytes it has, decompressed.
        var size = 0
        /// The digest of its bytes; nil for a table and for what cannot be read.
        var digest: ContentDigest?
    }

    /// Files that were not read, for there are more than a folder may have.
    struct Unread: Sendable {
        /// The first and the last of them by their paths.
        var first: String
        var last: String
        var count = 1
    }

    /// In the order of their paths.
    private(set) var files: [File]
    /// Why a file cannot be read.
    private(set) var faults: [Int: Diagnostic] = [:]
    /// Why reading ended before the last file.
    private(set) var interruption: Diagnostic?
    /// What was not read, for each series of files.
    let unread: [Unread]
    /// How many files there are, read or not.
    let total: Int
    private var owned: [Slug: [Int]] = [:]
    private var named: [String: [Int]] = [:]
    private var unnamed: [Int] = []

    /// Nothing is known but the names.
    init(_ entries: [SnapshotFolder.Entry], most: Int) {
        let (read, left) = newest(most, of: entries)
        files = read.map { File(relative: $0.relative) }
        total = entries.count
        unread = left
        for (number, entry) in read.enumerated() {
            faults[number] = entry.refusal.map { FilesError.refused($0).diagnostic }
        }
    }

    /// How many files were opened.
    var opened: Int { files.count + (interruption == nil ? 0 : 1) }

    /// The apps that files name, in the order of their names.
    func owners(but app: Slug) -> [String] { owned.keys.filter { $0 != app }.map(\.text).sorted() }

    /// The files that name no app and are taken for one by their paths, by that name.
    var namedOthers: [String: [String]] {
        Dictionary(grouping: files.filter { $0.owner == nil }.map(\.relative)) { path in
            let name = SnapshotFileName(path)
            guard name.namesAnApp else { return "" }
            return name.series.hasSuffix("-") ? String(name.series.dropLast()) : name.series
        }.filter { !$0.key.isEmpty }
    }

    /// The files that concern an app, in the order of their paths: those that name it, and those that name none and are
    /// not another app's by their paths.
    func files(of app: Slug) -> [Int] {
        (owned[app, default: []] + named[app.text, default: []] + unnamed).sorted()
    }

    /// Takes what was found in a file.
    mutating func add(_ found: Result<Found, RequestFault>, at number: Int) {
        switch found {
        case .success(let file):
            (files[number].owner, files[number].time) = (file.owner, file.time)
            (files[number].size, files[number].digest) = (file.bytes.count, file.digest)
        case .failure(let fault): faults[number] = fault.diagnostic
        }
    }

    /// Ends with the files before the one where reading was called off.
    mutating func end(before number: Int, _ why: Diagnostic) {
        files.removeSubrange(number...)
        interruption = why
    }

    /// Finds for each app its files.
    mutating func sort() {
        for (number, file) in files.enumerated() {
            if let owner = file.owner {
                owned[owner, default: []].append(number)
                continue
            }
            let name = SnapshotFileName(file.relative)
            guard name.namesAnApp else {
                unnamed.append(number)
                continue
            }
            for app in name.apps { named[app, default: []].append(number) }
        }
    }
}

extension SnapshotFolderIndex {
    /// What a file says of itself.
    struct Found: Sendable {
        var owner: Slug?
        var time: Instant?
        var bytes: [UInt8]
        var digest: ContentDigest?
        /// Whether a source has stored it before.
        var isStored = false
    }
}

/// So many files, of each series those whose names come last, and what is beyond them: no app loses all of its files
/// to another.
private func newest(
    _ most: Int, of entries: [SnapshotFolder.Entry]
) -> (read: [SnapshotFolder.Entry], left: [SnapshotFolderIndex.Unread]) {
    guard entries.count > most else { return (entries, []) }
    let series = entries.map { SnapshotFileName($0.relative).series }
    var ages: [String: Int] = [:]
    let ranked = entries.indices.reversed().map { number in
        let age = ages[series[number], default: 0]
        ages[series[number]] = age + 1
        return (age, number)
    }
    let kept = ranked.sorted { ($0.0, $1.1) < ($1.0, $0.1) }.prefix(max(0, most)).map(\.1).sorted()
    var (left, places): ([SnapshotFolderIndex.Unread], [String: Int]) = ([], [:])
    var next = kept[...]
    for number in entries.indices {
        if next.first == number {
            next.removeFirst()
            continue
        }
        let path = entries[number].relative
        if let place = places[series[number]] {
            left[place].last = path
            left[place].count += 1
        } else {
            places[series[number]] = left.count
            left.append(.init(first: path, last: path))
        }
    }
    return (kept.map { entries[$0] }, left)
}
