import Configuration
import Diagnostics
import Files
import Platform
import Settings

extension Project {
    /// What lets others read a token: the rights of its file, and a connection without TLS.
    var secretWarnings: [Diagnostic] {
        var warnings: [Diagnostic] = []
        for app in configuration.apps {
            for source in app.sources {
                let secrets = source.secrets + [source.trust.clientCertificate?.password].compactMap(\.self)
                for case .file(let file) in secrets where isReadableByOthers(path(file)) {
                    warnings.append(
                        .warning(
                            "config.open-token-file",
                            "File '\(file)' with a token can be read by other users",
                            at: source.location, hints: ["chmod 600 \(file)"]))
                }
                guard !secrets.isEmpty, let address = source.settings.text("url"), isOpen(address) else {
                    continue
                }
                warnings.append(
                    .warning(
                        "config.open-connection", "The token of '\(source.id)' is sent without encryption",
                        at: source.location, hints: ["use an https:// URL"]))
            }
        }
        var seen: Set<Diagnostic> = []
        return warnings.filter { seen.insert($0).inserted }
    }
}

/// Whether the group or everybody may read a file.
private func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o044 != 0
}

/// Whether an address leads to another machine without TLS.
private func isOpen(_ address: String) -> Bool {
    let prefix = "http://"
    guard address.lowercased().hasPrefix(prefix) else { return false }
    let host = address.dropFirst(prefix.count).prefix { !"/?#".contains($0) }.lowercased()
    let name =
        host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    // A name such as `127.0.0.1.example.org` is no address.
    let isLoopback = name.hasPrefix("127.") && name.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
    return name != "localhost" && name != "[::1]" && !isLoopback
}
