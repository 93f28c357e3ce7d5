import AppHealth
import Configuration
import Diagnostics
import Files
import Platform
import Settings
import Transport

extension Project {
    /// What lets others read a token or a key of a source or a target: the rights of its file, and a connection without TLS.
    var secretWarnings: [Diagnostic] {
        let sources = configuration.apps.flatMap(askedSources).flatMap { source in
            warnings(
                about: source.secrets, of: source.id.text, source.trust, at: source.location,
                isOpen: source.settings.text("url").map(isOpenAddress) ?? false ? .token : nil)
        }
        return (sources + targetWarnings(of: targetBlocks)).uniqued()
    }

    /// The same of targets to publish and attach to.
    func targetWarnings(of blocks: [BlockConfiguration]) -> [Diagnostic] {
        blocks.flatMap { block in
            let secrets = block.schema.keys.compactMap { block.settings.secret($0.name) }
            return warnings(
                about: secrets, keys: [block.settings.text("sshKey")].compactMap(\.self),
                of: block.id.text, block.trust, at: block.location,
                isOpen: isOpen(block) ? .token : sendsOpenMail(block) ? .password : nil)
        }.uniqued()
    }

    private var targetBlocks: [BlockConfiguration] {
        configuration.publish.map(\.block) + configuration.attach.map(\.block)
    }

    /// What is sent over a connection without TLS.
    private enum OpenSecret: String {
        case token, password

        var hint: String {
            switch self {
            case .token: "use an https:// URL"
            case .password: "use 'security: starttls' or 'security: tls'"
            }
        }
    }

    private func warnings(
        about secrets: [SecretReference], keys: [String] = [], of id: String, _ trust: TrustConfiguration,
        at location: Location, isOpen: OpenSecret?
    ) -> [Diagnostic] {
        let certificate = trust.clientCertificate
        let passwords = [certificate?.password].compactMap(\.self)
        let files = (secrets + passwords).compactMap { if case .file(let file) = $0 { file } else { nil } }
        // The certificate's file holds the key where no other one does.
        let keys = keys + [certificate.map { $0.key ?? $0.certificate }].compactMap(\.self)
        let open = files.map { ($0, "a token") } + keys.map { ($0, "a private key") }
        let warnings = open.filter { isReadableByOthers(path($0.0)) }.map { file, what in
            Diagnostic.warning(
                "config.open-token-file", "File '\(file)' with \(what) can be read by other users",
                at: location, hints: ["chmod 600 \(file)"])
        }
        guard !secrets.isEmpty, let isOpen else { return warnings }
        return warnings + [
            .warning(
                "config.open-connection", "The \(isOpen.rawValue) of '\(id)' is sent without encryption",
                at: location, hints: [isOpen.hint])
        ]
    }

    /// Whether a target logs in to a mail server on another machine without TLS.
    private func sendsOpenMail(_ block: BlockConfiguration) -> Bool {
        guard let server = block.settings.text("server"),
            block.settings.text("security") == MailServer.Security.none.rawValue
        else { return false }
        return !isLoopback(((try? variable(in: server, at: block.location)) ?? server).lowercased())
    }

    /// Whether a target is reached on another machine without TLS.
    private func isOpen(_ block: BlockConfiguration) -> Bool {
        block.schema.keys.contains { key in
            switch block.settings.values[key.name] {
            case .text(let text)?: isOpenAddress((try? variable(in: text, at: block.location)) ?? text)
            case .secret(let reference)?:
                isOpenAddress(
                    String(
                        decoding: (try? secretBytes(reference, at: block.location)) ?? [], as: UTF8.self))
            default: false
            }
        }
    }
}

/// Whether the group or everybody may read a file.
private func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o044 != 0
}

/// Whether an address leads to another machine without TLS.
private func isOpenAddress(_ address: String) -> Bool {
    let prefix = "http://"
    guard address.lowercased().hasPrefix(prefix) else { return false }
    let host = address.dropFirst(prefix.count).prefix { !"/?#".contains($0) }.lowercased()
    return !isLoopback(
        host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" }))
}

/// Whether a host is this machine.
private func isLoopback(_ host: String) -> Bool {
    if ["localhost", "[::1]", "::1"].contains(host) { return true }
    // A name such as `127.0.0.1.example.org` is no address.
    return host.hasPrefix("127.") && host.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
}
