import Archive
import Diagnostics
import Files
import Platform

/// The archive of a project, to which no one else writes while this is there.
struct HeldArchive: ~Copyable {
    let archive: Archive
    private let lock: ArchiveLock

    /// Opens the archive, and makes it where there is none, with its folder.
    ///
    /// - Parameters:
    ///   - command: what the lock says to other processes.
    ///   - seconds: how long to wait for another process that writes to it.
    ///   - isJoined: whether other archives are added to it, which may be how one that was lost comes back.
    /// - Throws: also where there was an archive and nothing of it is there.
    init(
        _ project: Project, for command: String, waiting seconds: Int, isJoined: Bool = false,
        _ console: Console
    ) throws(Diagnostic) {
        do throws(FileFailure) {
            try makeFolder(splitPath(project.archive).folder)
        } catch {
            throw error.diagnostic
        }
        var isWaiting = false
        let lock: ArchiveLock
        do throws(ArchiveError) {
            lock = try ArchiveLock.acquire(
                forArchive: project.archive, command: command, now: project.now, waiting: seconds
            ) { milliseconds in
                if !isWaiting { console.progress("Waiting for the archive, up to \(seconds) s") }
                isWaiting = true
                usleep(milliseconds * 1000)
            }
        } catch {
            throw error.diagnostic
        }
        if !isJoined, let lost = LostArchive(of: project) { throw lost.diagnostic }
        do throws(ArchiveError) {
            archive = try Archive(at: project.archive, for: .writing)
        } catch {
            throw error.diagnostic
        }
        self.lock = lock
    }
}
