import Platform

/// Files and folders below a folder as they were at one moment, in two runs of bytes: whether they still are is seen
/// without a value for each, of which a site has tens of thousands.
package struct FolderListing: Sendable {
    /// The paths, each with a zero after it; the folder itself has none.
    private var paths: [UInt8] = []
    /// For each path ten numbers of eight bytes, the lowest first.
    private var numbers: [UInt8] = []

    /// One thing in a listing.
    package struct Item: Sendable {
        package let entry: FolderEntry
        /// The digest of the bytes of a file, where it is known.
        package let digest: ContentDigest?
    }

    /// A listing of nothing.
    package init() {}

    /// - Parameter entries: the folder itself under an empty path, and each folder before what is in it.
    package init(_ entries: some Sequence<FolderEntry>) {
        for entry in entries { add(entry) }
    }

    /// Adds what is next: a folder before what is in it. Of links and of other things that are neither file nor folder
    /// nothing is kept.
    package mutating func add(_ entry: FolderEntry, _ digest: ContentDigest? = nil) {
        guard entry.kind == .file || entry.kind == .folder else { return }
        paths += entry.path.utf8
        paths.append(0)
        let (stamp, rights) = (entry.stamp, entry.rights)
        add(stamp.node)
        add(UInt64(bitPattern: stamp.size))
        add(UInt64(bitPattern: stamp.written))
        add(UInt64(bitPattern: stamp.changed))
        add(
            UInt64(rights.mode) | (entry.kind == .folder ? Self.folderMark : 0)
                | (digest == nil ? 0 : Self.digestMark))
        add(UInt64(rights.user) << 32 | UInt64(rights.group))
        for word in digest?.words ?? [0, 0, 0, 0] { add(word) }
    }

    /// Adds a file of which only this is known.
    package mutating func add(file path: String, size: Int, _ digest: ContentDigest) {
        add(
            FolderEntry(
                path: path, kind: .file, stamp: FileStamp(node: 0, size: Int64(size), written: 0, changed: 0),
                rights: FolderEntry.Rights(mode: 0, user: 0, group: 0)), digest)
    }

    /// Adds what another listing has, as it is there.
    package mutating func add(_ record: Record) {
        paths.append(contentsOf: record.path)
        paths.append(0)
        numbers.append(contentsOf: record.numbers)
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { numbers.append(contentsOf: $0) }
    }

    /// What was there; nil when the two runs do not fit each other.
    package var items: [Item]? {
        var items: [Item] = []
        items.reserveCapacity(count)
        let fits = forEach { record in
            guard let item = record.item else { return false }
            items.append(item)
            return true
        }
        return fits ? items : nil
    }

    /// All of it in bytes.
    package var bytes: [UInt8] {
        var bytes = withUnsafeBytes(of: UInt64(paths.count).littleEndian) { Array($0) }
        bytes.reserveCapacity(bytes.count + paths.count + numbers.count)
        bytes += paths
        bytes += numbers
        return bytes
    }

    /// A listing of its bytes; nil when they are too few.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let count = bytes.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard count <= UInt64(bytes.count - 8) else { return nil }
        paths = Array(bytes[8..<8 + Int(count)])
        numbers = Array(bytes[(8 + Int(count))...])
    }

    /// Whether the same files with the same bytes are in an open folder, and nothing else in the folders that are
    /// listed: the time of a folder changes with each name that comes or goes in it. Files may have got or lost names
    /// elsewhere, but let the same users read them.
    ///
    /// - Parameter foldersAlone: whether no file is looked up: the names in the folders are the same then, but somebody may
    ///   have written to a file.
    package func isStill(in folder: OpenFolder, foldersAlone: Bool = false) -> Bool {
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else { return false }
        let device = status.st_dev
        return forEach { record in
            if foldersAlone, !record.isFolder { return true }
            guard record.look(in: folder, &status) else { return false }
            let (now, before, isFolder) = (FileStamp(status), record.stamp, record.isFolder)
            return status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) && status.st_dev == device
                && now.node == before.node && now.written == before.written
                && (isFolder || now.size == before.size && status.st_mode & 0o7777 == record.mode)
        }
    }

    /// Gives the folders that are listed the rights that the same ones of another folder have by now.
    package func giveFolderRights(in folder: OpenFolder, from other: OpenFolder) {
        var (own, theirs) = (stat(), stat())
        _ = forEach { record in
            guard record.isFolder, record.look(in: folder, &own), record.look(in: other, &theirs),
                FolderEntry.Rights(own) != FolderEntry.Rights(theirs)
            else { return true }
            folder.giveFolderRights(
                String(decoding: record.path, as: UTF8.self), FolderEntry.Rights(theirs), from: other)
            return true
        }
    }

    /// Whether the folder itself is listed; without it, files that the listing does not name are not seen.
    package var hasRoot: Bool { paths.first == 0 }

    /// What has to come and to go where this is listed, so that it is what another listing has; nil when one of them is
    /// damaged.
    package func changes(to later: FolderListing) -> FolderChanges? {
        guard let different = withCursor({ own in later.withCursor { differences(own, $0) } }) else {
            return nil
        }
        return FolderChanges(from: different.before, to: different.after)
    }

    private var count: Int { numbers.count / Self.size }

    /// Goes on with each thing until one says no; false also when the two runs do not fit each other.
    package func forEach<Failure>(
        _ body: (Record) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        try withCursor { (cursor) throws(Failure) -> Bool in
            var cursor = cursor
            while let record = cursor.next() {
                guard try body(record) else { return false }
            }
            return cursor.isAtEnd
        }
    }

    private func withCursor<Result, Failure>(
        _ body: (RecordCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try paths.withUnsafeBufferPointer { (paths) throws(Failure) -> Result in
            // `withUnsafeBytes` has no errors of one type.
            try numbers.withUnsafeBufferPointer { (numbers) throws(Failure) -> Result in
                try body(RecordCursor(paths, UnsafeRawBufferPointer(numbers)))
            }
        }
    }

    static let size = 80
    /// Bits that no mode has.
    fileprivate static let folderMark: UInt64 = 1 << 63
    fileprivate static let digestMark: UInt64 = 1 << 62
}

