import Transport

/// Whether a private key opens with what is configured. No SSH library and not even ssh says that a passphrase is wrong:
/// both go on without the key, and the server refuses.
struct SSHKeyOpening: Sendable {
    let key: String
    let passphrase: Secret?
    let environment: [String: String]

    /// Whether ssh-keygen says that the passphrase is not the one of the key; false where it says nothing of it.
    func isRefused() async -> Bool {
        guard let scratch = try? ScratchFolder() else { return false }
        var variables = environment.filter { !$0.key.hasPrefix("SSH_ASKPASS") }
        variables["LC_ALL"] = "C"
        var arguments = ["-y", "-f", key]
        if let passphrase {
            guard let file = try? scratch.file("secret", passphrase.signingBytes),
                let program = try? scratch.program("askpass", "cat \(shellWord(file))")
            else { return false }
            variables["SSH_ASKPASS"] = program
            variables["SSH_ASKPASS_REQUIRE"] = "force"
        } else {
            arguments += ["-P", ""]
        }
        let trial = ChildProcess(
            program: "ssh-keygen", arguments: arguments, environment: variables, folder: "/", mostSeconds: 20,
            isRead: false)
        let errors = (try? await trial.run())?.errors ?? ""
        return errors.contains("incorrect passphrase")
    }
}
