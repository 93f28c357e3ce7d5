/// What a wire value had to be, in words that end the sentence "expected …".
struct Expectation: Error {
    var text: String

    /// The words for a type that the decoder asked for.
    static func words(for type: any Any.Type) -> String {
        switch type {
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any ListType.Type: "a list"
        case is any WireValue.Type: (type as? any WireValue.Type)?.expected ?? "a value"
        default: "an object"
        }
    }
}

/// A single value on the wire that says what it expects.
protocol WireValue: Decodable {
    /// Ends the sentence "expected …".
    static var expected: String { get }
}

/// Types that are lists on the wire.
private protocol ListType {}
extension Array: ListType {}
extension LossyArray: ListType {}

extension DecodingError {
    /// The error for a value at a path that is not what was expected.
    static func mismatch(_ expected: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            Context(
                codingPath: path, debugDescription: expected, underlyingError: Expectation(text: expected)))
    }
}

extension Decoder {
    /// The error for a value that is not what was expected here.
    func mismatch(_ expected: String) -> DecodingError { .mismatch(expected, at: codingPath) }

    /// The single value here; whatever is wrong with it, the error names the path.
    func single<Value: Decodable>(_ type: Value.Type, expected: String) throws -> Value {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }

    /// The text here, without the detour that the decoder makes for a type that it does not know.
    func single(_ type: String.Type, expected: String) throws -> String {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }

    /// The whole number here, without the same detour.
    func single(_ type: Int.Type, expected: String) throws -> Int {
        do {
            return try singleValueContainer().decode(type)
        } catch {
            throw mismatch(expected)
        }
    }
}
