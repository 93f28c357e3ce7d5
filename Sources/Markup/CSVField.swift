import Diagnostics

/// A text as a field of CSV, with what is unsafe dropped and an apostrophe before what a spreadsheet would take for a
/// formula.
///
/// Quotes go around whatever a program may take for the end of a field,
/// semicolons too: in many countries they separate fields.
package func csvField(_ text: String) -> String {
    if isPlainField(text) { return text }
    // Scalars, not characters: a quote with an accent after it is one character that is no quote.
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
        if scalar == "\r" || (scalar == "\n" && !isAfterReturn) {
            kept.append("\n")
        } else if !scalar.isUnsafe, scalar != "\n" {
            kept.append(scalar)
        }
        isAfterReturn = scalar == "\r"
    }
    let start = kept.first { !isPassedOver($0) }
    let isFormula = start.map("=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains) ?? false
    let safe = ((isFormula ? "'" : "") + String(kept)).unicodeScalars
    guard safe.contains(where: ",;|\t\"\n".unicodeScalars.contains) else { return String(safe) }
    let parts = safe.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
    return "\"" + parts.joined(separator: "\"\"") + "\""
}

/// Whether a field is as it is: ASCII that begins with a letter or a digit and holds no separator and no quote.
private func isPlainField(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first) else {
        return text.isEmpty
    }
    return text.utf8.allSatisfy { byte in
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
            && byte != UInt8(ascii: "|") && byte != UInt8(ascii: "\"")
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// What a spreadsheet may skip before it reads a formula: white space, and what separates or quotes fields.
private func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || ",;|\"'\u{200B}\u{2060}".unicodeScalars.contains(scalar)
}
