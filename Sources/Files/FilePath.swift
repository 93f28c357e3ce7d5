import Platform

/// What a path leads to.
package enum PathKind: Sendable {
    case missing, file, folder, link, other
}

/// What a path leads to; never a link when links are followed. What the system does not say counts as missing: where that
/// would be a wrong answer, `knownKind` is the one to ask.
package func pathKind(_ path: String, followsLink: Bool = true) -> PathKind {
    var status = stat()
    guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
}

/// What a path leads to, links followed.
///
/// - Throws: `FileFailure` when the system does not say, as for a folder that may not be entered or a disk that fails:
///   only what is not there is missing.
package func knownKind(_ path: String) throws(FileFailure) -> PathKind {
    let kind = pathKind(path)
    guard kind == .missing else { return kind }
    var status = stat()
    guard stat(path, &status) != 0 else { return pathKind(path) }
    let failure = FileFailure("read", path)
    // A link that leads nowhere is as good as none.
    if failure.isMissing { return .missing }
    throw failure
}

/// The paths of the files below a folder, in order; hidden files are skipped.
///
/// - Parameter limits: the folder out of which no link may lead; nil where links may lead anywhere.
/// - Throws: `FileFailure`, also for folders that are below themselves by a link.
package func filesBelow(_ folder: String, within limits: String? = nil) throws(FileFailure) -> [String] {
    var paths: [String] = []
    try addFiles(of: folder, "", within: limits, [], &paths)
    return paths
}

private func addFiles(
    of folder: String, _ prefix: String, within limits: String?, _ above: Set<String>, _ paths: inout [String]
) throws(FileFailure) {
    let place = fullPath(folder)
    guard !above.contains(place) else { throw FileFailure("list", folder, code: ELOOP) }
    for name in try folderNames(folder) where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        if let limits, pathKind(path, followsLink: false) == .link, Files.path(of: path, below: limits) == nil
        {
            throw .leaves(limits, path)
        }
        switch try knownKind(path) {
        case .folder:
            try addFiles(
                of: path, "\(prefix)\(name)/", within: limits, above.union([place]), &paths)
        case .file: paths.append(prefix + name)
        case .missing, .link, .other: continue
        }
    }
}

/// Where a path leads to when it is a link, else the path itself.
package func targetOfLink(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    return fullPath(path)
}

/// The path of a folder from the top of the file system, without links; as it is when there is no such folder.
package func fullPath(_ folder: String) -> String { realPath(folder) ?? folder }

/// The path of what is there, from the top of the file system and without links; nil when nothing is, or the system does
/// not say.
package func realPath(_ path: String) -> String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    return String(cString: whole)
}

/// A path to the same folder that ends in a name: without slashes and dots at its end, and from the top of the file system
/// where it ends in `..` or is `.`.
package func namedPath(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    let (folder, name) = splitPath(path)
    guard name == "." || name == ".." else { return path }
    let whole = fullPath(path)
    // Of a folder that is not there yet, that above it is meant.
    return whole == path && name == ".." ? namedPath(splitPath(namedPath(folder)).folder) : whole
}

/// What a symbolic link says; nil when it is none.
package func linkTarget(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &bytes, bytes.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// 128 bits from the kernel as 32 hexadecimal digits: a name that no other process chooses.
package func randomName() -> String {
    (0..<2).map { _ in
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
}

/// The folder above a path and its last part. A slash is a byte: before a mark that goes onto a letter it is no character
/// of its own.
package func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.utf8.index(after: slash)...]))
}
