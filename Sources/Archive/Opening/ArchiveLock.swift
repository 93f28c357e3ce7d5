package import AppHealth
import Foundation
import Platform

/// The right to write to an archive, kept by one process at a time and given back when the value is gone.
///
/// It is an advisory lock (flock) on the file `<archive>.lock`, which the kernel releases when the process
/// ends in any way; the text in the file only shows who holds it. The file is never removed: whoever
/// waits for it would otherwise hold a file that no longer has the name.
package struct ArchiveLock: ~Copyable {
    /// The file that is locked.
    package let path: String
    private let descriptor: Int32

    /// Takes the lock, trying again every 100 ms for as many seconds as given.
    ///
    /// - Parameters:
    ///   - command: The subcommand, reported to others who want the lock.
    ///   - now: When the command began, reported likewise.
    ///   - seconds: How long to wait; zero tries once.
    ///   - sleep: Waits so many milliseconds.
    /// - Throws: `ArchiveError.held` when another process has it, or why the file cannot be made.
    package static func acquire(
        forArchive archive: String, command: String, now: Instant, waiting seconds: Int = 0,
        sleep: (_ milliseconds: UInt32) -> Void = { usleep($0 * 1000) }
    ) throws(ArchiveError) -> ArchiveLock {
        // Whatever path leads to it, an archive has one lock.
        let lock = try ArchiveLock(path: ArchiveFiles.target(of: archive) + ".lock")
        for attempt in 0...min(max(seconds, 0), 86_400) * 10 {
            if attempt > 0 { sleep(100) }
            if try lock.isTaken() {
                lock.write(ArchiveHolder(processID: Int(getpid()), command: command, since: now))
                return lock
            }
        }
        throw .held(path: archive, by: lock.holder())
    }

    private init(path: String) throws(ArchiveError) {
        // A link planted under this name must not lead the text elsewhere; a child must not inherit the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else {
            throw .unlockable(path: path, number: errno)
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // Closing the only descriptor releases the lock.
        close(descriptor)
    }

    private func isTaken() throws(ArchiveError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw .unlockable(path: path, number: errno)
            }
        }
        return true
    }

    private func write(_ holder: ArchiveHolder) {
        let text = Array(holder.lockText.utf8)
        // The text is a courtesy: the lock holds without it, on a full disk for instance.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private func holder() -> ArchiveHolder? {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? ArchiveHolder(lockText: String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
    }
}

extension ArchiveHolder {
    /// Three lines: process, time, command.
    var lockText: String { "\(processID)\n\(since)\n\(command.prefix(200))\n" }

    /// Nil when the text is not whole.
    init?(lockText: String) {
        let lines = lockText.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, let processID = Int(lines[0]), let since = Instant(lines[1]) else {
            return nil
        }
        self.init(processID: processID, command: String(lines[2]), since: since)
    }
}
