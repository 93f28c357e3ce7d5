import Diagnostics
import Files
import Foundation
import Platform

/// A folder that only this user may read, removed with the value: for what a program reads and prints, secrets among it.
///
/// What a killed process left is removed by the next one: a folder is locked as long as its process lives.
final class ScratchFolder: Sendable {
    let path: String
    private let descriptor: Int32

    init() throws(Diagnostic) {
        _ = Self.leftovers
        path = "\(Self.place)/\(Self.beginning)\(randomName())"
        guard mkdir(path, 0o700) == 0 else { throw fileProblem("make the folder", path) }
        descriptor = lockFolder(path) ?? -1
    }

    deinit {
        removeTree(path)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes a program of the shell; gives its path.
    func program(_ name: String, _ lines: String) throws(Diagnostic) -> String {
        let path = "\(self.path)/\(name)"
        try createLocalFile(path, Array("#!/bin/sh\n\(lines)\n".utf8), rights: 0o700)
        return path
    }

    /// Writes a file that only this user may read; gives its path.
    func file(_ name: String, _ bytes: [UInt8]) throws(Diagnostic) -> String {
        let path = "\(self.path)/\(name)"
        try createLocalFile(path, bytes, rights: 0o600)
        return path
    }

    private static let place = NSTemporaryDirectory()
    private static let beginning = "plimsoll-scratch-"

    /// Removes, once in each process, what processes left that are gone.
    private static let leftovers: Void = removeLeftovers(in: place)

    /// Removes the folders of this user that no process has locked. One that was made this very moment may not be locked
    /// yet: it is younger than a minute.
    static func removeLeftovers(in place: String, olderThanSeconds age: Int = 60) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for path in names.filter({ $0.hasPrefix(beginning) }).map({ "\(place)/\($0)" }) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                time(nil) - Int(status.changed.tv_sec) >= age, let descriptor = lockFolder(path)
            else { continue }
            removeTree(path)
            close(descriptor)
        }
    }
}

/// Locks a folder for this process, as long as the descriptor is open; nil when another one has it, or where that is not
/// possible.
private func lockFolder(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
}
