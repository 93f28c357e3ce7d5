/// How many columns of a terminal a character takes: none, one, or two for wide scripts and emoji.
///
/// After UAX #11 (East Asian Width) and UTS #51 (emoji): a cluster is as wide as its widest part; a variation
/// selector for emoji makes it two.
package func displayWidth(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { width, scalar in
        scalar.value == 0xFE0F && width > 0 ? 2 : max(width, displayWidth(scalar))
    }
}

/// How many columns of a terminal a text takes on one line.
package func displayWidth(_ text: String) -> Int { text.reduce(0) { $0 + displayWidth($1) } }

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value >= 0x20 && scalar.value != 0xAD ? 1 : 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
}

/// The blocks of wide and full-width characters.
private func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        true
    default: false
    }
}
