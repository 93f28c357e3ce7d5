/// A value, or nil where something else stands.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    var value: Value?

    init(from decoder: any Decoder) {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }
}
