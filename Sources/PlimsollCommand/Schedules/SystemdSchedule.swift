import Cryptography
import Files

/// A service that may read and write its own folder, reach the network, and nothing else.
func serviceText(program: String) -> String {
    filled(
        PackageResources.plimsoll_service,
        ["start": startText(program), "home": homeFoldersText(program)])
}

/// Home folders are hidden, but for a program in one of them and its data, which are next to each other.
private func homeFoldersText(_ program: String) -> String {
    let isInHome = ["/home/", "/root/", "/run/user/"].contains(where: program.hasPrefix)
    let data = splitPath(splitPath(program).folder).folder + "/share/plimsoll"
    let paths = isInHome ? [program, "-" + data] : []
    let lines = ["ProtectHome=tmpfs"] + paths.map { "BindReadOnlyPaths=" + unitWord($0) }
    return """
        # Home folders are hidden\(isInHome ? ", but for the program" : ""). For what plimsoll.yml names there, such as snapshot files, add:
        # BindReadOnlyPaths=/home/me/snapshots
        \(lines.joined(separator: "\n"))
        """
}

/// The first words of a command in a unit. The path of an executable may hold neither quotes nor a backslash
/// (`string_is_safe` in systemd); such a program is started by a shell, for which systemd replaces variables.
private func startText(_ program: String) -> String {
    let isExecutable = program.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"\"'\\".utf8.contains($0) }
    guard !isExecutable else { return unitWord(program) }
    return #"/bin/sh -c 'exec "$$0" "$$@"' "# + unitWord(program).replacing("$", with: "$$")
}

/// A text as one word of a unit (systemd.syntax(7), systemd.unit(5): a percent sign begins a specifier).
private func unitWord(_ text: String) -> String {
    if shellWord(text) == text { return text }
    let escaped = text.utf8.map { byte -> String in
        switch byte {
        case UInt8(ascii: "%"): "%%"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
        case 0x20...0x7E: String(UnicodeScalar(byte))
        default: "\\x" + hexadecimal([byte])
        }
    }
    return "\"" + escaped.joined() + "\""
}
