package import AppHealth
package import Files

/// Snapshot files of which the archive holds all that they say, by the digests of their bytes: a fetch need not decode
/// them and compare them with the archive again.
package struct StoredFiles: Sendable {
    /// What a fetch must know of such a file.
    package struct File: Hashable, Sendable {
        /// The digest of its bytes, decompressed.
        package var digest: ContentDigest
        /// When it was captured.
        package var capturedAt: Instant
        /// The last day of which it has data.
        package var lastDay: CivilDate?

        /// Describes a file.
        package init(_ digest: ContentDigest, capturedAt: Instant, lastDay: CivilDate?) {
            (self.digest, self.capturedAt, self.lastDay) = (digest, capturedAt, lastDay)
        }
    }

    private struct Entry {
        let app: Slug
        let file: File
        /// The first source that stored it: most files have one.
        let source: Slug
        var others: [Slug] = []
    }

    private var entries: [ContentDigest: Entry] = [:]

    /// No file is known.
    package init() {}

    /// How many files are known.
    package var count: Int { entries.count }

    /// Adds a file that names an app and that a source of this app has stored.
    package mutating func insert(_ file: File, of app: Slug, source: Slug) {
        guard entries[file.digest] == nil else {
            entries[file.digest]?.others.append(source)
            return
        }
        entries[file.digest] = Entry(app: app, file: file, source: source)
    }

    /// A file that a source has stored; nil when it has not.
    func file(_ digest: ContentDigest, of app: Slug, source: Slug) -> File? {
        guard let entry = entries[digest], entry.app == app,
            entry.source == source || entry.others.contains(source)
        else { return nil }
        return entry.file
    }

    /// What the bytes with a digest say of themselves; nil when they are not known.
    func head(of digest: ContentDigest) -> (app: Slug, capturedAt: Instant)? {
        entries[digest].map { ($0.app, $0.file.capturedAt) }
    }
}
