import AppHealth
import Configuration
import Diagnostics
import Files
import Platform
import Settings

extension Project {
    /// What lets others read a token of a source or a target: the rights of its file, and a connection without TLS.
    var secretWarnings: [Diagnostic] {
        let sources = configuration.apps.flatMap(\.sources).flatMap { source in
            warnings(
                about: source.secrets, of: source.id.text, source.trust, at: source.location,
                isOpen: source.settings.text("url").map(isOpenAddress) ?? false)
        }
        return withoutRepetition(sources + targetWarnings(of: targetBlocks))
    }

    /// The same of targets to publish and attach to.
    func targetWarnings(of blocks: [BlockConfiguration]) -> [Diagnostic] {
        withoutRepetition(
            blocks.flatMap { block in
                let secrets = block.schema.keys.compactMap { block.settings.secret($0.name) }
                return warnings(
                    about: secrets, of: block.id.text, block.trust, at: block.location, isOpen: isOpen(block))
            })
    }

    private var targetBlocks: [BlockConfiguration] {
        configuration.publish.map(\.block) + configuration.attach.map(\.block)
    }

    private func warnings(
        about secrets: [SecretReference], of id: String, _ trust: TrustConfiguration, at location: Location,
        isOpen: Bool
    ) -> [Diagnostic] {
        let secrets = secrets + [trust.clientCertificate?.password].compactMap(\.self)
        var warnings: [Diagnostic] = []
        for case .file(let file) in secrets where isReadableByOthers(path(file)) {
            warnings.append(
                .warning(
                    "config.open-token-file", "File '\(file)' with a token can be read by other users",
                    at: location, hints: ["chmod 600 \(file)"]))
        }
        guard !secrets.isEmpty, isOpen else { return warnings }
        return warnings + [
            .warning(
                "config.open-connection", "The token of '\(id)' is sent without encryption", at: location,
                hints: ["use an https:// URL"])
        ]
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

private func withoutRepetition(_ warnings: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return warnings.filter { seen.insert($0).inserted }
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
    let name =
        host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    // A name such as `127.0.0.1.example.org` is no address.
    let isLoopback = name.hasPrefix("127.") && name.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
    return name != "localhost" && name != "[::1]" && !isLoopback
}
