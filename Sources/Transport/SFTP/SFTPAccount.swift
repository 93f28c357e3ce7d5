/// A login at a server for files over SSH.
package struct SFTPAccount: Sendable {
    /// What proves to the server who comes.
    package enum Proof: Sendable {
        /// A private key in a file, with what opens it.
        case key(file: String, passphrase: Secret?)
        /// A password.
        case password(Secret)
        /// A key that the agent of this session holds (`SSH_AUTH_SOCK`).
        case agent
    }

    /// What proves to this program that the server is the one that is meant. There is no way to do without.
    package enum Trust: Sendable {
        /// A file with the keys of hosts, as ssh keeps it.
        case knownHosts(file: String)
        /// The SHA-256 of the server's key in base64, as `ssh-keygen -l` prints it after `SHA256:`.
        case fingerprint(String)
    }

    /// The host; IPv6 in brackets.
    package var host: String
    /// The port.
    package var port: Int
    /// The user.
    package var user: String
    /// Who comes.
    package var proof: Proof
    /// Whom is trusted.
    package var trust: Trust
    /// Milliseconds that one step may take, besides what its bytes need, and for which nothing may be sent or received.
    package var timeoutMilliseconds: Int

    /// Makes an account.
    package init(
        host: String, port: Int = 22, user: String, proof: Proof, trust: Trust,
        timeoutMilliseconds: Int = 60_000
    ) {
        (self.host, self.port, self.user) = (host, port, user)
        (self.proof, self.trust, self.timeoutMilliseconds) = (proof, trust, timeoutMilliseconds)
    }

    /// Whether it names a host and nothing else.
    package var hasSoundHost: Bool { isHost(host.lowercased()) && (1...65_535).contains(port) }
}

/// Why a step at a server for files failed.
package struct SFTPError: Error, Hashable, Sendable {
    /// What kind of failure it was.
    package enum Kind: String, Sendable {
        /// The host name has no address, or nothing answers.
        case unreachable
        /// The server's key is not the known one.
        case hostKey
        /// The server does not let this user in.
        case login
        /// The server may not do that, or did not do it: no right, no space, a name that is a folder.
        case refused
        /// The connection broke, or the server fell silent.
        case lost
        /// The bytes to send cannot be read any more.
        case source
        /// The file at the server is larger than the limit.
        case tooLarge
        /// The task was canceled.
        case canceled
        /// libcurl failed in another way, for example as it was built without SSH.
        case failed
    }

    /// What kind of failure it was.
    package let kind: Kind
    /// What libcurl said, without secrets.
    package let text: String

    /// Makes one.
    package init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }

    /// Whether another attempt may do better.
    package var mayPass: Bool { kind == .lost || kind == .unreachable }
}
