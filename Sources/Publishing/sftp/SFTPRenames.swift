import Diagnostics
import Foundation
import Synchronization
import Transport

/// Gives files the names of others in one step, so that readers find the old file or the new one.
///
/// libcurl knows no rename over a file that exists, and nor do its SSH libraries of today's systems. The program ssh
/// does: it opens a second connection to the same server, over which one request a file is sent.
final class SFTPRenames: Sendable {
    private let account: SFTPAccount
    /// The variables of the programs of ssh.
    let environment: [String: String]
    private let state = Mutex(State.unknown)

    private enum State {
        /// No one has asked.
        case unknown
        /// The server, this machine or the login has no such rename.
        case impossible
        case open(SFTPRenameSession)
        /// It was open, and the connection has been lost.
        case lost
    }

    /// It connects with its first rename.
    init(_ account: SFTPAccount, environment: [String: String]) {
        (self.account, self.environment) = (account, environment)
    }

    /// Has a file take the name of another one, which need not exist; false where that cannot be done in one step.
    func rename(_ old: String, to new: String) async throws(SFTPError) -> Bool {
        let flag = Atomic<Bool>(false)
        let result: Result<Bool, SFTPError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    continuation.resume(
                        returning: Result { () throws(SFTPError) in
                            try perform(old, new) { flag.load(ordering: .relaxed) }
                        })
                }
            }
        } onCancel: {
            flag.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    /// Ends the connection.
    func close() { state.withLock { if case .open = $0 { $0 = .unknown } } }

    private func perform(
        _ old: String, _ new: String, isUnwanted: @Sendable () -> Bool
    ) throws(SFTPError) -> Bool {
        let result: Result<Bool, SFTPError> = state.withLock { state in
            Result { () throws(SFTPError) in
                guard let session = try session(&state, isUnwanted) else { return false }
                do throws(SFTPError) {
                    try session.rename(old, to: new, isUnwanted)
                } catch {
                    if error.kind != .refused { state = .lost }
                    throw error
                }
                return true
            }
        }
        return try result.get()
    }

    /// The connection; nil where there can be none.
    private func session(
        _ state: inout State, _ isUnwanted: @Sendable () -> Bool
    ) throws(SFTPError) -> SFTPRenameSession? {
        switch state {
        case .open(let session): return session
        case .impossible: return nil
        case .unknown, .lost:
            do throws(SFTPError) {
                guard let session = try SFTPRenameSession(account, environment, isUnwanted) else {
                    state = .impossible
                    return nil
                }
                state = .open(session)
                return session
            } catch {
                let isForGood = [.login, .hostKey, .failed].contains(error.kind)
                // What could be done before can be done again.
                guard case .unknown = state, isForGood else {
                    throw error.kind == .failed ? SFTPError(kind: .lost, text: error.text) : error
                }
                state = .impossible
                return nil
            }
        }
    }
}
