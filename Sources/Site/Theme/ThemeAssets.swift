import Cryptography
package import Diagnostics
import Files
import Foundation
package import Templates

/// One asset, ready to be written.
package struct ThemeAsset: Sendable {
    /// The path below `assets`, as templates and style sheets name it: `site.css`.
    package let name: String
    /// Where it was found.
    package let file: String
    /// The path in the site, with the fingerprint of the bytes: `assets/site.0a1b2c3d4e.css`.
    package let address: String
    /// What is written: of a style sheet its compact form with fingerprinted addresses.
    package let bytes: [UInt8]
}

/// The assets of all layers of a theme.
package struct ThemeAssets: Sendable {
    /// In the order of their names.
    package let files: [ThemeAsset]
    /// Whether each could be read: without some, what templates name would seem to be unknown.
    let isComplete: Bool
    private let folders: [String]

    /// Reads the assets; a more special layer hides a file of the same path.
    ///
    /// - Returns: the assets that can be used, and what is wrong with the others.
    package static func load(_ layers: ThemeLayers) -> (ThemeAssets, [Diagnostic]) {
        var loader = AssetLoader(folders: layers.folders)
        let names: [(path: String, file: String)]
        do throws(FileFailure) {
            names = try layers.assets()
        } catch {
            return (
                ThemeAssets(files: [], isComplete: false, folders: layers.folders), [error.diagnostic]
            )
        }
        loader.places = Dictionary(names.map { ($0.path, $0.file) }, uniquingKeysWith: { first, _ in first })
        for name in names { _ = loader.asset(name.path) }
        let files = loader.done.values.compactMap(\.self).sorted { $0.name < $1.name }
        let assets = ThemeAssets(
            files: files, isComplete: loader.isComplete, folders: layers.folders)
        return (assets, loader.problems)
    }

    /// What templates may name.
    package var names: TemplateAssets {
        let folders = folders
        return TemplateAssets(
            addresses: Dictionary(
                files.map { ($0.name, $0.address) }, uniquingKeysWith: { first, _ in first }),
            places: { name in folders.map { "\($0)/assets/\(name)" } })
    }
}

/// Reads assets; a style sheet after those it names, since its own fingerprint depends on theirs.
private struct AssetLoader {
    let folders: [String]
    var places: [String: String] = [:]
    var done: [String: ThemeAsset?] = [:]
    var problems: [Diagnostic] = []
    /// Whether each could be read.
    var isComplete = true
    /// The style sheets that are being read, to find one that names itself.
    private var open: [String] = []

    init(folders: [String]) { self.folders = folders }

    mutating func asset(_ name: String) -> ThemeAsset? {
        if let known = done[name] { return known }
        guard let file = places[name] else { return nil }
        let asset = read(name, file)
        done[name] = .some(asset)
        return asset
    }

    private mutating func read(_ name: String, _ file: String) -> ThemeAsset? {
        guard name.utf8.allSatisfy(isPlainPathByte), !name.contains("..") else {
            problems.append(
                .usage(
                    "theme.asset-name",
                    "The asset '\(printable(name))' has a name that is not valid in a URL",
                    at: .file(path: file), hints: ["use letters, digits, '-', '_' and '.' only"]))
            return nil
        }
        do throws(FileFailure) {
            var bytes = try readFile(file)
            if name.hasSuffix(".css") {
                open.append(name)
                defer { open.removeLast() }
                let style = compactStyle(rewritten(withoutMark(bytes), of: name, file))
                // Pages are UTF-8, and browsers read a style sheet as what the page is. Comments are gone.
                if String(validating: style, as: UTF8.self) == nil {
                    isComplete = false
                    problems.append(notUTF8(bytes, "Style sheet", file))
                    return nil
                }
                bytes = style
            }
            return ThemeAsset(
                name: name, file: file, address: "assets/" + fingerprinted(name, fingerprint(of: bytes)),
                bytes: bytes)
        } catch {
            isComplete = false
            problems.append(error.diagnostic)
            return nil
        }
    }

    /// The style sheet with the addresses of assets replaced by those in the site.
    private mutating func rewritten(_ sheet: [UInt8], of name: String, _ file: String) -> [UInt8] {
        var out: [UInt8] = []
        var copied = 0
        for token in styleTokens(sheet) where token.kind == .address {
            let address = String(decoding: sheet[token.range], as: UTF8.self)
            guard let target = assetTarget(of: address, from: name) else { continue }
            guard let replacement = replacement(target, in: name, file, line(of: token, in: sheet)) else {
                continue
            }
            out += sheet[copied..<token.range.lowerBound]
            out += replacement.utf8
            copied = token.range.upperBound
        }
        return out + sheet[copied...]
    }

    private mutating func replacement(
        _ target: AssetTarget, in name: String, _ file: String, _ line: Int
    ) -> String? {
        let place = Location.file(path: file, line: line)
        if open.contains(target.name) {
            problems.append(
                .usage(
                    "theme.style-cycle", "The style sheet '\(target.name)' leads back to itself", at: place,
                    hints: ["remove one of the addresses on the way: \(open.joined(separator: ", "))"]))
            return nil
        }
        if let asset = asset(target.name) {
            let top = String(repeating: "../", count: name.count { $0 == "/" })
            return top + asset.address.dropFirst("assets/".count) + target.rest
        }
        if places[target.name] != nil { return nil }
        let near = nearestName(to: target.name, among: places.keys).map { "did you mean '\($0)'?" }
        problems.append(
            .usage(
                "theme.missing-asset", "Unknown asset '\(printable(target.name))'",
                details: [
                    "searched: " + folders.map { "\($0)/assets/\(target.name)" }.joined(separator: ", ")
                ],
                at: place, hints: [near ?? "add the file or fix the link"]))
        return nil
    }
}

/// What an address in a style sheet leads to.
struct AssetTarget {
    let name: String
    /// A query or a fragment.
    let rest: String
}

/// The asset that a relative address means; nil for data, fragments and addresses elsewhere.
func assetTarget(of address: String, from name: String) -> AssetTarget? {
    let path = address.prefix { $0 != "#" && $0 != "?" }
    guard !path.isEmpty, !path.hasPrefix("/"), !path.contains(":") else { return nil }
    var parts = name.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return AssetTarget(name: parts.joined(separator: "/"), rest: String(address[path.endIndex...]))
}

private func line(of token: StyleToken, in sheet: [UInt8]) -> Int {
    1 + sheet[..<token.range.lowerBound].count { $0 == 0x0A }
}

/// The fingerprint before the last dot of the file's name.
private func fingerprinted(_ name: String, _ digits: String) -> String {
    let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    guard let dot = name[start...].lastIndex(of: ".") else { return "\(name).\(digits)" }
    return "\(name[..<dot]).\(digits)\(name[dot...])"
}

private func isPlainPathByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_./".utf8.contains(byte)
}

/// The first ten hexadecimal digits of the SHA-256 (FIPS 180-4) of some bytes: the fingerprint in the name of an
/// asset, so that a browser may keep it forever.
func fingerprint(of bytes: [UInt8]) -> String {
    hexadecimal(digest(of: bytes).prefix(5))
}
