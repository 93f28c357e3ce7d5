import Platform

/// Everything below a folder, each folder before what is in it; links are not followed.
///
/// - Parameters:
///   - expected: about how many there are.
///   - entersMounts: whether what is mounted below the folder is listed too: it is only to be read then.
/// - Throws: also when something is mounted below the folder, which is never ours to remove.
package func folderEntries(
    _ root: String, expected: Int = 0, entersMounts: Bool = false
) throws(FileFailure) -> [FolderEntry] {
    var status = stat()
    guard stat(root, &status) == 0 else { throw FileFailure("list", root) }
    var entries: [FolderEntry] = []
    entries.reserveCapacity(expected)
    let walk = FolderWalk(root: root, device: status.st_dev, action: entersMounts ? nil : "replace")
    try walk.visit { entries.append($0) }
    return entries
}

/// What has one of some names in a folder, with everything below it, each folder before what is in it.
///
/// - Throws: as for all of the folder.
package func folderEntries(_ root: String, named names: [String]) throws(FileFailure) -> [FolderEntry] {
    if names.isEmpty { return [] }
    var status = stat()
    guard stat(root, &status) == 0 else { throw FileFailure("list", root) }
    var entries: [FolderEntry] = []
    let walk = FolderWalk(
        root: root, device: status.st_dev, action: "replace", names: Set(names.map { Array($0.utf8) }))
    try walk.visit { entries.append($0) }
    return entries
}

/// Removes a folder with all that is in it; links are removed, not followed.
///
/// - Throws: also when something is mounted there or below; nothing is removed then.
package func removeFolder(_ path: String) throws(FileFailure) {
    guard let found = FoundName(path, in: AT_FDCWD), found.isFolder else {
        guard unlink(path) == 0 else { throw FileFailure("remove", path) }
        return
    }
    let walk = FolderWalk(root: path, device: found.status.st_dev, action: "remove")
    try walk.refuse(found, at: path)
    try walk.visit { _ in }
    try walk.remove(path)
}

/// A way through a folder that stops where something is mounted.
private struct FolderWalk {
    let root: String
    /// The file system of the folder.
    let device: dev_t
    /// What is to be done with the folder; nil where mounts do not hinder it.
    let action: String?
    /// The names in the folder itself that it goes to, by their bytes; nil for all of them.
    var names: Set<[UInt8]>?

    /// Goes to everything below the folder, each folder before what is in it.
    func visit(_ body: (FolderEntry) -> Void) throws(FileFailure) { try visit("", body) }

    private func visit(_ prefix: String, _ body: (FolderEntry) -> Void) throws(FileFailure) {
        let folder = prefix.isEmpty ? root : "\(root)/\(prefix)"
        let names = try listing(of: folder) { name, descriptor throws(FileFailure) in
            guard let found = FoundName(name, in: descriptor) else {
                throw FileFailure("list", "\(folder)/\(name)")
            }
            return (name: name, found: found)
        }
        for (name, found) in names where !prefix.isEmpty || self.names?.contains(Array(name.utf8)) != false {
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            body(FolderEntry(path, found.status))
            try refuse(found, at: "\(root)/\(path)")
            if found.isFolder { try visit(path, body) }
        }
    }

    /// Removes a folder, where nothing was mounted a moment ago.
    func remove(_ folder: String) throws(FileFailure) {
        for name in try folderNames(folder) {
            let path = "\(folder)/\(name)"
            if unlink(path) == 0 { continue }
            // A folder, whatever number this system has for that.
            let failure = FileFailure("remove", path)
            guard let found = FoundName(path, in: AT_FDCWD), found.isFolder else { throw failure }
            try refuse(found, at: path)
            try remove(path)
        }
        guard rmdir(folder) == 0 else { throw FileFailure("remove", folder) }
    }

    func refuse(_ found: FoundName, at path: String) throws(FileFailure) {
        if let action, found.isForeign(to: device) { throw .mounted(at: path, action, root) }
    }
}
