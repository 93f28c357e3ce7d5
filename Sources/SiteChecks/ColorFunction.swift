/// The three parts of `rgb()`, `hsl()` or `hwb()`, in the syntax with commas and in that with spaces (CSS Color 4, 4 to 8).
struct ColorFunction {
    private let parts: [String]

    /// Nil where there are other parts than three, and where the color is not opaque.
    ///
    /// - Parameter arguments: what was between the commas.
    init?(_ arguments: [String]) {
        var parts = arguments
        var alpha = "1"
        if arguments.count == 1 {
            let sides = arguments[0].split(separator: "/", omittingEmptySubsequences: false)
            guard sides.count <= 2 else { return nil }
            parts = sides[0].split(whereSeparator: \.isWhitespace).map(String.init)
            if sides.count == 2 { alpha = String(sides[1]).trimmed }
        } else if arguments.count == 4 {
            alpha = parts.removeLast()
        }
        guard parts.count == 3, let opacity = share(alpha, ofNumber: 1), opacity >= 1 else { return nil }
        self.parts = parts
    }

    /// Red, green and blue as percentages, or of 255.
    var rgb: StyleColor? {
        guard let red = share(parts[0], ofNumber: 255), let green = share(parts[1], ofNumber: 255),
            let blue = share(parts[2], ofNumber: 255)
        else { return nil }
        return StyleColor(red: red, green: green, blue: blue).clipped
    }

    /// Hue, saturation and lightness.
    var hsl: StyleColor? {
        guard let hue = degrees(parts[0]), let saturation = share(parts[1], ofNumber: 100),
            let lightness = share(parts[2], ofNumber: 100)
        else { return nil }
        return color(hue, max(0, saturation), lightness)
    }

    /// Hue, whiteness and blackness.
    var hwb: StyleColor? {
        guard let hue = degrees(parts[0]), let white = share(parts[1], ofNumber: 100),
            let black = share(parts[2], ofNumber: 100)
        else { return nil }
        if white + black >= 1 {
            let gray = white / (white + black)
            return StyleColor(red: gray, green: gray, blue: gray).clipped
        }
        return StyleColor(red: white, green: white, blue: white)
            .added(color(hue, 1, 0.5), share: 1 - white - black).clipped
    }
}

/// CSS Color 4, 7.1.
private func color(_ hue: Double, _ saturation: Double, _ lightness: Double) -> StyleColor {
    func part(_ place: Double) -> Double {
        let angle = (place + hue / 30).truncatingRemainder(dividingBy: 12)
        return lightness
            - saturation * min(lightness, 1 - lightness) * max(-1, min(angle - 3, 9 - angle, 1))
    }
    return StyleColor(red: part(0), green: part(8), blue: part(4)).clipped
}

extension StyleColor {
    /// The nearest color that a screen has.
    fileprivate var clipped: StyleColor {
        func within(_ part: Double) -> Double { min(max(part, 0), 1) }
        return StyleColor(red: within(red), green: within(green), blue: within(blue))
    }

    fileprivate func added(_ other: StyleColor, share: Double) -> StyleColor {
        StyleColor(
            red: red + other.red * share, green: green + other.green * share,
            blue: blue + other.blue * share)
    }
}

/// A percentage, or a number of which so many are the whole; `none` is 0.
private func share(_ text: String, ofNumber whole: Double) -> Double? {
    if text.lowercased() == "none" { return 0 }
    return text.hasSuffix("%") ? number(text.dropLast()).map { $0 / 100 } : number(text).map { $0 / whole }
}

/// An angle in degrees from 0 to 360; a number without a unit has these.
private func degrees(_ text: String) -> Double? {
    let text = text.lowercased()
    if text == "none" { return 0 }
    let units = [("deg", 1), ("grad", 0.9), ("rad", 180 / Double.pi), ("turn", 360)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let count = number(text.dropLast(unit?.0.count ?? 0)) else { return nil }
    let angle = (count * (unit?.1 ?? 1)).truncatingRemainder(dividingBy: 360)
    return angle < 0 ? angle + 360 : angle
}

/// A number as CSS writes it; Swift reads others too. One that is too large to calculate with is none.
func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else {
        return nil
    }
    return Double(text).flatMap { abs($0) <= 1e9 ? $0 : nil }
}
