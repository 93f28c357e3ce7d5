import Cryptography
import Files
import Foundation
import Platform
import Site

/// Files on disk by what lies in them: a file that was only touched, or that was changed and changed back, is the
/// same.
///
/// Each look reads the stamp of every file, and reads those whose stamp is another than at the look before.
package struct WatchedFiles: Sendable {
    private var files: [String: Content] = [:]
    /// How many folders deep files are looked up.
    private static let deepest = 24
    /// How many files were read so far.
    package private(set) var reads = 0

    private struct Content {
        let stamp: Stamp
        let digest: [UInt8]
    }

    private struct Stamp: Equatable {
        let seconds: Int
        let nanoseconds: Int
        let size: Int
        let node: UInt

        init(_ status: stat) {
            (seconds, nanoseconds) = (status.written.tv_sec, status.written.tv_nsec)
            (size, node) = (Int(status.st_size), UInt(status.st_ino))
        }
    }

    /// Nothing was checked yet.
    package init() {}

    /// Looks at files, and at all files below folders; whether a file came, went, or holds something else than at the
    /// look before.
    ///
    /// - Parameters:
    ///   - paths: files and folders; what is missing holds nothing.
    ///   - skipped: a folder that is not looked into, such as the site that is built from the others.
    package mutating func haveChanged(_ paths: [String], without skipped: String) -> Bool {
        var found: [String: Content] = [:]
        // The name of the site may be a link, and is met under either.
        let (parent, name) = splitPath(skipped)
        let skipped = [realPath(skipped) ?? skipped, (realPath(parent) ?? parent) + "/" + name]
        for path in paths { look(at: realPath(path) ?? path, skipped, [], &found) }
        let before = files.mapValues(\.digest)
        files = found
        return found.mapValues(\.digest) != before
    }

    private mutating func look(
        at path: String, _ skipped: [String], _ above: Set<String>, _ found: inout [String: Content]
    ) {
        guard !skipped.contains(path) else { return }
        switch pathKind(path) {
        case .file: if let content = content(of: path) { found[path] = content }
        case .folder:
            let place = fullPath(path)
            // A link may lead into a circle.
            guard !above.contains(place), above.count < Self.deepest else { return }
            for name in (try? folderNames(path)) ?? [] where !name.hasPrefix(".") {
                look(at: path + "/" + name, skipped, above.union([place]), &found)
            }
        case .missing, .link, .other: return
        }
    }

    private mutating func content(of path: String) -> Content? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // From before the reading: a change during it shows at the next look.
        let stamp = Stamp(status)
        if let known = files[path], known.stamp == stamp { return known }
        reads += 1
        return digest(of: path).map { Content(stamp: stamp, digest: $0) }
    }
}

/// The digest of a file of any size; nil when it cannot be read.
private func digest(of path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var hash = RunningDigest()
    do {
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(piece) }
    } catch {
        return nil
    }
    return hash.finish()
}
