import Diagnostics
import Markup
import Site

/// What the content security policy of the pages forbids, and pages without such a policy: the browser would not
/// show the first, and would not protect the readers of the second.
struct PolicyCheck: SiteCheck {
    private var faults: [Finding] = []

    mutating func look(at file: BuiltFile) {
        switch file.kind {
        case .html:
            lookForPolicy(in: file)
            for tag in file.tags where !tag.isEnd { look(at: tag, in: file, isPage: true) }
        case .xml where file.path.hasSuffix(".svg"):
            for tag in file.tags where !tag.isEnd { look(at: tag, in: file, isPage: false) }
        case .style:
            for token in styleTokens(file.bytes) where token.kind == .address {
                let address = String(decoding: file.bytes[token.range], as: UTF8.self)
                if isOutward(address), !address.hasPrefix("data:") { addRequest(address, file, line: nil) }
            }
        case .xml, .markdown, .other: break
        }
    }

    func findings() -> [Finding] { faults }

    private mutating func lookForPolicy(in file: BuiltFile) {
        let metas = file.tags.filter {
            $0.name == "meta" && $0["http-equiv"]?.lowercased() == "content-security-policy"
        }
        guard let meta = metas.first, let text = meta["content"] else {
            faults.append(
                Finding(
                    "no-policy", "Page has no content security policy", in: file.path,
                    hint: "add the <meta> element of the default layout to the head"))
            return
        }
        for wish in policyFaults(text) {
            faults.append(
                Finding(
                    "weak-policy", "The content security policy allows too much: \(wish)",
                    in: file.path, line: meta.line,
                    hint: "write: default-src 'none'; style-src 'self'; img-src 'self' data:"))
        }
    }

    private mutating func look(at tag: MarkupTag, in file: BuiltFile, isPage: Bool) {
        if tag.name == "script" { add("script", "A script", tag, file) }
        if isPage, tag.name == "style" { add("inline-style", "An inline style sheet", tag, file) }
        if isPage, ["iframe", "object", "embed", "base", "form"].contains(tag.name) {
            add("element", "The element '\(tag.name)'", tag, file)
        }
        for (name, value) in tag.attributes {
            if name.hasPrefix("on"), name.count > 2 {
                add("handler", "The event handler '\(name)'", tag, file)
            }
            if isPage, name == "style" { add("inline-style", "A style attribute", tag, file) }
            let lead = value.drop(while: \.isWhitespace).lowercased()
            if lead.hasPrefix("javascript:") || lead.hasPrefix("vbscript:") {
                add("script", "A script URL", tag, file)
            }
            if isRequest(name, of: tag), isOutward(value),
                !(value.hasPrefix("data:image/") && tag.name != "a")
            {
                addRequest(value, file, line: tag.line)
            }
        }
    }

    /// Whether the browser follows the address by itself.
    private func isRequest(_ name: String, of tag: MarkupTag) -> Bool {
        switch name {
        case "src", "srcset", "poster", "background", "data": true
        case "href", "xlink:href":
            switch tag.name {
            case "image", "use", "feimage": true
            case "link":
                ["stylesheet", "icon", "preload", "prefetch", "preconnect", "manifest", "dns-prefetch"]
                    .contains { (tag["rel"] ?? "").lowercased().contains($0) }
            default: false
            }
        default: false
        }
    }

    private mutating func add(_ id: String, _ what: String, _ tag: MarkupTag, _ file: BuiltFile) {
        faults.append(
            Finding(
                id, "\(what) is not allowed by the content security policy", in: file.path, line: tag.line,
                hint: "remove it; put styles in a style sheet in assets"))
    }

    private mutating func addRequest(_ address: String, _ file: BuiltFile, line: Int?) {
        faults.append(
            Finding(
                "request",
                "The page loads '\(printable(String(address.prefix(120))))' from another site",
                in: file.path, line: line, hint: "put a copy in the assets of the theme"))
    }
}

/// What a policy allows beyond `default-src 'none'; style-src 'self'; img-src 'self' data:`.
private func policyFaults(_ policy: String) -> [String] {
    var directives: [String: [String]] = [:]
    for directive in policy.split(separator: ";") {
        let words = directive.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first?.lowercased(), directives[name] == nil else { continue }
        directives[name] = Array(words.dropFirst())
    }
    var faults: [String] = []
    if directives["default-src"] != ["'none'"] { faults.append("default-src is not 'none'") }
    let allowed = ["style-src": ["'self'", "'none'"], "img-src": ["'self'", "data:", "'none'"]]
    for (name, sources) in directives.sorted(by: { $0.key < $1.key })
    where name.hasSuffix("-src") && name != "default-src" {
        for source in sources where !(allowed[name] ?? ["'none'"]).contains(source) {
            faults.append("\(name) \(source)")
        }
    }
    return faults
}
