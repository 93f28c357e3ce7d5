/// What a service calls a message, and those who did not get it yet although others did.
struct PartialRemote: Equatable {
    /// What the service calls it.
    var name: String
    /// Digests of who did not get it: the archive has no addresses.
    var rest: Set<String>

    private static let separator = " rest="

    init(_ name: String, lacking places: some Sequence<String>) {
        self.name = name
        rest = Set(places.map(Self.digest))
    }

    /// Reads it as the ledger keeps it.
    init(_ text: String) {
        guard let place = text.firstRange(of: Self.separator) else {
            (name, rest) = (text, [])
            return
        }
        name = String(text[..<place.lowerBound])
        rest = Set(text[place.upperBound...].split(separator: ",").map(String.init))
    }

    /// As the ledger keeps it.
    var text: String { rest.isEmpty ? name : name + Self.separator + rest.sorted().joined(separator: ",") }

    /// Whether someone did not get it yet.
    func lacks(_ place: String) -> Bool { rest.contains(Self.digest(place)) }

    private static func digest(_ place: String) -> String { String(Attaching.digest(place).prefix(12)) }
}
