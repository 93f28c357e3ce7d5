import Transport

/// How a service divides a list: what one answer holds of it, and where the next page is.
struct Paging<Wire: Decodable, Element: Sendable> {
    /// The elements of a page, and where the list goes on.
    let read: (Wire, Response) -> (elements: [Element], next: NextPage)
}

/// Where a list goes on.
enum NextPage {
    /// Nowhere: the list is whole.
    case none
    /// At this address, which may be relative to the present one.
    case link(String)
    /// At the present call with a token of the service.
    case token(String, (ServiceCall, String) -> ServiceCall)
    /// Somewhere that the answer does not tell.
    case untold(String)
}

// MARK: Strategies

/// One page of a list that names the address of the next one in its body.
protocol WirePage: Decodable, Sendable {
    associatedtype Element: Sendable

    /// The good elements of this page.
    var elements: [Element] { get }
    /// The address of the next page as it was sent; nil on the last.
    var next: String? { get }
}

/// One page of a list that names a token for the next one in its body.
protocol TokenPage: Decodable, Sendable {
    associatedtype Element: Decodable & Sendable
    /// The key of the list, for key paths.
    static var key: String { get }
    /// The elements; a missing list is an empty one, for empty lists are not sent.
    var elements: LossyArray<Element>? { get }
    /// Missing or empty on the last page.
    var next: PageToken? { get }
}

/// What names the next page; taken as it is, for a cut one would name another page.
struct PageToken: WireValue, Sampled, Sendable, Hashable {
    static let expected = "the name of the next page, at most 8000 bytes"

    static let sample = PageToken(text: "")

    var text: String

    private init(text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.single(String.self, expected: Self.expected)
        guard text.utf8.count <= 8000 else { throw decoder.mismatch(Self.expected) }
    }
}

/// An element of a list with its place in the answer.
struct Placed<Value: Sendable>: Sendable {
    var path: String
    var value: Value
}

extension Paging where Wire: WirePage, Element == Wire.Element {
    /// The body names the address of the next page.
    static func linkInBody(_ type: Wire.Type) -> Paging {
        Paging { page, _ in (page.elements, page.next.map { .link($0) } ?? .none) }
    }
}

extension Paging where Element: Decodable, Wire == LossyArray<Element> {
    /// A Link header names the address of the next page (RFC 8288).
    static func linkHeader(of type: Element.Type) -> Paging {
        Paging { list, response in
            let next = response.headers.values(for: "Link").lazy.compactMap(nextLink).first
            return (list.values, next.map { .link($0) } ?? .none)
        }
    }

    /// A Link header names a cursor, as Sentry writes it.
    static func cursor(of type: Element.Type) -> Paging {
        Paging { list, response in
            let next: NextPage =
                switch NextCursor(in: response.headers.values(for: "Link")) {
                case .none: .none
                case .missing: .untold("the next page has no cursor")
                case .cursor(let text): .token(text) { $0.with("cursor", $1) }
                }
            return (list.items.map(\.value), next)
        }
    }
}

extension Paging where Wire: TokenPage, Element == Placed<Wire.Element> {
    /// The body names a token, which `turn` puts into the next call.
    static func token(
        _ type: Wire.Type,
        turn: @escaping (ServiceCall, String) -> ServiceCall = { $0.with("pageToken", $1) }
    ) -> Paging {
        Paging { page, _ in
            let elements = (page.elements?.items ?? []).map {
                Placed(path: "\(Wire.key)[\($0.index)]", value: $0.value)
            }
            let token = page.next.flatMap { $0.text.isEmpty ? nil : $0.text }
            return (elements, token.map { .token($0, turn) } ?? .none)
        }
    }
}
