import Diagnostics
import Files
import Foundation
import Platform
import Transport

/// A connection of the program ssh to the files of a server; one thread at a time may use it.
final class SFTPRenameSession: Sendable {
    private let socket: Int32
    private let number: pid_t
    private let scratch: ScratchFolder
    private let mostMilliseconds: Int
    /// The name of every request, as no two are on their way at once.
    private static let id: UInt32 = 1

    /// Connects; nil where ssh is not installed, or the server has no rename over another file.
    init?(
        _ account: SFTPAccount, _ environment: [String: String], _ isUnwanted: () -> Bool
    ) throws(SFTPError) {
        guard let ssh = findProgram("ssh", environment, folder: "/"), let scratch = try? ScratchFolder(),
            let login = try? SSHLogin(account, scratch, environment)
        else { return nil }
        var pair: [Int32] = [-1, -1]
        let errors = open("\(scratch.path)/err", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { if errors >= 0 { close(errors) } }
        guard errors >= 0, cplatform_socket_pair(&pair) == 0 else { return nil }
        let number = spawn(
            ProgramStart(
                path: ssh, arguments: login.arguments, environment: login.variables, folder: "/",
                input: pair[1], output: pair[1], errors: errors))
        // Held by ssh alone, so that its end is heard.
        close(pair[1])
        guard let number else {
            close(pair[0])
            return nil
        }
        (socket, self.number, self.scratch) = (pair[0], number, scratch)
        mostMilliseconds = account.timeoutMilliseconds
        let extensions: [String]
        do throws(SFTPError) {
            extensions = try greet(isUnwanted)
        } catch {
            throw error.kind == .lost && hasEnded ? withoutGreeting(error) : error
        }
        guard extensions.contains(SFTPMessage.replacingRename) else { return nil }
    }

    /// What the server can do besides the usual.
    private func greet(_ isUnwanted: () -> Bool) throws(SFTPError) -> [String] {
        try send(SFTPMessage.beginning)
        guard case .version(let extensions)? = try receive(isUnwanted) else { throw lost("no greeting") }
        return extensions
    }

    /// Whether ssh has closed the connection, as its end does.
    private var hasEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Why ssh ended at once: what is said of the network may pass; all else is for it to say, such as that this user has
    /// no name on this machine, and stays so.
    private func withoutGreeting(_ error: SFTPError) -> SFTPError {
        let mayPass = ["Connection", "connect to host", "timed out", "Broken pipe", "resolve hostname"]
            .contains { error.text.contains($0) }
        return SFTPError(kind: mayPass ? .lost : .failed, text: error.text)
    }

    deinit {
        close(socket)
        kill(-number, SIGTERM)
        let number = number
        Thread.detachNewThread { _ = endStatus(of: number) }
    }

    /// Has a file take the name of another one.
    func rename(_ old: String, to new: String, _ isUnwanted: () -> Bool) throws(SFTPError) {
        try send(SFTPMessage.rename(old, to: new, id: Self.id))
        guard case .status(Self.id, let code, let text)? = try receive(isUnwanted) else {
            throw lost("a response to another request")
        }
        guard code == 0 else {
            throw SFTPError(kind: .refused, text: text.isEmpty ? "rename failed with \(code)" : text)
        }
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) throws(SFTPError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { cplatform_send(socket, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lost("the connection was closed") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(_ isUnwanted: () -> Bool) throws(SFTPError) -> SFTPMessage.Answer? {
        guard let length = SFTPMessage.length(try receive(4, isUnwanted)) else {
            throw lost("a message of odd length")
        }
        return SFTPMessage.answer(try receive(length, isUnwanted))
    }

    private func receive(_ count: Int, _ isUnwanted: () -> Bool) throws(SFTPError) -> [UInt8] {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .milliseconds(mostMilliseconds))
        var bytes: [UInt8] = []
        while bytes.count < count {
            if isUnwanted() { throw SFTPError(kind: .canceled, text: "canceled") }
            guard clock.now < end else { throw lost("no response") }
            var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 100) > 0 else { continue }
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(socket, &piece, piece.count, 0)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw lost("the connection was closed") }
            bytes += piece.prefix(got)
        }
        return bytes
    }

    /// Why the connection is of no use any more, by what ssh said.
    private func lost(_ what: String) -> SFTPError {
        let said = (try? readLocalFile("\(scratch.path)/err", limit: 1 << 20)) ?? []
        let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
        let text = lines.joined(separator: "\n")
        let last = lines.last.map { printable(String($0.prefix(300))) } ?? what
        if text.contains("Permission denied (") || text.contains("Too many authentication failures") {
            return SFTPError(kind: .login, text: last)
        }
        // An option that an older ssh does not know is as good as a key that it does not know.
        let isUnknown = ["Host key verification failed", "Bad configuration option"].contains {
            text.contains($0)
        }
        return SFTPError(kind: isUnknown ? .hostKey : .lost, text: last)
    }
}
