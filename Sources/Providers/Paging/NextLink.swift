/// The address of the next page in a `Link` header (RFC 8288), as it was sent; nil when there is none.
///
/// `<https://host/path?offset=5>; rel="next", <…>; rel="last"`
func nextLink(in header: String) -> String? {
    var rest = header[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = rest[rest.index(after: open)..<close]
        let parameters = parameters(after: rest[rest.index(after: close)...])
        if isNext(parameters.text) { return String(target) }
        rest = parameters.rest
    }
    return nil
}

/// The text up to the comma that ends this link; a comma in quotation marks does not.
private func parameters(after text: Substring) -> (text: Substring, rest: Substring) {
    var isQuoted = false
    for index in text.indices {
        if text[index] == "\"" { isQuoted.toggle() }
        if text[index] == ",", !isQuoted { return (text[..<index], text[index...]) }
    }
    return (text, "")
}

private func isNext(_ parameters: Substring) -> Bool {
    parameters.split(separator: ";").contains { parameter in
        let halves = parameter.split(separator: "=", maxSplits: 1).map {
            $0.filter { $0 != "\"" && $0 != " " }
        }
        guard halves.count == 2, halves[0].lowercased() == "rel" else { return false }
        return parameter.drop { $0 != "=" }.dropFirst().lowercased().filter { $0 != "\"" }
            .split(separator: " ").contains("next")
    }
}
