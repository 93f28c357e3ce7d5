import Diagnostics

/// Characters of a line with their style: what is wrapped, cut and padded.
struct StyledLine: Hashable {
    struct Style: Hashable {
        var isStrong = false
        var tone = Span.Tone.plain
    }

    struct Glyph: Hashable {
        let character: Character
        let width: Int
        let style: Style
    }

    var glyphs: [Glyph] = []

    /// The columns that it takes.
    var width: Int { glyphs.reduce(0) { $0 + $1.width } }

    init() {}

    /// Spans on one line; with their addresses where these are requested.
    init(_ spans: [Span], showsAddresses: Bool = false) {
        for span in spans {
            append(span.text, Style(isStrong: span.isStrong, tone: span.tone))
            if showsAddresses, let address = span.address ?? span.picture, !span.text.isEmpty,
                address != span.text
            {
                append(": " + address)
            }
        }
    }

    mutating func append(_ text: String, _ style: Style = Style()) {
        glyphs += harmless(text).map { Glyph(character: $0, width: displayWidth($0), style: style) }
    }

    /// Fills up with spaces to a width.
    mutating func pad(to width: Int, onTheLeft: Bool) {
        let missing = width - self.width
        guard missing > 0 else { return }
        let spaces = Array(repeating: Glyph(character: " ", width: 1, style: Style()), count: missing)
        glyphs = onTheLeft ? spaces + glyphs : glyphs + spaces
    }

    /// Cut to a width, with an ellipsis when something is gone.
    func cut(to limit: Int) -> StyledLine {
        guard width > limit else { return self }
        var result = StyledLine()
        var used = 0
        for glyph in glyphs {
            guard used + glyph.width <= limit - 1 else { break }
            result.glyphs.append(glyph)
            used += glyph.width
        }
        while result.glyphs.last?.character == " " { result.glyphs.removeLast() }
        result.append("…", result.glyphs.last?.style ?? Style())
        return result
    }

    /// Broken at spaces into lines of at most so many columns; later lines are indented. A word that is longer than a
    /// line is broken within, or has a line of its own.
    func wrapped(to limit: Int, indent: Int, breaksWords: Bool = true) -> [StyledLine] {
        var lines: [StyledLine] = []
        var line = StyledLine()
        for word in glyphs.split(separator: " ", by: \.character) {
            var word = word
            if !line.glyphs.isEmpty, line.width + 1 + word.reduce(0, { $0 + $1.width }) > limit {
                lines.append(line)
                line = StyledLine()
                line.pad(to: indent, onTheLeft: true)
            } else if let before = line.glyphs.last?.style {
                line.append(" ", before == word.first?.style ? before : Style())
            }
            while breaksWords, line.width + word.reduce(0, { $0 + $1.width }) > limit {
                var used = line.width
                let head = word.prefix { glyph in
                    used += glyph.width
                    return used <= limit
                }
                guard !head.isEmpty || line.width > indent else { break }
                line.glyphs += head
                word = word.dropFirst(head.count)
                lines.append(line)
                line = StyledLine()
                line.pad(to: indent, onTheLeft: true)
            }
            line.glyphs += word
        }
        return lines + [line]
    }

    /// The text, with the colors of a terminal where these are requested, without spaces at its end.
    func text(hasColors: Bool) -> String {
        var result = ""
        var style = Style()
        let end = (glyphs.lastIndex { $0.character != " " } ?? -1) + 1
        for glyph in glyphs[..<end] {
            if hasColors, glyph.style != style {
                result += selectGraphicRendition(glyph.style)
                style = glyph.style
            }
            result.append(glyph.character)
        }
        return style == Style() ? result : result + "\u{1B}[0m"
    }
}

/// ECMA-48, 8.3.117.
private func selectGraphicRendition(_ style: StyledLine.Style) -> String {
    var codes = ["0"]
    if style.isStrong { codes.append("1") }
    switch style.tone {
    case .plain: break
    case .good: codes.append("32")
    case .bad: codes.append("31")
    case .soft: codes.append("2")
    }
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
}

/// Text that keeps to its line and cannot drive a terminal: controls are shown as `\u{…}`.
private func harmless(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: kept.append(" ")
        case 0x200B, 0x200E, 0x200F, 0xFEFF: continue
        default: kept.append(scalar)
        }
    }
    return printable(String(kept))
}

extension Array {
    /// The parts between the elements that have this value.
    fileprivate func split<Value: Equatable>(
        separator: Value, by value: KeyPath<Element, Value>
    ) -> [ArraySlice<Element>] {
        split(omittingEmptySubsequences: true) { $0[keyPath: value] == separator }
    }
}

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
