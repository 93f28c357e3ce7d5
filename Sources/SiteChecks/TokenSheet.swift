import Site

/// The custom properties that style sheets give to the root, under the circumstances that they name.
struct TokenSheet {
    /// What a palette is made for.
    struct Circumstances: Hashable {
        let isDark: Bool
        /// Whether the browser knows what `@supports` asks for.
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
                text += compact[token.range]
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
        for one in declarations {
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
        declarations.append(
            Declaration(
                name: String(text[..<colon].dropFirst(2)), value: String(text[text.index(after: colon)...]),
                isDark: isDark, needsSupport: needsSupport))
    }
}
