import Diagnostics
import Transport

/// How a service divides a list: what one response holds of it, and where the next page is.
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
    /// Somewhere that the response does not report.
    case unknown(String)
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

/// An element of a list with its place in the response.
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
                case .missing: .unknown("the next page has no cursor")
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

/// An element of a list that a configuration may name: a project, an organization.
struct NamedElement<Value> {
    var id: String?
    var slug: String?
    var name: String?
    var value: Value
}

extension ServiceClient {
    /// The one with this id; otherwise with this slug; otherwise with this name.
    ///
    /// - Parameters:
    ///   - what: What it is, in the singular: `project`.
    ///   - isCut: Whether there are more than these.
    ///   - cutHint: What to do when it may be among the others.
    func element<Value>(
        called wanted: String, what: String, in all: [NamedElement<Value>], isCut: Bool = false,
        at location: Location? = nil, cutHint: String? = nil
    ) throws(ServiceFault) -> Value {
        let tiers = [
            all.filter { $0.id == wanted }, all.filter { $0.slug == wanted },
            all.filter { $0.name == wanted },
        ]
        guard let found = tiers.first(where: { !$0.isEmpty }), let first = found.first else {
            let known = Set(
                all.compactMap { [$0.slug, $0.name].compactMap(\.self).first { !$0.isEmpty } })
            guard isCut else {
                throw fault(.notFound(what: what, name: wanted, among: known.sorted(), at: location))
            }
            throw fault(
                .reported(
                    .error(
                        "\(profile.provider).not-listed",
                        "\(profile.provider): \(what) '\(printable(wanted))' is not among the first \(all.count)",
                        details: ["the list goes on; no more of it is read in one fetch"], at: location,
                        hints: [
                            cutHint
                                ?? "correct the name in the configuration, or use a token that may see fewer \(what)s"
                        ])))
        }
        // A list that moves while its pages are read may show one twice.
        guard Set(found.map(\.id)).count == 1 else {
            let choices = found.map { [$0.slug, $0.id].compactMap(\.self).first { !$0.isEmpty } ?? "" }
            throw fault(.ambiguous(what: what, name: wanted, choices: choices))
        }
        return first.value
    }
}

/// The elements of a list that came in pages.
struct ServicePages<Element: Sendable>: Sendable {
    let provider: String
    /// All elements, in the order of the pages.
    private(set) var elements: [Element] = []
    /// How many pages were read.
    private(set) var count = 0
    /// What was skipped, and why the list ends early when it does.
    private(set) var warnings: [Diagnostic] = []
    /// Whether there is more than was read.
    private(set) var isCut = false
    /// Whether elements were skipped.
    private(set) var hasLostElements = false

    /// Whether every element that the service has was read.
    var isWhole: Bool { !isCut && !hasLostElements }

    /// Whether every element that the service has was read, and none of them twice: a list that moves while its pages are
    /// read shows one twice, and lacks the one that went the other way.
    func isWhole(namedBy id: (Element) -> String?) -> Bool {
        var seen: Set<String> = []
        return isWhole && elements.lazy.compactMap(id).allSatisfy { seen.insert($0).inserted }
    }

    init(provider: String) {
        self.provider = provider
    }

    mutating func add(_ page: [Element], _ losses: SkippedValues) {
        elements += page
        count += 1
        warnings += losses.warnings
        hasLostElements = hasLostElements || losses.hasLostElements
    }

    /// The list ends early for a fault on a later page.
    mutating func end(by fault: ServiceFault) {
        let why = fault.diagnostic
        cut(details: [why.summary] + why.details, quotes: why.quotes, at: why.location, hints: why.hints)
    }

    /// The list ends early for a reason of its own.
    mutating func end(because reason: String, at address: String) {
        cut(details: [reason], at: .address(address), hints: [])
    }

    /// The list goes on beyond what a fetch reads of it. That is worth knowing and no problem: the provider has no more of
    /// any list, and what its days lack for it is stated with them.
    mutating func endAsUsual(at address: String) {
        cut(.note, details: ["no more pages are read in one fetch"], at: .address(address), hints: [])
    }

    private mutating func cut(
        _ severity: Diagnostic.Severity = .warning, details: [String], quotes: [String] = [],
        at location: Location?, hints: [String]
    ) {
        isCut = true
        warnings.append(
            Diagnostic(
                severity, id: "\(provider).pages-cut",
                "\(provider): a list ends after page \(count), with \(elements.count) elements",
                details: details, quotes: quotes, location: location, hints: hints))
    }
}
