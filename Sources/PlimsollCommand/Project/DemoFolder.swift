import Diagnostics
import Files

/// A folder with the demo: a project like any other, with a configuration, data, content, an archive and a site.
struct DemoFolder {
    let path: String

    /// The configuration in it.
    var configuration: String { path + "/" + Self.configurationName }

    private static let configurationName = "plimsoll.yml"
    private static let mark =
        "# Made by 'plimsoll demo', which makes it again while nothing below is changed: "

    /// What a demo writes at the top of its folder.
    private static let names = [configurationName, story, "archive.sqlite", "site", "data", "Content"]
    /// What describes the data.
    private static let story = "STORY.md"

    /// Why no demo can be made here: something is in its place that no demo made.
    func refusal() throws(FileFailure) -> Diagnostic? {
        if try isOwn() { return nil }
        for name in try namesThere() {
            return .error(
                "demo.not-a-demo", "'\(path)/\(name)' was not made by this demo; nothing was written",
                at: .file(path: "\(path)/\(name)"),
                hints: ["use '--output' with another folder", "or remove this one, if it holds an old demo"])
        }
        return nil
    }

    /// What is in the folder, such as the pages of a site: first what a demo would write over. Hidden files stay.
    private func namesThere() throws(FileFailure) -> [String] {
        guard try knownKind(path) != .missing else { return [] }
        let names = try folderNames(path).filter { !$0.hasPrefix(".") }
        return Self.names.filter(names.contains) + names.filter { !Self.names.contains($0) }
    }

    /// Whether a demo made the configuration, and no one changed it.
    private func isOwn() throws(FileFailure) -> Bool {
        guard try knownKind(configuration) == .file else { return false }
        let bytes = try readFile(configuration, limit: 1 << 20)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        return Array(bytes[..<end]) == Self.firstLine(above: bytes[(end + 1)...])
    }

    private static func firstLine(above rest: some Collection<UInt8>) -> [UInt8] {
        Array((mark + contentHash(rest)).utf8)
    }

    /// Writes the configuration, then what it speaks of; killed in between, the folder is still known as a demo's.
    ///
    /// - Parameters:
    ///   - data: the folder with the bundled data.
    ///   - theme: the theme of the demo; nil for the default one.
    func fill(from data: String, theme: String?) throws(FileFailure) {
        let bundled = data + "/Content/demo"
        let rest = adapted(try readFile("\(bundled)/\(Self.configurationName)"), theme: theme)
        try makeFolder(path)
        try replaceFile(configuration, Self.firstLine(above: rest) + [UInt8(ascii: "\n")] + rest)
        try replaceFile("\(path)/\(Self.story)", try readFile("\(bundled)/\(Self.story)"), isDurable: false)
        for app in try folderNames(bundled + "/data") {
            try copyFiles(of: "\(bundled)/data/\(app)", to: "\(path)/data/\(app)")
        }
        try copyFiles(of: data + "/Content", to: path + "/Content")
        try copyFiles(of: data + "/Content/notes", to: path + "/Content/notes")
    }

    /// The bundled configuration with its content in the usual place.
    private func adapted(_ configuration: [UInt8], theme: String?) -> [UInt8] {
        let lines = String(decoding: configuration, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let content = theme.map { "theme: \($0)" }
        let own = lines.compactMap { $0.hasPrefix("content:") ? content : String($0) }
        return Array(own.joined(separator: "\n").utf8)
    }

    /// Copies the files directly in a folder.
    private func copyFiles(of folder: String, to place: String) throws(FileFailure) {
        try makeFolder(place)
        for name in try folderNames(folder) where try knownKind("\(folder)/\(name)") == .file {
            try replaceFile("\(place)/\(name)", try readFile("\(folder)/\(name)"), isDurable: false)
        }
    }
}
