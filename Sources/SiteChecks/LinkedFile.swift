import Files
import Markup
import Site

/// The file of a site that an address means.
struct LinkedFile {
    /// The path from the top of the site; nil when the address leads above it.
    let path: String?
    /// What is after `#`, decoded.
    let anchor: String?

    /// Resolves an address that is in a file; nil when it leads to another site or is none.
    ///
    /// - Parameters:
    ///   - baseURL: the address of the site, with `/` at its end.
    ///   - isFile: whether a path is that of a file; a folder means its `index.html`.
    init?(_ text: String, from file: String, baseURL: String?, isFile: (String) -> Bool) {
        var text = text
        var folder = file.split(separator: "/").dropLast().map(String.init)
        if let baseURL, let inner = rest(of: text, below: baseURL) {
            text = inner.isEmpty ? "./" : inner
            folder = []
        } else if let root = baseURL.flatMap(pathOnHost), let inner = rest(of: text, below: root) {
            text = "/" + inner
        }
        guard !text.isEmpty, !isOutward(text) else { return nil }
        let (beforeAnchor, anchor) = divided(text, at: "#")
        let path = divided(beforeAnchor, at: "?").0
        self.anchor = anchor.map { percentDecoded($0.utf8) }
        guard !path.isEmpty else {
            self.path = file
            return
        }
        if path.hasPrefix("/") { folder = [] }
        let parts = percentDecoded(path.utf8).split(separator: "/", omittingEmptySubsequences: true)
        for part in parts where part != "." {
            guard part == ".." else {
                folder.append(String(part))
                continue
            }
            guard folder.popLast() != nil else {
                self.path = nil
                return
            }
        }
        let whole = folder.joined(separator: "/")
        let index = whole.isEmpty ? "index.html" : whole + "/index.html"
        let isFolder = path.hasSuffix("/") || whole.isEmpty || (!isFile(whole) && isFile(index))
        self.path = isFolder ? index : whole
    }
}

/// What is behind an address with `/` at its end, however its signs are encoded in the text; nil when the text does not
/// begin with it.
private func rest(of text: String, below address: String) -> String? {
    var slashes = address.utf8.count { $0 == UInt8(ascii: "/") }
    let end = text.utf8.firstIndex { byte in
        if byte == UInt8(ascii: "/") { slashes -= 1 }
        return slashes == 0
    }
    guard let end, percentDecoded(text[...end].utf8) == percentDecoded(address.utf8) else { return nil }
    return String(text[text.utf8.index(after: end)...])
}

/// The path of an address, with `/` at both ends: `https://host/report/` has `/report/`.
private func pathOnHost(_ address: String) -> String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let rest = address[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) }
}

private func divided(_ text: String, at mark: Character) -> (String, String?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
}

/// The addresses in an attribute, without the space around them.
func addresses(of attribute: String, _ value: String) -> [String] {
    switch attribute {
    case "href", "src", "poster", "xlink:href", "data", "action", "background": [value.trimmed]
    case "srcset", "imagesrcset": candidates(in: value)
    default: []
    }
}

/// The addresses of a `srcset` as a browser divides it (HTML, 4.8.4.2.1): up to a space, as a comma may be part of one.
private func candidates(in set: String) -> [String] {
    var addresses: [String] = []
    var rest = set[...]
    while true {
        rest = rest.drop { $0.isWhitespace || $0 == "," }
        guard !rest.isEmpty else { return addresses }
        let address = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(address.count)
        // Without a size a comma ends it.
        let bare = String(address.reversed().drop { $0 == "," }.reversed())
        if bare.count == address.count { rest = rest.drop { $0 != "," } }
        addresses.append(bare)
    }
}
