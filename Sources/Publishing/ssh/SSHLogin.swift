import Diagnostics
import Transport

/// How the program ssh logs in to the files of a server as libcurl does: with the same proof, and trusting the same key
/// and no other. Nothing of the user's own configuration counts.
struct SSHLogin: Sendable {
    let arguments: [String]
    let variables: [String: String]

    /// - Parameter scratch: where secrets and small programs are put, which only this user may read.
    init(
        _ account: SFTPAccount, _ scratch: ScratchFolder, _ environment: [String: String]
    ) throws(Diagnostic) {
        var variables = environment.filter { !$0.key.hasPrefix("SSH_ASKPASS") }
        variables["LC_ALL"] = "C"
        var words = [
            "-F", "none", "-oStrictHostKeyChecking=yes", "-oGlobalKnownHostsFile=/dev/null",
            "-oUpdateHostKeys=no",
            "-oConnectTimeout=20", "-oServerAliveInterval=15", "-oControlPath=none",
            "-oNumberOfPasswordPrompts=1", "-p", "\(account.port)", "-l", account.user,
        ]
        switch account.trust {
        case .knownHosts(let file): words.append("-oUserKnownHostsFile=\(sshWord(file))")
        case .fingerprint(let digest):
            // ssh asks the program for the key, and tells it the one that the server has.
            let program = try scratch.program(
                "host-key",
                "[ \"$1\" = 'SHA256:\(digest)' ] && printf '%s %s %s\\n' \"$4\" \"$2\" \"$3\"\nexit 0")
            words.append("-oUserKnownHostsFile=/dev/null")
            words.append("-oKnownHostsCommand=\(sshWord(program)) %f %t %K %H")
        }
        switch account.proof {
        case .agent: words += ["-oPreferredAuthentications=publickey", "-oIdentityFile=none"]
        case .password: words.append("-oPreferredAuthentications=password,keyboard-interactive")
        case .key(let file, _):
            words += ["-oPreferredAuthentications=publickey", "-oIdentitiesOnly=yes"]
            words.append("-oIdentityFile=\(sshWord(file))")
        }
        if let secret = account.proof.secret {
            let file = try scratch.file("secret", secret.signingBytes)
            variables["SSH_ASKPASS"] = try scratch.program("askpass", "cat \(shellWord(file))")
            variables["SSH_ASKPASS_REQUIRE"] = "force"
        } else {
            words.append("-oBatchMode=yes")
        }
        let host = account.host.hasPrefix("[") ? String(account.host.dropFirst().dropLast()) : account.host
        arguments = words + ["-s", "--", host, "sftp"]
        self.variables = variables
    }
}

extension SFTPAccount.Proof {
    /// What ssh would ask for.
    fileprivate var secret: Secret? {
        switch self {
        case .agent: nil
        case .password(let password): password
        case .key(_, let passphrase): passphrase
        }
    }
}

/// A path as one word of an option of ssh's, in which nothing is replaced.
func sshWord(_ path: String) -> String {
    "\""
        + path.replacing("%", with: "%%").replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}
