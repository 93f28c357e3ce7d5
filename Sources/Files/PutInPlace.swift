import Platform

/// Puts a folder, or a link to one, under the name of a folder: in one step where the file system can exchange two names.
///
/// Where it cannot, two renames do it. Between them nothing has the name for a moment, and where the process ends there, the
/// old folder is the only one.
///
/// - Parameters:
///   - path: the name, which nothing needs to have.
///   - old: where the old folder goes when it takes two renames.
///   - what: what takes the name, for messages.
/// - Returns: where the old folder is then; nil when there was none.
package func putInPlace(
    _ new: String, of path: String, movingOldTo old: String, what: String = "site"
) throws(FileFailure) -> String? {
    let (move, moveOld) = ("move the new \(what) to", "move the old site from")
    if pathKind(path) == .missing {
        guard rename(new, path) == 0 else { throw FileFailure(move, path) }
        return nil
    }
    if cplatform_exchange(new, path) == 0 { return new }
    guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw FileFailure(move, path) }
    guard rename(path, old) == 0 else { throw FileFailure(moveOld, path) }
    guard rename(new, path) == 0 else {
        let failure = FileFailure(move, path)
        _ = rename(old, path)
        throw failure
    }
    return old
}
