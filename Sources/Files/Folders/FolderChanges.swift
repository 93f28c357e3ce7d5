/// What has to come and to go in a folder, so that it has the same files as another one: the very same, under a second
/// name.
package struct FolderChanges: Sendable {
    /// The files and folders that go, each folder before what is in it. A file that becomes another one goes too.
    package private(set) var gone: [FolderEntry] = []
    /// The files that come.
    package private(set) var come: [FolderEntry] = []

    init() {}

    init(from before: [FolderListing.Item], to after: [FolderListing.Item]) {
        var left = Dictionary(before.map { ($0.entry.path, $0.entry) }, uniquingKeysWith: { $1 })
        for entry in after.lazy.map(\.entry) {
            let isFolder = entry.kind == .folder
            if let old = left[entry.path], old.kind == entry.kind,
                isFolder || old.stamp.isOfSameBytes(as: entry.stamp)
            {
                left[entry.path] = nil
            } else if !isFolder {
                come.append(entry)
            }
        }
        gone = before.map(\.entry).filter { left[$0.path] != nil }
    }

    /// Whether nothing comes or goes.
    package var isEmpty: Bool { gone.isEmpty && come.isEmpty }

    /// Whether what goes still is as it was listed in a folder.
    package func isStill(in folder: OpenFolder) -> Bool {
        gone.allSatisfy { $0.kind == .folder || folder.has($0) }
    }

    /// Makes them.
    ///
    /// - Parameter root: the folder with the files that come.
    package func make(in folder: OpenFolder, from root: String) throws(FileFailure) {
        for entry in gone.reversed() { folder.remove(entry, linked: true) }
        for entry in come { try folder.link(entry, from: root) }
    }
}
