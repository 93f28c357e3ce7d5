import Platform

/// Files and folders below a folder as they were at one moment, in two runs of bytes: whether they still are is seen
/// without a value for each, of which a site has tens of thousands.
package struct FolderListing: Codable, Sendable {
    /// The paths, each with a zero after it; the folder itself has none.
    private var paths: [UInt8] = []
    /// For each path six numbers of eight bytes, the lowest first.
    private var numbers: [UInt8] = []

    /// A listing of nothing, with room for about so many entries.
    package init(room: Int = 0) {
        paths.reserveCapacity(room * 48)
        numbers.reserveCapacity(room * Self.size)
    }

    /// - Parameter entries: the folder itself under an empty path, and each folder before what is in it.
    package init(_ entries: some Sequence<FolderEntry>) {
        for entry in entries { add(entry) }
    }

    /// Adds what is next: a folder before what is in it. Of links and of other things that are neither file nor folder
    /// nothing is kept.
    package mutating func add(_ entry: FolderEntry) {
        guard entry.kind == .file || entry.kind == .folder else { return }
        paths += entry.path.utf8
        paths.append(0)
        let (stamp, rights) = (entry.stamp, entry.rights)
        add(stamp.node)
        add(UInt64(bitPattern: stamp.size))
        add(UInt64(bitPattern: stamp.written))
        add(UInt64(bitPattern: stamp.changed))
        add(UInt64(rights.mode) | (entry.kind == .folder ? Self.folderMark : 0))
        add(UInt64(rights.user) << 32 | UInt64(rights.group))
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { numbers.append(contentsOf: $0) }
    }

    /// What was there; nil when the two runs do not fit each other.
    package var entries: [FolderEntry]? {
        var entries: [FolderEntry] = []
        entries.reserveCapacity(count)
        let fits = forEach { path, numbers in
            guard let text = String(validating: path, as: UTF8.self) else { return false }
            let mode = numbers[4]
            entries.append(
                FolderEntry(
                    path: text, kind: mode & Self.folderMark != 0 ? .folder : .file,
                    stamp: FileStamp(
                        node: numbers[0], size: Int64(bitPattern: numbers[1]),
                        written: Int64(bitPattern: numbers[2]), changed: Int64(bitPattern: numbers[3])),
                    rights: FolderEntry.Rights(
                        mode: mode_t(truncatingIfNeeded: mode),
                        user: uid_t(truncatingIfNeeded: numbers[5] >> 32),
                        group: gid_t(truncatingIfNeeded: numbers[5]))))
            return true
        }
        return fits ? entries : nil
    }

    /// Whether the same files with the same bytes are in a folder, and nothing else: the time of a folder changes with
    /// each name that comes or goes in it. Files may have got or lost names elsewhere.
    package func isStill(_ folder: String) -> Bool {
        let descriptor = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let device = status.st_dev
        var hasRoot = false
        let isStill = forEach { path, numbers in
            if path.isEmpty {
                guard fstat(descriptor, &status) == 0 else { return false }
                hasRoot = true
            } else {
                // The zero after the path is in the run too.
                let found = path.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? -1
                }
                guard found == 0 else { return false }
            }
            let isFolder = numbers[4] & Self.folderMark != 0
            let now = FileStamp(status)
            return status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) && status.st_dev == device
                && now.node == numbers[0] && now.written == Int64(bitPattern: numbers[2])
                && (isFolder || now.size == Int64(bitPattern: numbers[1]))
        }
        return isStill && hasRoot
    }

    private var count: Int { numbers.count / Self.size }

    /// Goes on with each path, without the zero after it, and its numbers until one says no; false also when the two
    /// runs do not fit each other.
    private func forEach(_ body: (UnsafeBufferPointer<UInt8>, [UInt64]) -> Bool) -> Bool {
        guard numbers.count == count * Self.size else { return false }
        return paths.withUnsafeBufferPointer { paths in
            numbers.withUnsafeBytes { numbers in
                var (start, own) = (0, [UInt64](repeating: 0, count: Self.size / 8))
                for place in 0..<count {
                    guard let end = paths[start...].firstIndex(of: 0) else { return false }
                    for number in own.indices {
                        own[number] = UInt64(
                            littleEndian: numbers.loadUnaligned(
                                fromByteOffset: place * Self.size + number * 8, as: UInt64.self))
                    }
                    guard body(UnsafeBufferPointer(rebasing: paths[start..<end]), own) else { return false }
                    start = end + 1
                }
                return start == paths.count
            }
        }
    }

    private static let size = 48
    /// A bit that no mode has.
    private static let folderMark: UInt64 = 1 << 63
}
