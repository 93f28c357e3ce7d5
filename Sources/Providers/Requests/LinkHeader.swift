import Foundation

/// One link of a `Link` header (RFC 8288).
struct Link: Equatable, Sendable {
    /// The address as it was sent.
    var target: String
    /// Its parameters, names in lower case; of two with one name the first counts.
    var parameters: [String: String]

    /// Whether it leads to the next page.
    var isNext: Bool {
        (parameters["rel"] ?? "").lowercased().split(separator: " ").contains("next")
    }
}

/// The links of a header in their order. What is around a link, such as brackets and quotes that a server
/// has put there by mistake, is passed over.
func links(in header: String) -> [Link] {
    var result: [Link] = []
    var rest = header[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = rest[rest.index(after: open)..<close]
        let (text, next) = parameters(after: rest[rest.index(after: close)...])
        result.append(Link(target: String(target), parameters: values(in: text)))
        rest = next
    }
    return result
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

private func values(in parameters: Substring) -> [String: String] {
    var result: [String: String] = [:]
    for parameter in parameters.split(separator: ";") {
        let halves = parameter.split(separator: "=", maxSplits: 1)
        guard halves.count == 2 else { continue }
        let name = halves[0].filter { $0 != " " }.lowercased()
        if result[name] == nil { result[name] = value(halves[1]) }
    }
    return result
}

/// What is between the quotation marks, or the text without blanks at its ends.
private func value(_ text: Substring) -> String {
    let text = text.drop { $0 == " " }
    if text.first == "\"" { return String(text.dropFirst().prefix { $0 != "\"" }) }
    return String(text.reversed().drop { $0 == " " }.reversed())
}

/// The address of the next page in a `Link` header (RFC 8288), as it was sent; nil when there is none.
///
/// `<https://host/path?offset=5>; rel="next", <…>; rel="last"`
func nextLink(in header: String) -> String? {
    links(in: header).first(where: \.isNext)?.target
}

/// Where a list that is read by cursors goes on.
enum NextCursor: Equatable, Sendable {
    /// Nowhere: the list is whole.
    case none
    /// At this cursor, on the address that was requested.
    case cursor(String)
    /// Somewhere, but the header does not say where.
    case missing

    /// The longest cursor that is sent back.
    private static let longest = 1_000

    /// Reads `Link` headers as Sentry and GlitchTip write them: `results` says whether there is a next page, a
    /// link to it is there always. Only the cursor is taken: the link's host may be an inner one.
    init(in headers: [String]) {
        guard let link = headers.lazy.flatMap(links).first(where: \.isNext) else {
            self = .none
            return
        }
        let cursor = link.parameters["cursor"] ?? Self.cursor(in: link.target)
        switch (link.parameters["results"], cursor) {
        case ("false", _), (nil, nil): self = .none
        case (_, let cursor?) where !cursor.isEmpty && cursor.utf8.count <= Self.longest:
            self = .cursor(cursor)
        default: self = .missing
        }
    }

    private static func cursor(in target: String) -> String? {
        let query = target.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").first { $0.hasPrefix("cursor=") }
            .flatMap { $0.dropFirst("cursor=".count).removingPercentEncoding }
    }
}
