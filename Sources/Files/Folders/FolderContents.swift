import Cryptography

/// What a folder holds by name, without `.` and `..`.
package struct FolderContents: Sendable {
    /// The names that are text, in byte order.
    package private(set) var names: [String] = []
    /// The others, with each byte that is no printable ASCII as `\xfc`: nothing is reached by these.
    package private(set) var unreadable: [String] = []

    /// Lists a folder.
    package init(of path: String) throws(FileFailure) {
        let all = try withNames(in: path) { names, _ in names }
        for name in all {
            if let text = String(validating: name, as: UTF8.self) {
                names.append(text)
            } else {
                unreadable.append(escaped(name))
            }
        }
    }
}

private func escaped(_ name: [UInt8]) -> String {
    name.map { byte in
        if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
        return "\\x" + hexadecimal([byte])
    }.joined()
}
