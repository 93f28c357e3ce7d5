/// A value that has no sample among texts and numbers and gives one of its own to a `KeyProbe`.
protocol Sampled {
    static var sample: Self { get }
}

/// A decoder that has a value for every key and writes down which keys were requested.
struct KeyProbe: Decoder {
    /// What was read of one value.
    final class Node {
        var members: [String: Node] = [:]
        var element: Node?

        var shape: KeyShape {
            if let element { return .list(element.shape) }
            return members.isEmpty ? .any : .object(members.mapValues(\.shape))
        }

        func member(_ key: String) -> Node {
            let node = members[key] ?? Node()
            members[key] = node
            return node
        }
    }

    let node: Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(node: Node = Node()) {
        self.node = node
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbedObject<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        let element = node.element ?? Node()
        node.element = element
        return ProbedList(node: element)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbedValue(node: node) }
}

extension KeyProbe.Node {
    /// A value of the type, made while it reads its keys.
    func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let sampled = type as? any Sampled.Type, let value = sampled.sample as? Value {
            return value
        }
        return try Value(from: KeyProbe(node: self))
    }
}

private struct ProbedValue: SingleValueDecodingContainer {
    let node: KeyProbe.Node
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Double.Type) -> Double { 0 }
    func decode(_ type: Float.Type) -> Float { 0 }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int8.Type) -> Int8 { 0 }
    func decode(_ type: Int16.Type) -> Int16 { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode(_ type: UInt.Type) -> UInt { 0 }
    func decode(_ type: UInt8.Type) -> UInt8 { 0 }
    func decode(_ type: UInt16.Type) -> UInt16 { 0 }
    func decode(_ type: UInt32.Type) -> UInt32 { 0 }
    func decode(_ type: UInt64.Type) -> UInt64 { 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try node.sample(type) }
}

private struct ProbedList: UnkeyedDecodingContainer {
    let node: KeyProbe.Node
    var codingPath: [any CodingKey] { [] }
    var currentIndex = 0
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }
    mutating func decode(_ type: Bool.Type) -> Bool { passed(false) }
    mutating func decode(_ type: String.Type) -> String { passed("") }
    mutating func decode(_ type: Double.Type) -> Double { passed(0) }
    mutating func decode(_ type: Float.Type) -> Float { passed(0) }
    mutating func decode(_ type: Int.Type) -> Int { passed(0) }
    mutating func decode(_ type: Int8.Type) -> Int8 { passed(0) }
    mutating func decode(_ type: Int16.Type) -> Int16 { passed(0) }
    mutating func decode(_ type: Int32.Type) -> Int32 { passed(0) }
    mutating func decode(_ type: Int64.Type) -> Int64 { passed(0) }
    mutating func decode(_ type: UInt.Type) -> UInt { passed(0) }
    mutating func decode(_ type: UInt8.Type) -> UInt8 { passed(0) }
    mutating func decode(_ type: UInt16.Type) -> UInt16 { passed(0) }
    mutating func decode(_ type: UInt32.Type) -> UInt32 { passed(0) }
    mutating func decode(_ type: UInt64.Type) -> UInt64 { passed(0) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        passed(try node.sample(type))
    }
    mutating func superDecoder() -> any Decoder { passed(KeyProbe(node: node)) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        passed(KeyProbe(node: node).unkeyedContainer())
    }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<
        Key
    > {
        passed(KeyProbe(node: node).container(keyedBy: type))
    }

    private mutating func passed<Value>(_ value: Value) -> Value {
        currentIndex += 1
        return value
    }
}

private struct ProbedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: KeyProbe.Node
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        _ = node.member(key.stringValue)
        return true
    }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { asked(key, false) }
    func decode(_ type: String.Type, forKey key: Key) -> String { asked(key, "") }
    func decode(_ type: Double.Type, forKey key: Key) -> Double { asked(key, 0) }
    func decode(_ type: Float.Type, forKey key: Key) -> Float { asked(key, 0) }
    func decode(_ type: Int.Type, forKey key: Key) -> Int { asked(key, 0) }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { asked(key, 0) }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { asked(key, 0) }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { asked(key, 0) }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { asked(key, 0) }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt { asked(key, 0) }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { asked(key, 0) }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { asked(key, 0) }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { asked(key, 0) }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { asked(key, 0) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try node.member(key.stringValue).sample(type)
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key)
        -> KeyedDecodingContainer<Inner>
    {
        KeyProbe(node: node.member(key.stringValue)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        KeyProbe(node: node.member(key.stringValue)).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { KeyProbe(node: node) }
    func superDecoder(forKey key: Key) -> any Decoder { KeyProbe(node: node.member(key.stringValue)) }

    private func asked<Value>(_ key: Key, _ value: Value) -> Value {
        _ = node.member(key.stringValue)
        return value
    }
}