extension FolderListing {
    /// One thing in a listing as it is there, without a value for its path; it is there no longer than the call that
    /// hands it out.
    package struct Record {
        /// The path, without the zero after it, which is in the run too.
        package let path: UnsafeBufferPointer<UInt8>
        fileprivate let numbers: UnsafeRawBufferPointer

        init(_ numbers: UnsafeRawBufferPointer, _ path: UnsafeBufferPointer<UInt8>) {
            (self.path, self.numbers) = (path, numbers)
        }

        private func number(_ place: Int) -> UInt64 {
            UInt64(littleEndian: numbers.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
        }

        package var isFolder: Bool { number(4) & FolderListing.folderMark != 0 }

        fileprivate var mode: mode_t { mode_t(truncatingIfNeeded: number(4) & 0o7777) }

        /// Whether more is known of it than path, size and digest.
        package var isSeen: Bool { number(0) != 0 }

        package var stamp: FileStamp {
            FileStamp(
                node: number(0), size: Int64(bitPattern: number(1)), written: Int64(bitPattern: number(2)),
                changed: Int64(bitPattern: number(3)))
        }

        /// Whether both are folders, or files with the same bytes.
        func isLike(_ other: Record) -> Bool {
            isFolder == other.isFolder && (isFolder || stamp.isOfSameBytes(as: other.stamp))
        }

        /// The digest of the bytes of a file, where it is known.
        package var digest: ContentDigest? {
            number(4) & FolderListing.digestMark == 0 ? nil : ContentDigest(words: (6..<10).map(number))
        }

        /// The same as a value; nil when the path is no text.
        package var item: Item? {
            guard let text = String(validating: path, as: UTF8.self) else { return nil }
            let rights = FolderEntry.Rights(
                mode: mode,
                user: uid_t(truncatingIfNeeded: number(5) >> 32),
                group: gid_t(truncatingIfNeeded: number(5)))
            let kind: FolderEntry.Kind = isFolder ? .folder : .file
            return Item(
                entry: FolderEntry(path: text, kind: kind, stamp: stamp, rights: rights), digest: digest)
        }

        /// Looks at what has its path in an open folder; false when there is nothing.
        fileprivate func look(in folder: OpenFolder, _ status: inout stat) -> Bool {
            if path.isEmpty { return fstat(folder.descriptor, &status) == 0 }
            return path.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { fstatat(folder.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 }
                    ?? false
            }
        }
    }
}
