/// Writes values as bytes by their places, without the names of their fields.
///
/// What a build keeps for the next one is written so: `JSONEncoder` takes ten times as long, and only the program that
/// wrote the bytes reads them (`KeptBuild` compares the program first). Whole numbers take as many bytes as they need;
/// bytes come as they are after their count; a value that may be absent has a byte before it; lists and dictionaries have
/// their count. Equal values give equal bytes: what a set or a dictionary holds is written in the order of its bytes.
struct ValueEncoder {
    /// The bytes of a value.
    ///
    /// - Parameter direct: How values write themselves; none does without it, for the same bytes.
    static func bytes(
        of value: some Encodable, direct: DirectWriters? = .standard
    ) throws -> [UInt8] {
        let sink = ByteSink(direct)
        try sink.encode(value)
        return sink.bytes
    }
}

/// Where the bytes go.
final class ByteSink {
    // One thread writes, and no writer is called while another holds these: the check of each access took a tenth of
    // the time.
    @exclusivity(unchecked) var bytes: [UInt8] = []
    private let ways: Ways

    convenience init(_ direct: DirectWriters? = .standard) { self.init(Ways(direct)) }

    private init(_ ways: Ways) { self.ways = ways }

    func put(_ value: some FixedWidthInteger) {
        // Small numbers of either sign are short.
        let wide = Int64(truncatingIfNeeded: value)
        var rest = UInt64(bitPattern: (wide << 1) ^ (wide >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    func put(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            put(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    func put(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch ways.way(of: Value.self) {
        case .direct(let put): try withUnsafePointer(to: value) { try put(UnsafeRawPointer($0), self) }
        case .bytes:
            let list = value as? [UInt8] ?? []
            put(list.count)
            bytes += list
        case .unordered: try (value as? any Unordered)?.put(to: self)
        case .fields: try value.encode(to: EncodingPlace(sink: self))
        }
    }

    /// Makes room for a number that is known later; returns its place.
    func reserve() -> Int {
        bytes.append(contentsOf: [0, 0, 0, 0])
        return bytes.count - 4
    }

    func fill(_ place: Int, with number: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    /// Writes elements in the order of their bytes, or of those of their keys.
    func encode<Element>(
        sorted elements: some Collection<Element>, _ put: (Element, ByteSink) throws -> Int
    ) rethrows {
        let rest = ByteSink(ways)
        var parts: [(key: Range<Int>, end: Int)] = []
        parts.reserveCapacity(elements.count)
        for element in elements {
            let start = rest.bytes.count
            let key = try put(element, rest)
            parts.append((start..<start + key, rest.bytes.count))
        }
        let all = rest.bytes
        parts.sort { all[$0.key].lexicographicallyPrecedes(all[$1.key]) }
        for part in parts { bytes.append(contentsOf: all[part.key.lowerBound..<part.end]) }
    }
}

/// How values of each type are written. Looking up whether a type conforms costs more than most values.
private final class Ways {
    enum Way {
        case direct(DirectWriters.Writer)
        case bytes, unordered, fields
    }

    private let direct: DirectWriters?
    @exclusivity(unchecked) private var known: [ObjectIdentifier: Way] = [:]

    init(_ direct: DirectWriters?) { self.direct = direct }

    func way<Value>(of type: Value.Type) -> Way {
        let id = ObjectIdentifier(type)
        if let way = known[id] { return way }
        let way: Way =
            if let put = direct?[id] {
                .direct(put)
            } else if type == [UInt8].self {
                .bytes
            } else if type is any Unordered.Type {
                .unordered
            } else {
                .fields
            }
        known[id] = way
        return way
    }
}

/// What has no order of its own.
private protocol Unordered: Encodable {
    func put(to sink: ByteSink) throws
}

extension Set: Unordered where Element: Encodable {
    fileprivate func put(to sink: ByteSink) throws {
        sink.fill(sink.reserve(), with: count)
        try sink.encode(sorted: self) { element, rest in
            let start = rest.bytes.count
            try rest.encode(element)
            return rest.bytes.count - start
        }
    }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
    fileprivate func put(to sink: ByteSink) throws {
        // Written by the standard library itself: texts and whole numbers as keys, everything else as pairs.
        if Key.self == String.self || Key.self == Int.self {
            var entries = EncodedDictionary<NamedKey>(sink: sink, place: sink.reserve())
            let named = indices.map { (name: "\(self[$0].key)", place: $0) }
            for (name, place) in named.sorted(by: { $0.name < $1.name }) {
                try entries.encode(self[place].value, forKey: NamedKey(stringValue: name))
            }
            return
        }
        sink.fill(sink.reserve(), with: 2 * count)
        try sink.encode(sorted: self) { pair, rest in
            let start = rest.bytes.count
            try rest.encode(pair.key)
            let key = rest.bytes.count - start
            try rest.encode(pair.value)
            return key
        }
    }
}

private struct NamedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct EncodingPlace: Encoder {
    let sink: ByteSink
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if ObjectIdentifier(type) == DictionaryKeys.type {
            return KeyedEncodingContainer(EncodedDictionary<Key>(sink: sink, place: sink.reserve()))
        }
        return KeyedEncodingContainer(EncodedFields<Key>(sink: sink))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        EncodedList(sink: sink, place: sink.reserve())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { EncodedSingle(sink: sink) }
}

/// The fields of a structure one after the other, or the name of a case and then its fields.
private struct EncodedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: ByteSink
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { sink.bytes.append(0) }
    func encode(_ value: Bool, forKey key: Key) { sink.bytes.append(value ? 1 : 0) }
    func encode(_ value: String, forKey key: Key) { sink.put(value) }
    func encode(_ value: Double, forKey key: Key) { sink.put(value) }
    func encode(_ value: Int, forKey key: Key) { sink.put(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        try sink.encode(value)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { sink.put(value) { sink.put($0) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { sink.put(value) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { sink.put(value) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { sink.put(value) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        sink.bytes.append(value == nil ? 0 : 1)
        if let value { try sink.encode(value) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        sink.put(key.stringValue)
        return KeyedEncodingContainer(EncodedFields<Nested>(sink: sink))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        EncodingPlace(sink: sink).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { EncodingPlace(sink: sink) }
    func superEncoder(forKey key: Key) -> any Encoder { EncodingPlace(sink: sink) }
}

/// The entries of a dictionary: each its key, its length and its value.
private struct EncodedDictionary<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: ByteSink
    let place: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) {
        let sink = sink
        entry(key) { sink.bytes.append(0) }
    }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        let sink = sink
        try entry(key) { try sink.encode(value) }
    }

    private mutating func entry<Failure: Error>(
        _ key: Key, _ encode: () throws(Failure) -> Void
    ) throws(Failure) {
        count += 1
        sink.fill(place, with: count)
        sink.put(key.stringValue)
        let length = sink.reserve()
        try encode()
        sink.fill(length, with: sink.bytes.count - length - 4)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { EncodingPlace(sink: sink).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        EncodingPlace(sink: sink).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { EncodingPlace(sink: sink) }
    func superEncoder(forKey key: Key) -> any Encoder { EncodingPlace(sink: sink) }
}

/// Elements after their count.
private struct EncodedList: UnkeyedEncodingContainer {
    let sink: ByteSink
    let place: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(sink: ByteSink, place: Int) { (self.sink, self.place) = (sink, place) }

    private mutating func begin() {
        count += 1
        sink.fill(place, with: count)
    }

    mutating func encodeNil() {
        begin()
        sink.bytes.append(0)
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try sink.encode(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        begin()
        return EncodingPlace(sink: sink).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        return EncodingPlace(sink: sink).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return EncodingPlace(sink: sink)
    }
}

/// One value, with a byte before it that says whether it is absent.
private struct EncodedSingle: SingleValueEncodingContainer {
    let sink: ByteSink
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { sink.bytes.append(0) }

    func encode(_ value: Bool) { sink.bytes.append(value ? 3 : 2) }
    func encode(_ value: String) {
        sink.bytes.append(1)
        sink.put(value)
    }
    func encode(_ value: Double) {
        sink.bytes.append(1)
        sink.put(value)
    }
    func encode(_ value: Float) { encode(Double(value)) }
    func encode(_ value: Int) { number(value) }
    func encode(_ value: Int8) { number(value) }
    func encode(_ value: Int16) { number(value) }
    func encode(_ value: Int32) { number(value) }
    func encode(_ value: Int64) { number(value) }
    func encode(_ value: UInt) { number(value) }
    func encode(_ value: UInt8) { number(value) }
    func encode(_ value: UInt16) { number(value) }
    func encode(_ value: UInt32) { number(value) }
    func encode(_ value: UInt64) { number(value) }
    func encode(_ value: some Encodable) throws {
        sink.bytes.append(1)
        try sink.encode(value)
    }

    private func number(_ value: some FixedWidthInteger) {
        sink.bytes.append(1)
        sink.put(value)
    }
}

/// The type of the keys with which the standard library writes a dictionary with texts as keys.
enum DictionaryKeys {
    static let type: ObjectIdentifier? = {
        let probe = KeyTypeProbe()
        try? ["": 0].encode(to: probe)
        return probe.found.type
    }()
}

/// Notes the type of the keys of the first container.
private struct KeyTypeProbe: Encoder {
    final class Found { var type: ObjectIdentifier? }

    let found = Found()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        found.type = ObjectIdentifier(type)
        return KeyedEncodingContainer(EncodedFields<Key>(sink: ByteSink()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { EncodedList(sink: ByteSink(), place: 0) }
    func singleValueContainer() -> any SingleValueEncodingContainer { EncodedSingle(sink: ByteSink()) }
}
