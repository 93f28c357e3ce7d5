package import Diagnostics
package import Files
import Markup
package import Templates

/// The folders in which the files of a theme are looked for, most special first.
///
/// A site's own `Themes/<name>` comes before the theme of that name that is installed, and `default` comes last,
/// so a theme overrides what it has and inherits the rest.
package struct ThemeLayers: Sendable {
    /// The theme's name.
    package let name: String
    /// The folders that exist, most special first.
    package let folders: [String]

    /// The layers of a theme.
    ///
    /// - Parameters:
    ///   - name: the theme's name; a single path component.
    ///   - roots: the `Themes` folders, most special first.
    /// - Throws: a `Diagnostic` that lists the places looked in and the themes that exist.
    package init(name: String, roots: [String]) throws(Diagnostic) {
        let names = name == "default" ? ["default"] : [name, "default"]
        let candidates = names.flatMap { name in roots.map { "\($0)/\(name)" } }
        let isName = !name.isEmpty && !name.contains("/") && !name.hasPrefix(".")
        var folders: [String] = []
        for folder in candidates where isName {
            let kind = try diagnosed { () throws(FileFailure) in try knownKind(folder) }
            if kind == .folder { folders.append(folder) }
        }
        let own = roots.map { "\($0)/\(name)" }
        guard folders.contains(where: own.contains) else {
            throw missingTheme(name, lookedIn: own, among: roots)
        }
        guard names == ["default"] || folders.contains(where: { $0.hasSuffix("/default") }) else {
            throw missingTheme("default", lookedIn: roots.map { "\($0)/default" }, among: roots)
        }
        self.name = name
        self.folders = folders
        for folder in folders where folder.hasSuffix("/\(name)") {
            if let problem = ThemeFile.read(folder, of: name).problems.first { throw problem }
        }
    }

    /// Finds the source of a template for the template library.
    package var lookup: TemplateLibrary.Lookup {
        { role, name, language in
            let ending = language == .markdown ? "md" : language == .plain ? "txt" : language.rawValue
            let part = role == .page ? "templates" : "templates/partials"
            let places = folders.map { "\($0)/\(part)/\(name).\(ending)" }
            for (folder, place) in zip(folders, places) {
                do throws(FileFailure) {
                    guard try knownKind(place) == .file else {
                        if let why = noFile(place, "Template") { return .unreadable(path: place, why: why) }
                        continue
                    }
                    let bytes = withoutMark(try readFile(place, below: folder, limit: 4 << 20))
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        return .unreadable(path: place, why: notUTF8(bytes, "Template", place))
                    }
                    return .found(TemplateSource(path: place, name: name, language: language, text: text))
                } catch {
                    return .unreadable(path: place, why: error.diagnostic)
                }
            }
            return .missing(lookedIn: places)
        }
    }

    /// The assets of all layers by their path below `assets`; a more special layer hides a file of the same path.
    package func assets() throws(FileFailure) -> [(path: String, file: String)] {
        var found: [String: String] = [:]
        for folder in folders.reversed() where try knownKind(folder + "/assets") == .folder {
            for path in try filesBelow(folder + "/assets", within: folder) {
                found[path] = "\(folder)/assets/\(path)"
            }
        }
        return found.sorted { $0.key < $1.key }.map { (path: $0.key, file: $0.value) }
    }
}

/// A text without the byte order mark at its start, which some editors write.
func withoutMark(_ text: [UInt8]) -> [UInt8] {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
}

/// A file of a theme that is text in another encoding.
///
/// - Parameter what: what the file is, in words.
func notUTF8(_ bytes: [UInt8], _ what: String, _ place: String) -> Diagnostic {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 } ?? 1
    return .usage(
        "theme.not-utf8", "\(what) '\(printable(place))' is not UTF-8 text (line \(line))",
        at: .file(path: place, line: line), hints: ["save it as UTF-8"])
}

/// Why there is no file in a place where a theme has something else of its name; nil where it has nothing.
///
/// - Parameter what: what the file would be, in words.
private func noFile(_ place: String, _ what: String) -> Diagnostic? {
    let kind = pathKind(place)
    if kind == .missing, pathKind(place, followsLink: false) != .link { return nil }
    return .usage(
        "theme.no-file",
        "\(what) '\(printable(place))' is \(kind == .missing ? "a link that leads nowhere" : "no file")",
        at: .file(path: place), hints: ["put the file there, or remove what is there"])
}

private func missingTheme(_ name: String, lookedIn places: [String], among roots: [String]) -> Diagnostic {
    let themes = Set(roots.flatMap { (try? folderNames($0)) ?? [] }.filter { !$0.contains(".") }).sorted()
    return .usage(
        "theme.missing", "Unknown theme '\(printable(name))'",
        details: ["searched: " + places.joined(separator: ", ")],
        hints: [themes.isEmpty ? "install the default theme" : nameHint(for: name, among: themes)])
}

/// A theme that can be used.
package struct ThemeListing: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its folder.
    package let folder: String
    /// What `theme.yml` says of it.
    package let description: String?
}

/// The themes in some `Themes` folders, in the order of the folders and of their names.
package func themes(in roots: [String]) -> [ThemeListing] {
    roots.flatMap { root -> [ThemeListing] in
        let names = ((try? folderNames(root)) ?? []).filter {
            !$0.hasPrefix(".") && pathKind("\(root)/\($0)") == .folder
        }
        return names.map { name in
            let folder = "\(root)/\(name)"
            return ThemeListing(
                name: name, folder: folder, description: ThemeFile.read(folder, of: name).description)
        }
    }
}

/// The files of a theme's folder with their bytes.
package func themeFiles(_ folder: String) throws(FileFailure) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    for path in try filesBelow(folder, within: folder) {
        files.append((path, try readFile("\(folder)/\(path)")))
    }
    return files
}
