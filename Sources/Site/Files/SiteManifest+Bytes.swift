import Files

/// The manifest as a build writes it.
extension SiteManifest {
    /// The bytes of the file: one line for each file, in the order of the paths' bytes.
    var bytes: [UInt8] {
        var out = Self.head
        for (index, (path, file)) in files.sorted(by: { isInOrder($0.key, $1.key) }).enumerated() {
            Self.appendLine(path.utf8, file, isFirst: index == 0, to: &out)
        }
        return out + Self.end
    }

    /// The bytes before the first line.
    static let head = Array("{\n\"format\":\"\(format)\",\n\"version\":\(version),\n\"files\":[".utf8)
    /// The bytes after the last line.
    static let end = Array("\n]\n}\n".utf8)

    /// Appends the line of a file.
    static func appendLine(
        _ path: some Collection<UInt8>, _ file: File, isFirst: Bool, to out: inout [UInt8]
    ) {
        out += (isFirst ? "\n" : ",\n").utf8
        out += "{\"path\":\"".utf8
        for byte in path { appendEscaped(byte, to: &out) }
        out += "\",\"size\":".utf8
        out += String(file.size).utf8
        out += ",\"sha256\":\"".utf8
        file.digest.appendDigits(to: &out)
        out += "\"}".utf8
    }
}

private func appendEscaped(_ byte: UInt8, to out: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
    case ..<0x20:
        let hexadecimal = String(byte, radix: 16)
        out += "\\u00\(hexadecimal.count == 1 ? "0" : "")\(hexadecimal)".utf8
    default: out.append(byte)
    }
}
