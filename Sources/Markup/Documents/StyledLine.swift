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

    /// Spans on one line; with their addresses where these are asked for.
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

    /// The text, with the colours of a terminal where these are asked for, without spaces at its end.
    func text(hasColours: Bool) -> String {
        var result = ""
        var style = Style()
        let end = (glyphs.lastIndex { $0.character != " " } ?? -1) + 1
        for glyph in glyphs[..<end] {
            if hasColours, glyph.style != style {
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
