import Foundation
import Synchronization

/// A folder that is removed with the value.
final class Folder: Sendable {
    let path: String

    init() throws {
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path + "/plimsoll-tests-"
            + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A folder with the same files.
    init(copyOf folder: Folder) throws {
        path = folder.path + "-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // A reader of the archive makes and removes its side files at any moment; a copy does without them.
        for name in try folder.names() where !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(path)/\(name)")
        }
    }

    /// Removes it when the tests end: a value that is shared is never gone before.
    func removeAtExit() {
        let isFirst = shared.withLock { paths in
            paths.append(path)
            return paths.count == 1
        }
        guard isFirst else { return }
        atexit {
            for path in shared.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with the folders above it.
    func write(_ file: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path + "/" + file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// A file's text; empty when there is none.
    func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path + "/" + file) ?? Data(), as: UTF8.self)
    }

    /// The text of any file.
    static func text(at path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    /// The names in the folder itself.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The names in a folder of it.
    func names(in inner: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + inner).sorted()
    }

    /// Copies a file.
    func copy(_ file: String, to place: String) throws {
        try FileManager.default.copyItem(atPath: path + "/" + file, toPath: path + "/" + place)
    }

    /// Every file below a folder.
    func tree(_ folder: String = "") throws -> Tree { try Tree(path + "/" + folder) }
}

private let shared = Mutex<[String]>([])

/// The bytes of every file below a folder, by path.
struct Tree: Equatable, Sendable {
    let files: [String: Data]

    init(_ path: String) throws {
        // Foundation lists nothing of a link.
        let root = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let type =
                try FileManager.default.attributesOfItem(atPath: root + "/" + name)[.type]
                as? FileAttributeType
            if type == .typeRegular { files[name] = FileManager.default.contents(atPath: root + "/" + name) }
        }
        self.files = files
    }

    /// The paths of the files that differ or that only one of the two has.
    func differences(from other: Tree) -> [String] {
        Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted()
    }

    /// A file's text; empty when there is none.
    subscript(file: String) -> String { String(decoding: files[file] ?? Data(), as: UTF8.self) }

    /// The paths with this ending, in order.
    func paths(_ ending: String) -> [String] { files.keys.filter { $0.hasSuffix(ending) }.sorted() }

    /// The paths of the files that hold these bytes.
    func files(with text: String) -> [String] {
        files.filter { $0.value.range(of: Data(text.utf8)) != nil }.keys.sorted()
    }
}
