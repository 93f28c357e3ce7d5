import Platform

/// What is still there of a folder that was to go.
package struct FolderRemainder: Sendable {
    /// Where it is.
    package let path: String
    /// Whether it got that name as one that it keeps.
    package let isMoved: Bool
    /// What the system did not let go; nil when it is there as files came to it.
    package let refusal: FileFailure?
}

/// Removes a folder after all in it that may go; what is left is moved next to the folder in whose place it was.
///
/// - Parameters:
///   - place: where it was.
///   - refusal: what the system said first where it did not let something in it go.
/// - Returns: nil when nothing is left.
package func removeOrSetAside(
    _ folder: String, nextTo place: String, after refusal: FileFailure? = nil
) -> FolderRemainder? {
    guard rmdir(folder) != 0 else { return nil }
    let own = FileFailure("remove", folder)
    if own.isMissing { return nil }
    let isFilled = own.code == ENOTEMPTY || own.code == EEXIST
    let next = "\(place).late-\(randomName().prefix(8))"
    let isMoved = rename(folder, next) == 0
    return FolderRemainder(
        path: isMoved ? next : folder, isMoved: isMoved, refusal: refusal ?? (isFilled ? nil : own))
}
