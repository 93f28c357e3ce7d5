import Diagnostics
import Files
import Platform
import Settings
import Transport

extension TargetDescriptor {
    /// A folder of a server for files over SSH.
    package static let sftp = TargetDescriptor(
        BlockSchema(
            "sftp", title: "SFTP", summary: "A folder on a server for files over SSH",
            keys: [
                .required("host", .textOrVariable, example: "www.example", "the server"),
                .optional("port", .number(1...65_535), else: "22", "its port"),
                .required("user", .textOrVariable, example: "report", "the user"),
                .required(
                    "path", example: "/srv/www/stability",
                    "the folder, from the root; without a slash at its beginning, from the user's home"),
                .optional(
                    "knownHosts", .path, example: "known_hosts",
                    "file with the keys of hosts; this or 'fingerprint' is required"),
                .optional(
                    "fingerprint", .textOrVariable, example: "SHA256:hostKeyDigest",
                    "SHA-256 of the host's key, as 'ssh-keygen -l' prints it"),
                .optional(
                    "sshKey", .path, example: "id_ed25519",
                    "private key (default without a password: a key of the ssh agent)"),
                .optional(
                    "passphrase", .secret(.variable), example: "KEY_PASSPHRASE", "what opens the private key"),
                .optional("password", .secret(.variable), example: "SFTP_PASSWORD", "password of the user"),
            ], usesTLS: false),
        needs: "A login that may write to the folder"
    ) { setup throws(Diagnostic) in
        let path = try folderPath(try setup.required("path"))
        let account = try account(setup)
        return StoreTarget(
            SFTPStore(
                client: SFTPClient(account),
                renames: SFTPRenames(account, environment: setup.environment), account: account, path: path,
                retries: setup.retries, pacing: setup.pacing))
    }
}

private func folderPath(_ text: String) throws(Diagnostic) -> String {
    let steps = text.split(separator: "/").joined(separator: "/")
    let path = text.hasPrefix("/") ? "/" + steps : steps
    guard isSafePath(steps), !steps.hasPrefix("~") else {
        throw .usage(
            "publish.path", "'\(printable(text))' is not a folder of the server",
            hints: ["write it as /srv/www/stability, or from the user's home without a slash"])
    }
    return path
}

private func account(_ setup: TargetSetup) throws(Diagnostic) -> SFTPAccount {
    let account = SFTPAccount(
        host: try setup.required("host"), port: setup.number("port", else: 22),
        user: try setup.required("user"), proof: proof(setup), trust: try trust(setup),
        timeoutMilliseconds: setup.timeoutMilliseconds)
    guard account.hasSoundHost else {
        throw .usage(
            "publish.host", "'\(printable(account.host))' is not a host",
            hints: ["write its name alone, and the port as 'port'"])
    }
    return account
}

private func proof(_ setup: TargetSetup) -> SFTPAccount.Proof {
    if let key = setup.text("sshKey") { return .key(file: key, passphrase: setup.secret("passphrase")) }
    return setup.secret("password").map { .password($0) } ?? .agent
}

/// Without one of the two, libcurl would send the site to whoever answers.
private func trust(_ setup: TargetSetup) throws(Diagnostic) -> SFTPAccount.Trust {
    if let file = setup.text("knownHosts") {
        guard fileKind(file) != .missing else {
            throw fileProblem("read the known hosts", file, code: ENOENT)
        }
        return .knownHosts(file: file)
    }
    let hints = [
        "add 'knownHosts: path', or 'fingerprint: SHA256:…' as 'ssh-keygen -l -f' prints it of the host's key"
    ]
    guard let text = setup.text("fingerprint") else {
        throw .usage(
            "publish.host-key", "Target '\(setup.id)' has neither 'knownHosts' nor 'fingerprint'",
            hints: hints)
    }
    let digest = text.hasPrefix("SHA256:") ? String(text.dropFirst(7)) : text
    let bare = digest.prefix { $0 != "=" }
    guard bare.utf8.count == 43, bare.utf8.allSatisfy(isBase64) else {
        throw .usage("publish.host-key", "'fingerprint' is not the SHA-256 of a key", hints: hints)
    }
    return .fingerprint(String(bare))
}

private func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
    default: false
    }
}
