import Diagnostics
import Markup
import Site

/// What the content security policy of the pages forbids, and pages without such a policy: the browser would not
/// show the first, and would not protect the readers of the second.
struct PolicyCheck: SiteCheck {
    /// A page with style sheets, and from where its policy lets it load fonts.
    private struct FontPolicy {
        let path: String
        let line: Int?
        let sources: Set<String>
    }

    private var faults: [Finding] = []
    private var fontPolicies: [FontPolicy] = []
    /// From where the style sheets load fonts, as policies name it.
    private var fontSources: Set<String> = []

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
                if isFont(address) { fontSources.insert(address.hasPrefix("data:") ? "data:" : "'self'") }
            }
        case .xml, .markdown, .other: break
        }
    }

    func findings() -> [Finding] {
        faults
            + fontPolicies.filter { !fontSources.isSubset(of: $0.sources) }.map { page in
                Finding(
                    "font", "The content security policy forbids the fonts of the style sheets",
                    in: page.path,
                    line: page.line, hint: "add to the policy: font-src 'self' data:")
            }
    }

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
        let directives = policyDirectives(text)
        for wish in policyFaults(directives) {
            faults.append(
                Finding(
                    "weak-policy", "The content security policy allows too much: \(wish)",
                    in: file.path, line: meta.line,
                    hint:
                        "write: default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self' data:"
                ))
        }
        // A page in one file has its style in it, which loads no file.
        guard file.tags.contains(where: { $0.name == "link" && $0["rel"]?.lowercased() == "stylesheet" })
        else {
            return
        }
        let sources = directives["font-src"] ?? directives["default-src"] ?? []
        fontPolicies.append(FontPolicy(path: file.path, line: meta.line, sources: Set(sources)))
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
            guard isRequest(name, of: tag) else { continue }
            for address in addresses(of: name, value)
            where isOutward(address) && !(address.hasPrefix("data:image/") && tag.name != "a") {
                addRequest(address, file, line: tag.line)
            }
        }
    }

    /// Whether the browser follows the address by itself.
    private func isRequest(_ name: String, of tag: MarkupTag) -> Bool {
        switch name {
        case "src", "srcset", "imagesrcset", "poster", "background", "data": true
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

/// Whether a style sheet loads a font by the address.
private func isFont(_ address: String) -> Bool {
    if address.hasPrefix("data:") {
        return ["data:font/", "data:application/font", "data:application/x-font"].contains(
            where: address.lowercased().hasPrefix)
    }
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".woff2", ".woff", ".ttf", ".otf", ".ttc", ".otc"].contains(where: path.hasSuffix)
}

/// The sources of each directive of a policy; of one that comes twice the first counts.
private func policyDirectives(_ policy: String) -> [String: [String]] {
    var directives: [String: [String]] = [:]
    for directive in policy.split(separator: ";") {
        let words = directive.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first?.lowercased(), directives[name] == nil else { continue }
        directives[name] = Array(words.dropFirst())
    }
    return directives
}

/// What a policy allows beyond the style sheets, images and fonts of the site.
private func policyFaults(_ directives: [String: [String]]) -> [String] {
    var faults: [String] = []
    if directives["default-src"] != ["'none'"] { faults.append("default-src is not 'none'") }
    let files = ["'self'", "data:", "'none'"]
    let allowed = ["style-src": ["'self'", "'none'"], "img-src": files, "font-src": files]
    for (name, sources) in directives.sorted(by: { $0.key < $1.key })
    where name.hasSuffix("-src") && name != "default-src" {
        for source in sources where !(allowed[name] ?? ["'none'"]).contains(source) {
            faults.append("\(name) \(source)")
        }
    }
    return faults
}
