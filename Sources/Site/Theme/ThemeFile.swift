import Configuration
package import Diagnostics
import Files

/// What `theme.yml` says; a theme may do without it, but what it says must be right.
package struct ThemeFile {
    /// Two color tokens of which one is on the other.
    package struct Pair {
        /// The token in front, without its dashes: `ink`.
        package let front: String
        /// The token behind it.
        package let ground: String
        /// The least contrast by WCAG 2.2: 4.5 for text, 3 for marks.
        package let least: Double
        package let location: Location
    }

    private(set) var description: String?
    /// Nil when the file declares none.
    package private(set) var pairs: [Pair]?
    private(set) var problems: [Diagnostic] = []

    /// Reads the file of a theme's folder.
    package static func read(_ folder: String, of theme: String) -> ThemeFile {
        var result = ThemeFile()
        let path = folder + "/theme.yml"
        let bytes: [UInt8]
        do throws(FileFailure) {
            guard try knownKind(path) == .file else { return result }
            bytes = try readFile(path, below: folder, limit: 1 << 16)
        } catch {
            result.problems = [error.diagnostic]
            return result
        }
        var (file, value) = YAMLFile.read(String(decoding: bytes, as: UTF8.self), path: path)
        let keys = value.flatMap { file.mapping($0, keys: ["name", "description", "contrast"]) } ?? [:]
        let name = file.text(keys["name"])
        if let name, name != theme {
            file.add(
                "theme.name", "Theme name '\(printable(name))' differs from its folder '\(theme)'",
                at: keys["name"], hints: ["use one name for both"])
        }
        result.description = file.text(keys["description"])
        if let contrast = keys["contrast"], let parts = file.mapping(contrast, keys: ["text", "marks"]) {
            result.pairs = pairs(parts["text"], least: 4.5, &file) + pairs(parts["marks"], least: 3, &file)
        }
        result.problems = file.problems
        return result
    }

    /// The pairs of a list, each written `ink on paper`.
    private static func pairs(_ value: YAMLValue?, least: Double, _ file: inout YAMLFile) -> [Pair] {
        (file.list(value) ?? []).compactMap { element in
            guard let text = file.text(element) else { return nil }
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 3, words[1] == "on" else {
                file.add(
                    "theme.contrast", "'\(printable(text))' is not two color tokens", at: element,
                    hints: ["write two tokens, such as 'ink on paper'"])
                return nil
            }
            return Pair(
                front: words[0], ground: words[2], least: least, location: file.location(of: element))
        }
    }
}
