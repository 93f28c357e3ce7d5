import Diagnostics

/// Foreign text made fit for a drawing: control characters, marks that turn the direction of writing and code
/// points that XML forbids are dropped, line breaks become spaces, and what is longer than the limit ends in
/// an ellipsis.
package func displayText(_ text: String, limit: Int) -> String {
    let isPlain = text.utf8.count <= limit && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isPlain { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if result.count >= limit {
            result.removeLast()
            result.append("…")
            break
        }
        if scalar == "\n" || scalar == "\t" || scalar == "\r" {
            if result.last != " " { result.append(" ") }
        } else if isShown(scalar) {
            result.append(scalar)
        }
    }
    return String(result)
}

private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isUnsafe && scalar.value != 0x2028 && scalar.value != 0x2029
}

/// At most about how wide the text is in the wider fonts of systems, in tenths of a unit at a font size of 12;
/// wide scripts count double.
func estimatedWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
        switch scalar {
        case "i", "j", "l", ".", ",", "|", "'", "\u{A0}", " ": width + 40
        case "m", "w", "M", "W", "%": width + 114
        default:
            width + (scalar.value >= 0x1100 && scalar.value < 0xFFF0 && scalar.value >> 8 != 0x20 ? 122 : 75)
        }
    }
}

/// The same for bold text.
func estimatedBoldWidth(_ text: String) -> Int { estimatedWidth(text) * 11 / 10 }

/// An id part that is unique for every name: letters, digits and hyphens stay, other bytes become `_` and two
/// hex digits.
func identifier(_ name: String) -> String {
    let hex = Array("0123456789abcdef".unicodeScalars)
    var result = String.UnicodeScalarView()
    for byte in name.utf8.prefix(200) {
        let scalar = Unicode.Scalar(byte)
        let isLetter = (0x61...0x7A).contains(byte | 0x20)
        let isKept = isLetter || scalar == "-" || (0x30...0x39).contains(byte)
        if isKept {
            result.append(scalar)
        } else {
            result.append("_")
            result.append(hex[Int(byte >> 4)])
            result.append(hex[Int(byte & 15)])
        }
    }
    return result.isEmpty ? "_" : String(result)
}

/// Text cut to a width in tenths at a font size of 12, with an ellipsis.
func fitted(_ text: String, width: Int) -> String {
    let clean = displayText(text, limit: 200)
    guard estimatedWidth(clean) > width else { return clean }
    var kept = String.UnicodeScalarView()
    var used = 120
    for scalar in clean.unicodeScalars {
        used += estimatedWidth(String(scalar))
        guard used <= width else { break }
        kept.append(scalar)
    }
    return String(kept) + "…"
}
