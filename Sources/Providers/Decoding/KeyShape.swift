/// The keys that a type reads, level by level.
indirect enum KeyShape: Equatable, Sendable {
    /// Nothing is known of this value, or it has no keys.
    case any
    /// A list of such values.
    case list(KeyShape)
    /// An object with these keys.
    case object([String: KeyShape])

    /// The keys that the type asks a decoder for: found by letting it decode from a decoder that has
    /// everything, so that no second list of keys can fall behind the first.
    init(of type: (some Decodable).Type) {
        let probe = KeyProbe()
        // A type that refuses the sample values has still told the keys that it asked for until then.
        _ = try? type.init(from: probe)
        self = probe.node.shape
    }

    /// The shape of the elements of a list.
    var element: KeyShape {
        if case .list(let element) = self { element } else { .any }
    }

    /// The shape of a member of an object.
    subscript(key: String) -> KeyShape {
        if case .object(let members) = self { members[key] ?? .any } else { .any }
    }
}
