/// The members of an object of a scanned text.
struct TapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let tape: JSONTape
    private let object: Int
    /// Where the value of each key lies; of objects with few members, which are quicker to look through, nil.
    private let places: [String: Int]?

    init(_ tape: JSONTape, _ object: Int) {
        self.tape = tape
        self.object = object
        places = tape.tokens[object].count > 24 ? tape.places(of: object) : nil
    }

    var codingPath: [any CodingKey] { tape.path(object) }

    var allKeys: [Key] {
        tape.members(of: object).compactMap { tape.text($0.key).flatMap { Key(stringValue: $0) } }
    }

    func contains(_ key: Key) -> Bool { place(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: value(key))
    }

    // Of the types that responses have, each key is looked for once; the library's own way looks three times.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key)?.decode(type)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key)?.decode(type)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key)?.decode(type)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key)?.decode(type)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try Value(from: $0) }
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Inner>
    {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).list()
    }

    func superDecoder() throws -> any Decoder { TapeDecoder(tape: tape, index: object) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

    private func place(of key: Key) -> Int? {
        if let places { return places[key.stringValue] }
        return tape.member(key.stringValue, of: object)
    }

    private func value(_ key: Key) throws -> TapeDecoder {
        if let index = place(of: key) { return TapeDecoder(tape: tape, index: index) }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }

    /// The value when there is one and it is not null.
    private func present(_ key: Key) -> TapeDecoder? {
        guard let index = place(of: key), tape.tokens[index].kind != .null else { return nil }
        return TapeDecoder(tape: tape, index: index)
    }
}

extension JSONTape {
    /// Where the value of each key of an object lies; of two with the same key the first.
    fileprivate func places(of object: Int) -> [String: Int] {
        let pairs = members(of: object).compactMap { member in
            text(member.key).map { ($0, member.value) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
