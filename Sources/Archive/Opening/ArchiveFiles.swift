import Files
import Foundation
import Platform

/// Where an archive is: its file, and what SQLite puts next to it.
package enum ArchiveFiles {
    /// The files that hold what an archive knows now: itself and, when something is not merged yet, its log.
    package static func files(of path: String) -> [String] {
        let file = target(of: path)
        let log = file + logEnding
        return (ArchiveFileState(log)?.size ?? 0) > 0 ? [file, log] : [file]
    }

    static let logEnding = "-wal"

    /// What SQLite puts next to a database: the log, the index of the log, and the journal of files without a log.
    package static let endings = [logEnding, "-shm", "-journal"]

    /// Where a path leads when its last part is a link: SQLite puts its files next to that.
    static func target(of path: String) -> String {
        var place = path
        for _ in 0..<16 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { break }
            place = next.hasPrefix("/") ? next : folder(of: place) + "/" + next
        }
        return place
    }

    /// The path of what belongs to an archive and is next to it, by the ending of its name: whatever path leads to the
    /// archive, it is one. What an earlier version put next to a link stays where it is.
    package static func companion(_ ending: String, of path: String) -> String {
        let (place, old) = (target(of: path) + ending, path + ending)
        return ArchiveFileState(place) == nil && ArchiveFileState(old) != nil ? old : place
    }

    /// Whether something is there that is neither a file nor a folder: it is never replaced.
    static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The folder that holds a file.
    static func folder(of path: String) -> String { splitPath(path).folder }

    /// The path in a form that SQLite never takes for a URI.
    static func plain(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    /// An address that lets SQLite know that no one changes the file, so that it needs no lock and no other file.
    static func unchanging(_ path: String) -> String {
        let escaped = plain(path).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return "file:\(escaped ?? plain(path))?immutable=1"
    }

    /// Makes an empty file that only its owner may read; one that is there is an error.
    static func makePrivateFile(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError() }
        Platform.close(descriptor)
    }

    /// Gives a file the owner, the group and the rights of another one, as far as that is allowed; to a group that is not
    /// the same it gives none.
    static func giveRights(of file: String, to other: String) throws(SystemError) {
        var status = stat()
        guard stat(file, &status) == 0 else { throw SystemError() }
        let isOfGroup =
            chown(other, status.st_uid, status.st_gid) == 0 || chown(other, .max, status.st_gid) == 0
        let rights = status.st_mode & (isOfGroup ? 0o777 : 0o707) | 0o600
        guard chmod(other, rights) == 0 else { throw SystemError() }
    }

    /// Where a file is written that is to take the place of another one: a hidden name that is no one's own.
    /// What a killed process left there is written over by the next one.
    package static func draft(of file: String) -> String {
        let (folder, name) = splitPath(file)
        return "\(folder)/.\(name)\(draftEnding)"
    }

    /// How the name of a draft ends.
    package static let draftEnding = ".plimsoll-new"

    /// Removes a database with what SQLite puts next to it.
    static func remove(_ draft: String) {
        for ending in [""] + endings { unlink(draft + ending) }
    }
}

/// Which file is under a name, and when it was written last.
struct ArchiveFileState: Equatable, Sendable {
    let size: Int
    private let device: UInt
    private let node: UInt
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil when nothing is there.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int(status.st_size)
        (device, node) = (UInt(status.st_dev), UInt(status.st_ino))
        (seconds, nanoseconds) = (status.written.tv_sec, status.written.tv_nsec)
    }

    /// Whether it was written last before another one was.
    func isOlder(than other: ArchiveFileState) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

/// What the operating system refused.
struct SystemError: Error {
    let number: Int32

    /// The failure that was just reported.
    init(_ number: Int32 = errno) { self.number = number }
}
