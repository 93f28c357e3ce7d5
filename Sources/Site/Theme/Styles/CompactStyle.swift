/// A style sheet without comments and without the white space that means nothing.
///
/// Strings and addresses stay as they are; so does the white space that may mean something, such as that around
/// `+` in `calc` and between selectors.
package func compactStyle(_ sheet: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(sheet.count)
    var isSpaceWaiting = false
    for token in styleTokens(sheet) where token.kind != .comment {
        guard token.kind == .other else {
            out += sheet[token.range]
            isSpaceWaiting = false
            continue
        }
        for byte in sheet[token.range] {
            if isSpace(byte) {
                isSpaceWaiting = true
                continue
            }
            if isSpaceWaiting, let last = out.last, !dropsSpaceAfter(last), !dropsSpaceBefore(byte) {
                out.append(0x20)
            }
            isSpaceWaiting = false
            if byte == UInt8(ascii: "."), endsWithBareZero(out) { out.removeLast() }
            if byte == UInt8(ascii: "}"), out.last == UInt8(ascii: ";") { out.removeLast() }
            out.append(byte)
        }
    }
    return out
}

/// Whether a number begins with the zero that is last, as in `0.5`, which is also `.5`.
private func endsWithBareZero(_ out: [UInt8]) -> Bool {
    guard out.last == UInt8(ascii: "0"), let before = out.dropLast().last else { return false }
    return " :,(-".utf8.contains(before)
}

private func dropsSpaceBefore(_ byte: UInt8) -> Bool {
    "{};,>".utf8.contains(byte)
}

private func dropsSpaceAfter(_ byte: UInt8) -> Bool { dropsSpaceBefore(byte) || byte == UInt8(ascii: ":") }
