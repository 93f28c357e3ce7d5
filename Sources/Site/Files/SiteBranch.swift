import AppHealth
import Files
import Platform

/// A branch of the tree of files of a site: the folder of one app, or all that is in none. Of a branch the files are in
/// memory while it is written, of the others only how many and a digest.
struct SiteBranch: Hashable, Codable, Sendable {
    /// The app; nil for what is in no folder of an app.
    let app: String?

    /// What is in no folder of an app.
    static let rest = SiteBranch(app: nil)

    private init(app: String?) { self.app = app }

    init(_ app: Slug) { self.app = app.text }

    /// The branch that a path is in.
    init(of path: String) {
        let utf8 = path.utf8
        guard utf8.starts(with: Self.apps) else {
            self = .rest
            return
        }
        let rest = utf8.dropFirst(Self.apps.count)
        app = rest.firstIndex(of: slash).map { String(path[rest.startIndex..<$0]) }
    }

    /// What the paths of an app begin with; empty for the rest.
    var prefix: String { app.map { "apps/\($0)/" } ?? "" }

    private static let apps = Array("apps/".utf8)

    /// Whether a file is below a folder in the folder of an app. What is in the folder of the app itself is made with
    /// each build.
    func isBelowFolder(_ path: String) -> Bool { isBelowFolder(path.utf8) }

    /// The same of the bytes of a path.
    func isBelowFolder(_ path: some Collection<UInt8>) -> Bool {
        guard let app else { return false }
        return path.dropFirst(Self.apps.count + app.utf8.count + 1).contains(slash)
    }

    /// Whether a path is that of a page of an app.
    func isPage(_ path: String) -> Bool { isPage(path.utf8) }

    /// The same of the bytes of a path.
    func isPage(_ path: some BidirectionalCollection<UInt8>) -> Bool {
        app != nil && path.suffix(Self.page.count).elementsEqual(Self.page)
    }

    private static let page = Array("/index.html".utf8)

    /// A digest of the files below the folders of an app, in the order of the bytes of their paths.
    func digest(of files: some Sequence<(path: String, digest: ContentDigest)>) -> String {
        var lines: [UInt8] = []
        for (path, digest) in files where isBelowFolder(path) { lines += "\(path) \(digest)\n".utf8 }
        return contentHash(lines)
    }
}

private let slash = UInt8(ascii: "/")

/// Whether a path comes before another by their bytes.
func isInOrder(_ one: String, _ other: String) -> Bool {
    let order = other.utf8.withContiguousStorageIfAvailable { isInOrder(one, $0) }
    return order ?? one.utf8.lexicographicallyPrecedes(other.utf8)
}

/// The same with the bytes of the other.
func isInOrder(_ one: String, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let order = one.utf8.withContiguousStorageIfAvailable { one -> Bool in
        guard let first = one.baseAddress, let second = other.baseAddress else {
            return one.count < other.count
        }
        let order = memcmp(first, second, min(one.count, other.count))
        return order == 0 ? one.count < other.count : order < 0
    }
    return order ?? one.utf8.lexicographicallyPrecedes(other)
}
