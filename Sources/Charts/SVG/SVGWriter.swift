import Formatting

/// The bytes of one drawing.
///
/// Markup enters only as literals of the program; every other text is escaped on its way in, so no foreign
/// text can become markup. Coordinates are whole tenths of a unit.
struct SVGWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The drawing as a string.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Markup that is in the program.
    @inline(__always)
    mutating func raw(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Marks of another drawing of this program.
    mutating func append(_ marks: ArraySlice<UInt8>) {
        bytes.append(contentsOf: marks)
    }

    /// The rules of a style sheet that is in the program.
    mutating func rules(_ rules: [StyleRule]) {
        for rule in rules { bytes.append(contentsOf: rule.compactText.utf8) }
    }

    /// Text, escaped for element content and for quoted attributes of HTML and XML.
    mutating func escaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            case UInt8(ascii: "\""): raw("&quot;")
            case UInt8(ascii: "'"): raw("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    /// A coordinate in tenths: 1205 is `120.5`, -3 is `-.3`, 0 is `0`.
    mutating func tenths(_ value: Int) {
        let held = min(max(value, -10_000_000), 10_000_000)
        if held < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = abs(held)
        let (whole, rest) = (magnitude / 10, magnitude % 10)
        if whole > 0 || rest == 0 { digits(whole) }
        if rest > 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(UInt8(ascii: "0") + UInt8(rest))
        }
    }

    /// A positive number in ten-thousandths: 4321 is `.4321`.
    mutating func tenThousandths(_ value: Int) {
        let (whole, rest) = (value / 10_000, value % 10_000)
        if whole > 0 || rest == 0 { digits(whole) }
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        for place in [1000, 100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(rest / place % 10)) }
    }

    private mutating func digits(_ value: Int) {
        if value >= 10 { digits(value / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
    }
}

extension SVGWriter {
    /// An attribute whose value is a coordinate, after a literal such as ` x="`.
    mutating func coordinate(_ opening: StaticString, _ value: Int) {
        raw(opening)
        tenths(value)
        raw("\"")
    }

    /// An element's `x` and `y`, its end and its text: what follows an opened `<text`.
    mutating func label(_ text: String, x: Int, y: Int) {
        coordinate(" x=\"", x)
        coordinate(" y=\"", y)
        raw(">")
        escaped(text)
        // The line end is not drawn; it parts the words where a drawing is shown as text.
        raw("</text>\n")
    }
}
