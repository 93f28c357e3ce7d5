/// The elements of a list of a scanned text, one after the other; it is still at one that fails.
struct TapeList: UnkeyedDecodingContainer {
    private let tape: JSONTape
    private let list: Int
    private var index: Int

    init(_ tape: JSONTape, _ list: Int) {
        self.tape = tape
        self.list = list
        index = list + 1
    }

    var codingPath: [any CodingKey] { tape.path(list) }
    var count: Int? { tape.tokens[list].count }
    var isAtEnd: Bool { index == Int(tape.tokens[list].next) }
    var currentIndex: Int { Int(isAtEnd ? tape.tokens[list].end : tape.tokens[index].place) }

    mutating func decodeNil() throws -> Bool {
        guard try element(Never?.self).decodeNil() else { return false }
        pass()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try passed(element(type).decode(type)) }
    mutating func decode(_ type: String.Type) throws -> String {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: Int.Type) throws -> Int { try passed(element(type).decode(type)) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try passed(element(type).decode(type)) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try passed(element(type).decode(type)) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try passed(element(type).decode(type))
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try passed(element(type).decode(type))
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try passed(Value(from: element(type)))
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws
        -> KeyedDecodingContainer<
            Key
        >
    {
        try passed(element([String: Any].self).container(keyedBy: type))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try passed(element([Any].self).list())
    }

    mutating func superDecoder() throws -> any Decoder { try passed(element((any Decoder).self)) }

    private func element(_ type: any Any.Type) throws -> TapeDecoder {
        guard isAtEnd else { return TapeDecoder(tape: tape, index: index) }
        let key = AnyKey(stringValue: String(currentIndex), intValue: currentIndex)
        throw DecodingError.valueNotFound(
            type, DecodingError.Context(codingPath: codingPath + [key], debugDescription: "the list ends")
        )
    }

    private mutating func passed<Value>(_ value: Value) -> Value {
        pass()
        return value
    }

    private mutating func pass() { index = Int(tape.tokens[index].next) }
}
