/// The few messages of SFTP, version 3, that a rename over another file needs.
///
/// Their form is that of draft-ietf-secsh-filexfer-02; the extension is in OpenSSH's PROTOCOL, section 4.3.
enum SFTPMessage {
    /// What servers call the rename that replaces what is there.
    static let replacingRename = "posix-rename@openssh.com"
    /// The most bytes of a message.
    static let mostBytes = 1 << 18

    /// What the server answers.
    enum Answer: Equatable {
        /// It is ready, and can do what is named so.
        case version(extensions: [String])
        /// What became of a request: 0 when it was done.
        case status(id: UInt32, code: UInt32, text: String)
    }

    /// Begins a session.
    static let beginning = framed([1] + bytes(of: 3))

    /// Has a file take the name of another one.
    static func rename(_ old: String, to new: String, id: UInt32) -> [UInt8] {
        framed([200] + bytes(of: id) + string(replacingRename) + string(old) + string(new))
    }

    /// Reads a response, without its length; nil when it is none of these.
    static func answer(_ bytes: [UInt8]) -> Answer? {
        var rest = bytes.dropFirst()
        switch bytes.first {
        case 2:
            guard number(&rest) != nil else { return nil }
            var names: [String] = []
            while !rest.isEmpty {
                guard let name = text(&rest), text(&rest) != nil else { return nil }
                names.append(name)
            }
            return .version(extensions: names)
        case 101:
            guard let id = number(&rest), let code = number(&rest) else { return nil }
            return .status(id: id, code: code, text: text(&rest) ?? "")
        default: return nil
        }
    }

    /// The length that a message begins with.
    static func length(_ bytes: [UInt8]) -> Int? {
        var rest = bytes[...]
        return number(&rest).flatMap { (1...UInt32(mostBytes)).contains($0) ? Int($0) : nil }
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] { self.bytes(of: UInt32(bytes.count)) + bytes }

    private static func string(_ text: String) -> [UInt8] {
        bytes(of: UInt32(text.utf8.count)) + Array(text.utf8)
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let count = number(&rest), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }
}
