import Settings

/// How the program ssh is started for another program, such as git or rsync: it asks for nothing, and it trusts no host
/// whose key it does not know.
struct SSHProgram: Sendable {
    /// A private key; nil for those that ssh finds by itself.
    let key: String?
    /// A file with the keys of hosts; nil for those of the user and of the machine.
    let knownHosts: String?
    /// The port; nil for ssh's own.
    var port: Int?

    init(_ setup: TargetSetup, port: Int? = nil) {
        (key, knownHosts, self.port) = (setup.text("sshKey"), setup.text("knownHosts"), port)
    }

    /// The keys of the configuration.
    static let keys: [SettingKey] = [
        .optional("sshKey", .path, example: "id_ed25519", "private key for ssh"),
        .optional("knownHosts", .path, example: "known_hosts", "file with the keys of hosts, for ssh"),
    ]

    /// The program with its options, as a shell reads it.
    var command: String {
        var words = [
            "ssh", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oConnectTimeout=20",
            "-oServerAliveInterval=15",
        ]
        if let port { words.append("-p\(port)") }
        if let key { words += ["-oIdentitiesOnly=yes", "-i", shellWord(key)] }
        if let knownHosts { words.append("-oUserKnownHostsFile=\(shellWord(knownHosts))") }
        return words.joined(separator: " ")
    }

    /// What to do about what ssh said; nil when it is about something else.
    static func nextStep(_ lines: [String]) -> String? {
        let text = lines.joined(separator: "\n")
        if text.contains("Host key verification failed") {
            return
                "check that the host's key is the right one, and write it into 'knownHosts' (ssh-keyscan prints it)"
        }
        if text.contains("askpass"), text.contains("exec") {
            return
                "let TMPDIR name a folder in which programs may run: the one for temporary files is mounted 'noexec'"
        }
        // What the system says of a file has a number; ssh names the ways to log in.
        if text.contains("Permission denied (13)") {
            return "let the user write to the folder at the target"
        }
        if text.contains("Permission denied (") {
            return "check the user and 'sshKey', and that the server knows its public key"
        }
        if ["Connection refused", "Could not resolve hostname", "timed out", "No route"].contains(
            where: text.contains)
        {
            return "check the host and the port, and that the server is up"
        }
        return nil
    }
}

/// A text as one word of a shell.
func shellWord(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
