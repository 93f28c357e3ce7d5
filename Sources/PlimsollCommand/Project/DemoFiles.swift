import Files

/// What a demo has of the bundled data, before it is in a folder.
struct DemoFiles {
    /// A file other than the configuration.
    struct File {
        /// From the folder of the demo.
        let path: String
        let bytes: [UInt8]
    }

    /// The configuration without its first line.
    let configuration: [UInt8]
    /// The others, in the order in which they are written.
    private(set) var files: [File] = []

    /// Reads them.
    ///
    /// - Parameters:
    ///   - data: the folder with the bundled data.
    ///   - theme: the theme of the demo; nil for the default one.
    init(of data: String, theme: String?) throws(FileFailure) {
        let bundled = data + "/Content/demo"
        configuration = adapted(try readFile(bundled + "/plimsoll.yml"), theme: theme)
        files.append(File(path: DemoFolder.story, bytes: try readFile("\(bundled)/\(DemoFolder.story)")))
        for app in try folderNames(bundled + "/data") {
            try addFiles(of: "\(bundled)/data/\(app)", as: "data/\(app)")
        }
        try addFiles(of: data + "/Content", as: "Content")
        try addFiles(of: data + "/Content/notes", as: "Content/notes")
    }

    /// Adds the files directly in a folder.
    private mutating func addFiles(of folder: String, as place: String) throws(FileFailure) {
        for name in try folderNames(folder) where try knownKind("\(folder)/\(name)") == .file {
            files.append(File(path: "\(place)/\(name)", bytes: try readFile("\(folder)/\(name)")))
        }
    }
}

/// The bundled configuration with its content in the usual place.
private func adapted(_ configuration: [UInt8], theme: String?) -> [UInt8] {
    let lines = String(decoding: configuration, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    let content = theme.map { "theme: \($0)" }
    let own = lines.compactMap { $0.hasPrefix("content:") ? content : String($0) }
    return Array(own.joined(separator: "\n").utf8)
}
