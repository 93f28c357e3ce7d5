import Platform

/// Where a path leads, reported by what the file system itself calls its folders, so that a link, a mount or another
/// spelling is seen through.
package struct FilePlace: Sendable {
    /// A file or folder that exists, with the names that follow it.
    private struct Anchor {
        let device: dev_t
        let node: ino_t
        let rest: [String]
    }

    /// For the end of the path, and for every link on its way: the thing itself, or the nearest folder above it that
    /// exists, and then all folders above.
    private let ways: [[Anchor]]

    /// Follows a path, which need not exist.
    package init(_ path: String) {
        ways = realPlaces(path).map { place in
            (0...place.count).reversed().compactMap { count in
                var status = stat()
                let folder = "/" + place.prefix(count).joined(separator: "/")
                guard stat(folder, &status) == 0 else { return nil }
                return Anchor(
                    device: status.st_dev, node: status.st_ino, rest: Array(place.dropFirst(count)))
            }
        }
    }

    /// Whether it is that place, lies below it, or goes through it.
    package func lies(in other: FilePlace) -> Bool {
        guard let end = other.ways.first?.first else { return false }
        return ways.contains { way in
            way.contains { anchor in
                anchor.node == end.node && anchor.device == end.device && anchor.rest.starts(with: end.rest)
            }
        }
    }

    /// Whether both are one file or folder.
    package func isSame(as other: FilePlace) -> Bool {
        guard let end = ways.first?.first, let otherEnd = other.ways.first?.first else { return false }
        return end.node == otherEnd.node && end.device == otherEnd.device && end.rest == otherEnd.rest
    }
}

/// The names that lead to the real end of a path, and before it to every symbolic link on its way.
private func realPlaces(_ path: String) -> [[String]] {
    var ahead = Array(names(absolute(path)).reversed())
    var place: [String] = []
    var links: [[String]] = []
    while let name = ahead.popLast() {
        if name == ".." {
            _ = place.popLast()
            continue
        }
        place.append(name)
        // As many as the kernel follows.
        guard links.count < 40, let target = linkTarget("/" + place.joined(separator: "/")) else { continue }
        links.append(place)
        place = target.hasPrefix("/") ? [] : place.dropLast()
        ahead += names(target).reversed()
    }
    return [place] + links
}

/// Where the file of a path is, or would be made: at the end of a link, though nothing may be there yet.
func placeOfFile(_ path: String) -> String {
    guard pathKind(path, followsLink: false) == .link, let end = realPlaces(path).first else { return path }
    return "/" + end.joined(separator: "/")
}

private func names(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
}

private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
}

/// The path of a file from the top of a folder; nil when it lies elsewhere.
package func path(of file: String, below folder: String) -> String? {
    guard let file = realPlaces(file).first, let folder = realPlaces(folder).first,
        file.count > folder.count, file.starts(with: folder)
    else { return nil }
    return file.dropFirst(folder.count).joined(separator: "/")
}
