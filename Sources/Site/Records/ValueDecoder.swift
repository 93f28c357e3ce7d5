/// Reads values that `ValueEncoder` wrote. Bytes that end early or make no sense are an error, never a trap.
struct ValueDecoder {
    /// The value in some bytes.
    static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        let source = ByteSource(bytes)
        let value = try source.value(type)
        guard source.next == bytes.count else { throw UnreadableRecord() }
        return value
    }
}

/// What was kept cannot be read; the build then begins from nothing.
struct UnreadableRecord: Error {}

/// Where the bytes come from.
private final class ByteSource {
    private let bytes: [UInt8]
    var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func byte() throws -> UInt8 {
        guard next < bytes.count else { throw UnreadableRecord() }
        next += 1
        return bytes[next - 1]
    }

    func peek() throws -> UInt8 {
        guard next < bytes.count else { throw UnreadableRecord() }
        return bytes[next]
    }

    func flag() throws -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw UnreadableRecord()
        }
    }

    func number<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        var (rest, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 64 else { throw UnreadableRecord() }
            rest |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        let wide = Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
        if Value.self == UInt64.self || Value.self == UInt.self { return Value(truncatingIfNeeded: wide) }
        guard let value = Value(exactly: wide) else { throw UnreadableRecord() }
        return value
    }

    func text() throws -> String {
        let count = try number(Int.self)
        guard count >= 0, count <= bytes.count - next else { throw UnreadableRecord() }
        defer { next += count }
        return String(decoding: bytes[next..<(next + count)], as: UTF8.self)
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if Value.self == [UInt8].self, let bytes = try block() as? Value { return bytes }
        return try Value(from: DecodingPlace(source: self))
    }

    /// Bytes after their count.
    private func block() throws -> [UInt8] {
        let count = try number(Int.self)
        guard count >= 0, count <= bytes.count - next else { throw UnreadableRecord() }
        defer { next += count }
        return Array(bytes[next..<(next + count)])
    }

    func double() throws -> Double {
        guard bytes.count - next >= 8 else { throw UnreadableRecord() }
        var pattern: UInt64 = 0
        for index in 0..<8 { pattern |= UInt64(bytes[next + index]) << (8 * UInt64(index)) }
        next += 8
        return Double(bitPattern: pattern)
    }

    func length() throws -> Int {
        guard bytes.count - next >= 4 else { throw UnreadableRecord() }
        var number = 0
        for index in 0..<4 { number |= Int(bytes[next + index]) << (8 * index) }
        next += 4
        // Each element has at least a byte, but for structures without fields.
        guard number <= bytes.count else { throw UnreadableRecord() }
        return number
    }
}

private struct DecodingPlace: Decoder {
    let source: ByteSource
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if ObjectIdentifier(type) == DictionaryKeys.type {
            return KeyedDecodingContainer(try DecodedDictionary<Key>(source))
        }
        return KeyedDecodingContainer(DecodedFields<Key>(source: source))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try DecodedList(source) }
    func singleValueContainer() -> any SingleValueDecodingContainer { DecodedSingle(source: source) }
}

private struct DecodedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: ByteSource
    var codingPath: [any CodingKey] { [] }

    /// Only cases of an enumeration are looked up by name; the name comes next.
    var allKeys: [Key] {
        let start = source.next
        defer { source.next = start }
        guard let name = try? source.text(), let key = Key(stringValue: name) else { return [] }
        return [key]
    }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) throws -> Bool { try source.byte() == 0 }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try source.flag() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try source.text() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try source.double() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try source.number() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try source.value(Value.self)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try source.flag() ? source.flag() : nil
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try source.flag() ? source.text() : nil
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try source.flag() ? source.double() : nil
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try source.flag() ? source.number() : nil
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try source.flag() ? source.value(Value.self) : nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        guard try source.text() == key.stringValue else { throw UnreadableRecord() }
        return KeyedDecodingContainer(DecodedFields<Nested>(source: source))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try DecodedList(source)
    }

    func superDecoder() -> any Decoder { DecodingPlace(source: source) }
    func superDecoder(forKey key: Key) -> any Decoder { DecodingPlace(source: source) }
}

private struct DecodedDictionary<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: ByteSource
    private(set) var allKeys: [Key] = []
    private var places: [String: Int] = [:]
    var codingPath: [any CodingKey] { [] }

    init(_ source: ByteSource) throws {
        self.source = source
        for _ in 0..<(try source.length()) {
            let name = try source.text()
            let length = try source.length()
            places[name] = source.next
            source.next += length
            if let key = Key(stringValue: name) { allKeys.append(key) }
        }
    }

    func contains(_ key: Key) -> Bool { places[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try at(key) { try source.peek() == 0 } }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try at(key) { try source.value(Value.self) }
    }

    private func at<Value>(_ key: Key, _ read: () throws -> Value) throws -> Value {
        guard let place = places[key.stringValue] else { throw UnreadableRecord() }
        let end = source.next
        defer { source.next = end }
        source.next = place
        return try read()
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw UnreadableRecord() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw UnreadableRecord()
    }
    func superDecoder() throws -> any Decoder { throw UnreadableRecord() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw UnreadableRecord() }
}

private struct DecodedList: UnkeyedDecodingContainer {
    let source: ByteSource
    let count: Int?
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    init(_ source: ByteSource) throws {
        self.source = source
        count = try source.length()
    }

    private mutating func begin() throws {
        guard !isAtEnd else { throw UnreadableRecord() }
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        guard try source.peek() == 0 else { return false }
        try begin()
        _ = try source.byte()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try begin()
        return try source.value(Value.self)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try begin()
        return try DecodingPlace(source: source).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try begin()
        return try DecodedList(source)
    }

    mutating func superDecoder() throws -> any Decoder {
        try begin()
        return DecodingPlace(source: source)
    }
}

private struct DecodedSingle: SingleValueDecodingContainer {
    let source: ByteSource
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        guard let first = try? source.peek(), first == 0 else { return false }
        source.next += 1
        return true
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch try source.byte() {
        case 2: false
        case 3: true
        default: throw UnreadableRecord()
        }
    }
    func decode(_ type: String.Type) throws -> String { try marked { try source.text() } }
    func decode(_ type: Double.Type) throws -> Double { try marked { try source.double() } }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try marked { try source.number() } }
    func decode(_ type: Int8.Type) throws -> Int8 { try marked { try source.number() } }
    func decode(_ type: Int16.Type) throws -> Int16 { try marked { try source.number() } }
    func decode(_ type: Int32.Type) throws -> Int32 { try marked { try source.number() } }
    func decode(_ type: Int64.Type) throws -> Int64 { try marked { try source.number() } }
    func decode(_ type: UInt.Type) throws -> UInt { try marked { try source.number() } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try marked { try source.number() } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try marked { try source.number() } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try marked { try source.number() } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try marked { try source.number() } }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try marked { try source.value(Value.self) }
    }

    private func marked<Value>(_ read: () throws -> Value) throws -> Value {
        guard try source.byte() == 1 else { throw UnreadableRecord() }
        return try read()
    }
}
