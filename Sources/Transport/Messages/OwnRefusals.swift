/// How a response shows that the service itself refuses a request, so that others are answered: a status such as 500 is
/// that of a service that is down, and of one that ended a query as it takes too much memory.
package struct OwnRefusals: Hashable, Sendable {
    private let name: String
    private let isOne: @Sendable (Response) -> Bool

    /// - Parameter name: Distinguishes these from others.
    package init(_ name: String, _ isOne: @escaping @Sendable (Response) -> Bool) {
        (self.name, self.isOne) = (name, isOne)
    }

    /// Nothing but the status is known of a refusal.
    package static let none = OwnRefusals("") { _ in false }

    /// Whether a response is one.
    func include(_ response: Response) -> Bool { isOne(response) }

    package static func == (first: OwnRefusals, second: OwnRefusals) -> Bool { first.name == second.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
