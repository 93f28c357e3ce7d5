import Diagnostics
import Transport

/// Makes values from one value of a scanned text.
///
/// It makes what `JSONDecoder` makes, from the scan that every response needs anyway for its limits and its odd
/// keys: a second reading of the same bytes was the greatest cost of a fetch. It looks keys up where they lie and
/// keeps no path, which can be read from the tokens when something fails.
struct TapeDecoder: Decoder {
    let tape: JSONTape
    let index: Int

    var codingPath: [any CodingKey] { tape.path(index) }

    var userInfo: [CodingUserInfoKey: Any] {
        LossLog.key.map { [$0: tape.log] } ?? [:]
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard tape.tokens[index].kind == .object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(TapeObject<Key>(tape, index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try list() }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func list() throws -> TapeList {
        guard tape.tokens[index].kind == .list else { throw mismatch([Any].self) }
        return TapeList(tape, index)
    }

    /// The error for a value of another type than was requested.
    func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "")
        return tape.tokens[index].kind == .null
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard let number = tape.whole(index, as: type) else { throw mismatch(type) }
        return number
    }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.tokens[index].kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch tape.tokens[index].kind {
        case .yes: true
        case .no: false
        default: throw mismatch(type)
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard tape.tokens[index].kind == .text, let text = tape.text(index) else {
            throw mismatch(type)
        }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = tape.double(index) else { throw mismatch(type) }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard let number = tape.double(index).map({ Float($0) }), number.isFinite else {
            throw mismatch(type)
        }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// Decodes the responses of one endpoint, and says in people's words what is wrong with them.
///
/// Each response is passed over once. What is in the place of what was expected is found by the tokens of that pass.
struct ResponseDecoder {
    var provider: String
    /// The endpoint or the file, free of secrets.
    var endpoint: String
    /// What gives the texts.
    var origin = DecodingFailure.Origin.service
    /// Takes secrets out of what is quoted from a response.
    var redaction = Redaction()

    /// The value with what was skipped of it.
    func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(DecodingFailure) -> (value: Value, losses: SkippedValues) {
        let (value, losses, _) = try read(type, from: bytes)
        return (value, losses)
    }

    /// The value with what was skipped of it, and the text as it was scanned.
    func read<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(DecodingFailure) -> (value: Value, losses: SkippedValues, tape: JSONTape) {
        let tape = try scanned(utf8(bytes))
        do {
            return (try Value(from: TapeDecoder(tape: tape, index: 0)), losses(tape), tape)
        } catch {
            var explainer = FailureExplainer(self, tape)
            guard let error = error as? DecodingError else { throw explainer.failureOfText }
            throw explainer.failure(of: error)
        }
    }

    private func scanned(_ bytes: [UInt8]) throws(DecodingFailure) -> JSONTape {
        do throws(JSONScan.Fault) {
            return try JSONTape(bytes)
        } catch {
            throw failure("", .notJSON(fault(in: bytes) ?? .unreadable))
        }
    }

    /// What keeps a response from being JSON. Nothing of a response that holds a secret is quoted: the excerpt could
    /// begin inside the secret, where it is not found.
    func fault(in bytes: [UInt8]) -> JSONSyntaxError? {
        let fault = JSONScan.fault(in: bytes)
        guard case .syntax(_, let position)? = fault else { return fault }
        let text = String(decoding: bytes, as: UTF8.self)
        return redaction.masked(text) == text ? fault : .syntax(found: "text", at: position)
    }

    func failure(_ path: String, _ problem: DecodingFailure.Problem) -> DecodingFailure {
        DecodingFailure(
            provider: provider, endpoint: endpoint, path: path, problem: problem, origin: origin)
    }

    private func losses(_ tape: JSONTape) -> SkippedValues {
        var losses = SkippedValues(provider: provider, endpoint: endpoint, origin: origin)
        let (kept, skipped) = tape.log.contents
        var explainer = FailureExplainer(self, tape)
        for entry in kept {
            switch entry {
            case .element(let error): losses.addElement(explainer.failure(of: error).warning)
            case .cut(let path, let limit):
                losses.add(
                    .warning(
                        "decoding.text-cut", "\(provider): \(path): text cut after \(limit) characters",
                        at: .keyPath(document: endpoint, path: path)))
            }
        }
        losses.add(uncounted: skipped)
        return losses
    }
}
