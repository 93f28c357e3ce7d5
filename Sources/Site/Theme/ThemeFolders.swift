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
    for path in try filesBelow(folder) { files.append((path, try readFile("\(folder)/\(path)"))) }
    return files
}
