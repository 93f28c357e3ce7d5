import Foundation

/// The snapshot files of a directory and of the directories directly in it, in the order of their paths.
struct SnapshotFolder {
    /// The files: paths as configured, and below the directory.
    struct Entry: Hashable, Sendable {
        var path: String
        var relative: String
    }

    private let root: String
    private let realRoot: String

    /// Takes a directory; its own path may lead through links.
    init(_ path: String) {
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        realRoot = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Lists the files. Hidden ones are passed over, and links that lead out of the directory.
    func entries() throws(FilesError) -> [Entry] {
        var files: [String] = []
        for name in try names(in: root) {
            switch kind(of: name) {
            case .file: files.append(name)
            case .directory: files += inner(name)
            case .neither: break
            }
        }
        return files.sorted().map { Entry(path: "\(root)/\($0)", relative: $0) }
    }

    private enum Kind {
        case file
        case directory
        case neither
    }

    private func inner(_ directory: String) -> [String] {
        let names = (try? names(in: "\(root)/\(directory)")) ?? []
        return names.map { "\(directory)/\($0)" }.filter { kind(of: $0) == .file }
    }

    private func names(in path: String) throws(FilesError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
                .sorted()
        } catch {
            throw .unlistable(path: path)
        }
    }

    private func kind(of relative: String) -> Kind {
        let real = URL(fileURLWithPath: "\(root)/\(relative)").resolvingSymlinksInPath().path
        guard real.hasPrefix(realRoot == "/" ? "/" : "\(realRoot)/") else { return .neither }
        let type = try? FileManager.default.attributesOfItem(atPath: real)[.type] as? FileAttributeType
        if type == .typeDirectory { return .directory }
        let isRead = relative.hasSuffix(".json") || relative.hasSuffix(".csv")
        return type == .typeRegular && isRead ? .file : .neither
    }
}
