/// The links and anchors of an HTML page that this program wrote: attributes stand in double quotes.
struct WebPage {
    /// The values of `href` and `src`.
    let links: [String]
    /// The values of `id`.
    let anchors: Set<String>
    /// The names of the elements.
    let elements: Set<String>
    /// The names of the attributes.
    let attributes: Set<String>

    init(_ text: String) {
        var links: [String] = []
        var anchors: Set<String> = []
        var elements: Set<String> = []
        var attributes: Set<String> = []
        for part in text.utf8.split(separator: UInt8(ascii: "<")).dropFirst(
            text.utf8.first == UInt8(ascii: "<") ? 0 : 1)
        {
            let tag = part.prefix { $0 != UInt8(ascii: ">") }.split(
                separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            if let first = tag.first {
                elements.insert(String(decoding: first.prefix { $0 > 0x20 }, as: UTF8.self).lowercased())
            }
            for (index, name) in tag.enumerated() where index % 2 == 0 && index + 1 < tag.count {
                let name = String(
                    decoding: name.reversed().drop { $0 == UInt8(ascii: "=") }.prefix { $0 > 0x20 }
                        .reversed(), as: UTF8.self)
                let value = decoded(String(decoding: tag[index + 1], as: UTF8.self))
                attributes.insert(name.lowercased())
                if name == "href" || name == "src" { links.append(value) }
                if name == "id" { anchors.insert(value) }
            }
        }
        (self.links, self.anchors, self.elements, self.attributes) = (links, anchors, elements, attributes)
    }
}

/// Text whose entities were resolved.
func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
}

/// Markdown without the characters that a backslash makes harmless.
func withoutEscapes(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
        if isEscaped || byte == UInt8(ascii: "\\") {
            isEscaped.toggle()
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// The path that a relative link leads to from a file of the site; nil when it leads out of the site.
func resolved(_ link: String, from file: String) -> String? {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/", omittingEmptySubsequences: false) {
        switch part {
        case "", ".": continue
        case "..":
            guard !parts.isEmpty else { return nil }
            parts.removeLast()
        default: parts.append(String(part))
        }
    }
    let isFolder = link.isEmpty || link.hasSuffix("/") || link.hasSuffix("..")
    return (parts + (isFolder ? ["index.html"] : [])).joined(separator: "/")
}
