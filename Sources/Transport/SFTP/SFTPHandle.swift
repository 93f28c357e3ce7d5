private import CCurl

/// A connection of an `SFTPClient`, used by one thread at a time.
///
/// It may wander between threads: libcurl asks only that one at a time uses it, which the client sees to by taking it
/// out of its list.
final class SFTPHandle: @unchecked Sendable {
    private let handle: EasyHandle

    init() throws(SFTPError) {
        do throws(CurlFailure) {
            handle = try EasyHandle()
        } catch {
            throw SFTPError(kind: .failed, text: "\(error.doing): \(error.text)")
        }
    }

    /// Does a step; nil when what it reads is not there.
    func perform(
        _ step: SFTPStep, _ account: SFTPAccount, _ flag: CancellationFlag
    ) throws(SFTPError) -> [UInt8]? {
        let bytes = try SFTPBytes(step, mostSilent: account.timeoutMilliseconds, flag)
        let code: CurlCode
        do throws(CurlFailure) {
            try handle.prepare(for: step, account)
            code = try withExtendedLifetime(bytes) { () throws(CurlFailure) in
                try unsafe handle.set(bytes: Unmanaged.passUnretained(bytes).toOpaque())
                return handle.perform()
            }
        } catch {
            throw SFTPError(kind: .failed, text: "\(error.doing): \(error.text)")
        }
        if flag.isRaised { throw SFTPError(kind: .canceled, text: "canceled") }
        if code.rawValue == CURLE_OK.rawValue { return bytes.received }
        if code.rawValue == CURLE_REMOTE_FILE_NOT_FOUND.rawValue, step.source == nil, !step.isBare {
            return nil
        }
        if bytes.isSilent {
            let span = "\(account.timeoutMilliseconds) milliseconds"
            throw SFTPError(kind: .lost, text: "nothing was sent or received for \(span)")
        }
        let said = handle.lastMessage.isEmpty ? code.text : handle.lastMessage
        throw SFTPError(kind: bytes.fault ?? kind(of: code), text: said)
    }

    private func kind(of code: CurlCode) -> SFTPError.Kind {
        switch code.rawValue {
        case CURLE_COULDNT_RESOLVE_HOST.rawValue, CURLE_COULDNT_CONNECT.rawValue: .unreachable
        case CURLE_PEER_FAILED_VERIFICATION.rawValue: .hostKey
        case CURLE_LOGIN_DENIED.rawValue: .login
        case CURLE_FAILED_INIT.rawValue, CURLE_SSH.rawValue, CURLE_SEND_ERROR.rawValue,
            CURLE_RECV_ERROR.rawValue, CURLE_OPERATION_TIMEDOUT.rawValue, CURLE_PARTIAL_FILE.rawValue,
            CURLE_AGAIN.rawValue:
            .lost
        case CURLE_UNSUPPORTED_PROTOCOL.rawValue, CURLE_UNKNOWN_OPTION.rawValue,
            CURLE_OUT_OF_MEMORY.rawValue:
            .failed
        default: .refused
        }
    }
}

/// The bytes of a step on their way.
///
/// libcurl's callbacks get it as an unretained pointer; the caller keeps it until libcurl has returned.
private final class SFTPBytes {
    private(set) var received: [UInt8] = []
    private(set) var fault: SFTPError.Kind?
    /// Whether the step is ended as nothing was sent or received for too long. libcurl has a limit of its own for that,
    /// but heeds it only while the bytes of a file are on their way.
    private(set) var isSilent = false
    private let mostSilent: Duration
    /// When bytes were sent or received last.
    private var moved = ContinuousClock.now
    private let limit: Int
    private let flag: CancellationFlag
    private let bytes: [UInt8]
    private var offset = 0
    private let file: FileReader?

    init(_ step: SFTPStep, mostSilent milliseconds: Int, _ flag: CancellationFlag) throws(SFTPError) {
        (limit, self.flag, mostSilent) = (step.limit, flag, .milliseconds(milliseconds))
        switch step.source {
        case .bytes(let bytes): (self.bytes, file) = (bytes, nil)
        case nil: (bytes, file) = ([], nil)
        case .file(let path, _):
            (bytes, file) = ([], FileReader(path))
            guard file != nil else { throw SFTPError(kind: .source, text: "'\(path)' cannot be opened") }
        }
    }

    /// Whether the step is to go on.
    func goesOn() -> Bool {
        isSilent = moved.duration(to: .now) >= mostSilent
        return !isSilent && !flag.isRaised
    }

    /// Takes bytes from the server; false ends the step.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        moved = .now
        guard received.count <= limit - piece.count else {
            fault = .tooLarge
            return false
        }
        unsafe received.append(contentsOf: piece)
        return true
    }

    /// Gives bytes for the server; nil ends the step.
    func give(_ space: UnsafeMutableRawBufferPointer) -> Int? {
        moved = .now
        guard let file else {
            let count = min(space.count, bytes.count - offset)
            unsafe space.copyBytes(from: bytes[offset..<offset + count])
            offset += count
            return count
        }
        if let count = unsafe file.read(into: space) { return count }
        fault = .source
        return nil
    }
}

