/// An object of which a response holds many.
///
/// It is read from its tokens without the containers of `Codable`, which box each object and look up for each of its
/// values how it is read: for short objects that took longer than the scan of their text.
protocol WireRow: Decodable, Sendable {
    /// Reads the members; nothing else names their keys.
    init(_ members: some WireMembers) throws
}

extension WireRow {
    init(from decoder: any Decoder) throws {
        if let value = decoder as? TapeDecoder {
            try self.init(TapeMembers(value))
        } else {
            try self.init(ContainerMembers(container: decoder.container(keyedBy: AnyKey.self)))
        }
    }
}

/// The members of an object.
protocol WireMembers {
    /// The value of a key that must be there.
    func value<Value: Decodable>(_ key: StaticString) throws -> Value
    /// The value of a key; nil where the key is missing or its value is null.
    func optional<Value: Decodable>(_ key: StaticString) throws -> Value?
}

/// The members of an object of a scanned text.
private struct TapeMembers: WireMembers {
    private let object: TapeDecoder

    init(_ object: TapeDecoder) throws {
        guard object.tape.tokens[object.index].kind == .object else {
            throw object.mismatch([String: Any].self)
        }
        self.object = object
    }

    func value<Value: Decodable>(_ key: StaticString) throws -> Value {
        if let value = member(key) { return try Value(from: value) }
        throw DecodingError.keyNotFound(
            AnyKey(stringValue: key.description, intValue: nil),
            DecodingError.Context(codingPath: object.codingPath, debugDescription: ""))
    }

    func optional<Value: Decodable>(_ key: StaticString) throws -> Value? {
        guard let value = member(key), !value.decodeNil() else { return nil }
        return try Value(from: value)
    }

    private func member(_ key: StaticString) -> TapeDecoder? {
        let name = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        return object.tape.member(name, of: object.index).map { TapeDecoder(tape: object.tape, index: $0) }
    }
}

/// The members of an object of any other decoder.
private struct ContainerMembers: WireMembers {
    let container: KeyedDecodingContainer<AnyKey>

    func value<Value: Decodable>(_ key: StaticString) throws -> Value {
        try container.decode(Value.self, forKey: AnyKey(stringValue: key.description, intValue: nil))
    }

    func optional<Value: Decodable>(_ key: StaticString) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: AnyKey(stringValue: key.description, intValue: nil))
    }
}
