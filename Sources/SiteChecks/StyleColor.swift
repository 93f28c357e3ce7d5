import Files
import Platform
import Site

/// An opaque color in sRGB; the parts go from 0 to 1.
struct StyleColor: Hashable {
    let red: Double
    let green: Double
    let blue: Double

    /// The relative luminance by WCAG 2.2.
    var luminance: Double {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio by WCAG 2.2, from 1 to 21; the order does not matter.
    func contrast(to other: StyleColor) -> Double {
        let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (light + 0.05) / (dark + 0.05)
    }

    /// `color-mix(in srgb, self share, other)`.
    func mixed(with other: StyleColor, share: Double) -> StyleColor {
        func mix(_ mine: Double, _ its: Double) -> Double { mine * share + its * (1 - share) }
        return StyleColor(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

/// Works out the colors of custom properties.
struct ColorReader {
    /// The values of the custom properties by name, without dashes.
    let values: [String: String]
    /// Which value of `light-dark` holds.
    let isDark: Bool

    /// The color of a token; nil when it has none or none that can be worked out: the named colors, hexadecimal digits,
    /// `rgb()`, `hsl()`, `hwb()`, `var()` at any place, `light-dark()` and `color-mix(in srgb, …)`, as far as they are
    /// opaque.
    func color(of token: String) -> StyleColor? {
        StyleVariables(values: values).text(of: token).flatMap { color($0, depth: 0) }
    }

    private func color(_ text: String, depth: Int) -> StyleColor? {
        let value = text.lowercased().trimmed
        if let named = namedColors[value] { return StyleColor(named) }
        if value.hasPrefix("#") { return hexadecimal(value.dropFirst()) }
        guard depth < 20, let (name, arguments) = function(text.trimmed) else { return nil }
        switch name {
        case "light-dark":
            return arguments.count == 2 ? color(arguments[isDark ? 1 : 0], depth: depth + 1) : nil
        case "rgb", "rgba": return ColorFunction(arguments)?.rgb
        case "hsl", "hsla": return ColorFunction(arguments)?.hsl
        case "hwb": return ColorFunction(arguments)?.hwb
        case "color-mix": return mix(arguments, depth: depth + 1)
        default: return nil
        }
    }

    private func mix(_ arguments: [String], depth: Int) -> StyleColor? {
        guard arguments.count == 3, arguments[0].lowercased() == "in srgb" else { return nil }
        let (first, share) = shared(arguments[1])
        let (second, otherShare) = shared(arguments[2])
        guard let front = color(first, depth: depth), let back = color(second, depth: depth) else {
            return nil
        }
        let whole = share.flatMap { mine in otherShare.map { mine + $0 } } ?? 1
        guard whole > 0 else { return nil }
        return front.mixed(with: back, share: (share ?? otherShare.map { 1 - $0 } ?? 0.5) / whole)
    }
}

/// A color and the percentage behind it; with one that CSS refuses the whole text, which is no color.
private func shared(_ text: String) -> (String, Double?) {
    guard text.hasSuffix("%"), let space = text.lastIndex(of: " "),
        let share = number(text[text.index(after: space)...].dropLast()), (0...100).contains(share)
    else { return (text, nil) }
    return (String(text[..<space]), share / 100)
}

/// `name(a, b)` in parts, divided by the commas that stand in no inner parentheses.
private func function(_ text: String) -> (name: String, arguments: [String])? {
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
    var arguments = [""]
    var depth = 0
    for character in text[text.index(after: open)...].dropLast() {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if character == ",", depth == 0 {
            arguments.append("")
        } else {
            arguments[arguments.count - 1].append(character)
        }
    }
    return (text[..<open].lowercased(), arguments.map(\.trimmed))
}

/// Three or six digits, and those of the opacity when it is full.
private func hexadecimal(_ digits: Substring) -> StyleColor? {
    let whole = digits.count <= 4 ? digits.flatMap { [$0, $0] } : Array(digits)
    guard whole.count == 6 || whole.count == 8 && whole.suffix(2) == ["f", "f"],
        whole.allSatisfy(\.isHexDigit), let number = UInt32(String(whole.prefix(6)), radix: 16)
    else { return nil }
    return StyleColor(number)
}

extension StyleColor {
    /// From `0xRRGGBB`.
    fileprivate init(_ number: UInt32) {
        self.init(
            red: Double(number >> 16) / 255, green: Double(number >> 8 & 255) / 255,
            blue: Double(number & 255) / 255)
    }
}

extension String {
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// The custom properties that style sheets give to the root, under the circumstances that they name.
struct TokenSheet {
    /// What a palette is made for.
    struct Circumstances: Hashable {
        let isDark: Bool
        /// Whether the browser knows what `@supports` tests.
        let isSupporting: Bool

        /// The palette in words.
        var words: String {
            (isDark ? "dark" : "light") + (isSupporting ? "" : ", in a browser without color-mix")
        }
    }

    private struct Declaration {
        let name: String
        let value: String
        /// The circumstances it is meant for; nil holds in both.
        let isDark: Bool?
        let needsSupport: Bool
        /// Whether it is over those that come after it without being so.
        let isImportant: Bool
    }

    private var declarations: [Declaration] = []

    /// Whether some values hold only in browsers that know more.
    var hasSupports: Bool { declarations.contains(where: \.needsSupport) }

    /// Reads one more style sheet, which is over those before.
    mutating func add(_ sheet: [UInt8]) {
        var preludes: [String] = []
        var text: [UInt8] = []
        let compact = compactStyle(sheet)
        for token in styleTokens(compact) {
            guard token.kind == .other else {
                text += token.kind == .comment ? [0x20] : compact[token.range]
                continue
            }
            for byte in compact[token.range] {
                switch byte {
                case UInt8(ascii: "{"):
                    preludes.append(String(decoding: text, as: UTF8.self).lowercased())
                    text = []
                case UInt8(ascii: ";"), UInt8(ascii: "}"):
                    declare(String(decoding: text, as: UTF8.self), in: preludes)
                    text = []
                    if byte == UInt8(ascii: "}") { _ = preludes.popLast() }
                default: text.append(byte)
                }
            }
        }
    }

    /// The values by name, without dashes, that hold under the circumstances.
    func values(_ circumstances: Circumstances) -> [String: String] {
        var values: [String: String] = [:]
        let ordered = declarations.filter { !$0.isImportant } + declarations.filter(\.isImportant)
        for one in ordered {
            guard one.isDark ?? circumstances.isDark == circumstances.isDark else { continue }
            guard circumstances.isSupporting || !one.needsSupport else { continue }
            values[one.name] = one.value
        }
        return values
    }

    private mutating func declare(_ text: String, in preludes: [String]) {
        guard text.hasPrefix("--"), let colon = text.firstIndex(of: ":"), let selector = preludes.last,
            selector.split(separator: ",").contains(where: { $0 == ":root" || $0 == "html" })
        else { return }
        var (isDark, needsSupport): (Bool?, Bool) = (nil, false)
        for rule in preludes.dropLast() {
            if rule.hasPrefix("@supports") {
                needsSupport = true
            } else if rule.contains("prefers-color-scheme:dark") {
                isDark = true
            } else if rule.contains("prefers-color-scheme:light") {
                isDark = false
            } else if rule.hasPrefix("@media"), rule != "@media screen", rule != "@media all" {
                return
            }
        }
        let (value, isImportant) = withoutImportance(text[text.index(after: colon)...])
        declarations.append(
            Declaration(
                name: String(text[..<colon].dropFirst(2)), value: value, isDark: isDark,
                needsSupport: needsSupport, isImportant: isImportant))
    }
}

/// The value of a declaration, and whether `!important` is behind it.
private func withoutImportance(_ text: Substring) -> (value: String, isImportant: Bool) {
    let value = String(text).trimmed
    guard value.lowercased().hasSuffix("important") else { return (String(text), false) }
    let rest = String(value.dropLast("important".count)).trimmed
    return rest.hasSuffix("!") ? (String(rest.dropLast()).trimmed, true) : (String(text), false)
}