extension EasyHandle {
    fileprivate func prepare(for step: SFTPStep, _ account: SFTPAccount) throws(CurlFailure) {
        try reset()
        let doing = "setting up SFTP"
        try set(CURLOPT_NOSIGNAL, 1, doing: doing)
        try set(CURLOPT_PROTOCOLS_STR, "sftp", doing: "allowing SFTP, for which libcurl needs an SSH library")
        let steps = step.path.split(separator: "/", omittingEmptySubsequences: false).map {
            percentEncoded(String($0))
        }
        // A path from the home of the user begins with '~' in an address.
        let path = (step.path.hasPrefix("/") ? "" : "/~/") + steps.joined(separator: "/")
        try set(CURLOPT_URL, "sftp://\(account.host):\(account.port)\(path)", doing: doing)
        try set(CURLOPT_PROXY, "", doing: doing)
        try set(CURLOPT_CONNECTTIMEOUT_MS, min(account.timeoutMilliseconds, 30_000), doing: doing)
        // At the slowest, 50 kB a second; of a file that is read, as many bytes as it may have. A server that falls silent
        // is given up before.
        let most = account.timeoutMilliseconds + (step.source?.size ?? step.limit) / 50
        try set(CURLOPT_TIMEOUT_MS, min(most, Int(Int32.max)), doing: doing)
        try set(CURLOPT_FTP_CREATE_MISSING_DIRS, 1, doing: doing)
        try set(account)
        if let source = step.source {
            try set(CURLOPT_UPLOAD, 1, doing: doing)
            try set(CURLOPT_INFILESIZE_LARGE, size: source.size, doing: doing)
        }
        if step.isList { try set(CURLOPT_DIRLISTONLY, 1, doing: doing) }
        if step.isBare { try set(CURLOPT_NOBODY, 1, doing: doing) }
        try set(commands: step.commands)
    }

    private func set(_ account: SFTPAccount) throws(CurlFailure) {
        try set(CURLOPT_USERNAME, account.user, doing: "naming the user")
        switch account.trust {
        case .knownHosts(let file): try set(CURLOPT_SSH_KNOWNHOSTS, file, doing: "naming the known hosts")
        case .fingerprint(let digest):
            try set(CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, digest, doing: "naming the host's fingerprint")
        }
        let ways: Int
        switch account.proof {
        case .agent: ways = Int(CURLSSH_AUTH_AGENT)
        case .password(let password):
            ways = Int(CURLSSH_AUTH_PASSWORD) | Int(CURLSSH_AUTH_KEYBOARD)
            try set(CURLOPT_PASSWORD, password.text, doing: "giving the password")
        case .key(let file, let passphrase):
            ways = Int(CURLSSH_AUTH_PUBLICKEY)
            try set(CURLOPT_SSH_PRIVATE_KEYFILE, file, doing: "naming the key")
            if let passphrase { try set(CURLOPT_KEYPASSWD, passphrase.text, doing: "giving the passphrase") }
        }
        try set(CURLOPT_SSH_AUTH_TYPES, ways, doing: "choosing how to log in")
    }

    /// Has libcurl call back for bytes of this object, and ask it whether to go on.
    fileprivate func set(bytes: UnsafeMutableRawPointer) throws(CurlFailure) {
        let doing = "setting the receivers"
        try check(unsafe ccurl_set_receiver(raw, CURLOPT_WRITEFUNCTION, receiveBytes), doing: doing)
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_WRITEDATA, bytes), doing: doing)
        try unsafe set(bodySender: giveBytes, context: bytes)
        try unsafe set(watch: watchStep, context: bytes)
    }

    /// Does what was set up, on this thread.
    fileprivate func perform() -> CurlCode {
        CurlCode(rawValue: unsafe curl_easy_perform(raw).rawValue)
    }
}

private let receiveBytes: ccurl_receiver = { bytes, size, count, context in
    let length = size * count
    guard let bytes = unsafe bytes, let context = unsafe context, length > 0 else { return 0 }
    let step = unsafe Unmanaged<SFTPBytes>.fromOpaque(context).takeUnretainedValue()
    return unsafe step.receive(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}

private let giveBytes: ccurl_receiver = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let step = unsafe Unmanaged<SFTPBytes>.fromOpaque(context).takeUnretainedValue()
    let space = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return unsafe step.give(space) ?? Int(CURL_READFUNC_ABORT)
}

/// Any number but 0 makes libcurl end the transfer.
private let watchStep: ccurl_watch = { context, _, _, _, _ in
    guard let context = unsafe context else { return 1 }
    let step = unsafe Unmanaged<SFTPBytes>.fromOpaque(context).takeUnretainedValue()
    return step.goesOn() ? 0 : 1
}
