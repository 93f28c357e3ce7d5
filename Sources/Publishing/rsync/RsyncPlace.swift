import Diagnostics

/// A folder as rsync names it.
struct RsyncPlace: Sendable {
    /// Ends with a slash.
    let text: String
    /// Where files are read from by a list: of a daemon the whole module, as rsync 3.5 finds no file of a list below a
    /// folder of a module.
    let top: String
    /// The folder below `top`; empty, or with a slash at its end.
    let below: String

    /// Whether it may reach the other machine only within rsync's own protocol, as a shell would read it otherwise. Where
    /// it need not, it is on the command line: rrsync lets nothing else pass.
    var needsProtection: Bool {
        text.hasPrefix("rsync://")
            || !text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "@") }
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    init(_ text: String) throws(Diagnostic) {
        func wrong(_ problem: String, _ hint: String) -> Diagnostic {
            .usage("publish.destination", "'destination' \(problem)", hints: [hint])
        }
        guard !text.hasPrefix("-"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw wrong("is not a folder of another machine", "write it as user@host:/path")
        }
        if text.hasPrefix("rsync://") {
            let host = text.dropFirst(8).prefix { $0 != "/" }
            guard !host.isEmpty, text.dropFirst(9 + host.count).contains(where: { $0 != "/" }) else {
                throw wrong("has no module", "write it as rsync://user@host/module/path")
            }
            if let user = host.split(separator: "@").first, host.contains("@"), user.contains(":") {
                throw wrong("holds a password", "write the user alone, and add 'password: ${NAME}'")
            }
        } else {
            let host = text.prefix { $0 != ":" && $0 != "/" }
            let path = text.dropFirst(host.count)
            guard !host.isEmpty, path.hasPrefix(":") else {
                throw wrong("is on this machine", "use 'to: folder' for a folder on this machine")
            }
            guard !path.hasPrefix("::"), path.count > 1 else {
                throw wrong("has no path", "write user@host:/path, or rsync://user@host/module/path")
            }
        }
        let text = text.hasSuffix("/") ? text : text + "/"
        self.text = text
        guard text.hasPrefix("rsync://"),
            let module = text.dropFirst(8).prefixMatch(of: /[^\/]*\/+[^\/]+\/+/)
        else {
            (top, below) = (text, "")
            return
        }
        (top, below) = ("rsync://" + module.output, String(text.dropFirst(8)[module.range.upperBound...]))
    }
}
