package import Diagnostics
import Foundation

/// A value as a file of JSON for programs: members in order, one a line, and a line break at its end. What could drive a
/// terminal or turn a line around is escaped.
///
/// - Throws: `output.json` for a value that JSON cannot hold, such as a number that is not finite.
package func jsonFile(_ value: some Encodable) throws(Diagnostics) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Array(jsonSafe(text).utf8) + [UInt8(ascii: "\n")]
    } catch {
        var place = ""
        if case EncodingError.invalidValue(_, let context) = error {
            place = context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        throw Diagnostics([
            .error(
                "output.json", "Result cannot be written as JSON",
                details: place.isEmpty ? [] : ["'\(printable(place))' is a number that is not finite"],
                hints: ["report it as a fault of plimsoll, with this message"])
        ])
    }
}
