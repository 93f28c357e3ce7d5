import Files
import Site

/// The response to a request for an address of the site.
enum RequestedFile: Equatable {
    /// The file at this path.
    case file(String)
    /// The address of a folder, which ends with a slash.
    case folder(String)
    /// There is nothing, or nothing that may be had.
    case nothing

    /// Looks an address up in the folder of a site.
    ///
    /// No address leads out of the folder: neither by `..`, plain or encoded, nor by a link in it. Names that begin
    /// with a dot are not served.
    ///
    /// - Parameters:
    ///   - target: the path of the request, percent-encoded, without its query.
    ///   - site: the folder of the site.
    init(_ target: String, in site: String) {
        guard target.hasPrefix("/"), let path = strictlyPercentDecoded(target.utf8), !path.utf8.contains(0),
            !path.contains("\\")
        else {
            self = .nothing
            return
        }
        let names = path.split(separator: "/")
        guard !names.contains(where: { $0.hasPrefix(".") }) else {
            self = .nothing
            return
        }
        let place = ([site] + names.map(String.init)).joined(separator: "/")
        switch pathKind(place) {
        // One slash at the beginning: with two it would be the name of another host.
        case .folder where !path.hasSuffix("/"): self = .folder("/" + target.drop { $0 == "/" } + "/")
        case .folder where pathKind(place + "/index.html") == .file && isBelow(site, place):
            self = .file(place + "/index.html")
        case .file where !path.hasSuffix("/") && isBelow(site, place): self = .file(place)
        case .file, .folder, .missing, .link, .other: self = .nothing
        }
    }
}

/// Whether a path leads into a folder when all links are followed.
private func isBelow(_ folder: String, _ path: String) -> Bool {
    guard let root = realPath(folder), let file = realPath(path) else { return false }
    return file == root || file.hasPrefix(root + "/")
}
