import AppHealth
import Archive
import Files
import Providers
import Site

/// Keeps which snapshot files the archive holds, for the next fetch.
///
/// Its lines are of words: the program; then for each source its app, its name, the state of the app, and after it a line
/// for each of its files.
struct StoredFilesRecord {
    /// So many that knowing them takes less memory than one large file; of sources beyond them the files are read.
    private static let mostFiles = 200_000

    private let records: FetchRecords
    private let kept: [UInt8]

    init(keptBy records: FetchRecords) {
        self.records = records
        kept = records.bytes(of: .files).map(Array.init) ?? []
    }

    /// The files that need not be read again: those of apps about which nothing was written since the last fetch.
    func files(of apps: [App], in archive: Archive, at now: Instant) throws(ArchiveError) -> StoredFiles {
        var stored = StoredFiles()
        var lines = kept.split(separator: UInt8(ascii: "\n"))[...]
        guard lines.popFirst()?.elementsEqual(programMark.utf8) == true else { return stored }
        let apps = Dictionary(apps.map { ($0.id, $0) }) { first, _ in first }
        var owner: (app: Slug, source: Slug)?
        for line in lines {
            let words = line.split(separator: UInt8(ascii: " "))
            if words.count == 4 {
                owner = nil
                let names = words.map { String(decoding: $0, as: UTF8.self) }
                guard let app = Slug(names[0]), let source = Slug(names[1]), let known = apps[app],
                    try archive.revision(of: app, asOf: now)?.mark == names[2],
                    digestOfValue(known) == names[3]
                else { continue }
                owner = (app, source)
            } else if let owner, let file = StoredFiles.File(words) {
                stored.insert(file, of: owner.app, source: owner.source)
            }
        }
        return stored
    }

    /// Keeps which files the sources of a fetch have stored.
    func keep(_ results: [SourceResult], in archive: Archive, at now: Instant) throws(ArchiveError) {
        var bytes = Array("\(programMark)\n".utf8)
        var count = 0
        for result in results where !result.files.isEmpty {
            count += result.files.count
            guard count <= Self.mostFiles, let description = digestOfValue(result.app),
                let mark = try archive.revision(of: result.app.id, asOf: now)?.mark
            else { continue }
            bytes += Array("\(result.app.id) \(result.source.id) \(mark) \(description)\n".utf8)
            for file in result.files { file.append(to: &bytes) }
        }
        guard count > 0 || !kept.isEmpty, bytes != kept else { return }
        records.keep(bytes, as: .files)
    }
}

extension StoredFiles.File {
    /// The file of a line.
    fileprivate init?(_ words: [ArraySlice<UInt8>]) {
        let numbers = words.dropFirst().map { Int(String(decoding: $0, as: UTF8.self)) }
        guard (1...2).contains(numbers.count), let digest = ContentDigest(hexadecimal: words[0]),
            let time = numbers[0], let day = numbers.count == 2 ? numbers[1] : .some(.min)
        else { return nil }
        self.init(
            digest, capturedAt: Instant(secondsSinceEpoch: time),
            lastDay: day == .min ? nil : CivilDate(daysSinceEpoch: day))
    }

    /// Appends the line of the file.
    fileprivate func append(to bytes: inout [UInt8]) {
        digest.appendDigits(to: &bytes)
        bytes += Array(" \(capturedAt.secondsSinceEpoch)".utf8)
        if let lastDay { bytes += Array(" \(lastDay.daysSinceEpoch)".utf8) }
        bytes.append(UInt8(ascii: "\n"))
    }
}
