package import Diagnostics
import Files
import Foundation
import Platform
import Synchronization

/// Responses kept in a folder, bounded in number and bytes; the one not used for longest goes first.
///
/// A cache is a convenience: what cannot be read is as if it were not there, and what cannot be written is
/// not kept; both are reported in `warnings`. Files are readable by their owner only.
package final class ResponseCache: Sendable {
    /// How much may be kept.
    package struct Bounds: Hashable, Sendable {
        /// The most responses.
        package var entries = 2_000
        /// The most bytes of all files together.
        package var bytes = 256 << 20

        /// 2,000 responses, 256 MiB.
        package init() {}
    }

    private struct Entry {
        var bytes: Int
        /// Grows with each use.
        var use: Int
    }

    private struct Index {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses = 0
        var hasWritten = false
        var isLoaded = false
        var damaged = 0
        var unwritten: String?
    }

    private let folder: String
    private let bounds: Bounds
    private let index = Mutex(Index())

    /// A cache in this folder, which is made when it is missing. Files of others in it are left alone.
    package init(folder: String, bounds: Bounds = Bounds()) {
        self.folder = folder
        self.bounds = bounds
    }

    func response(for key: CacheKey) -> StoredResponse? {
        let name = key.fileName
        let path = "\(folder)/\(name)"
        guard let bytes = regularFile(path, most: bounds.bytes) else { return nil }
        guard let stored = StoredResponse(bytes: bytes) else {
            index.withLock { $0.damaged += 1 }
            remove(name)
            return nil
        }
        guard stored.key == key.text else { return nil }
        touch(name, bytes: bytes.count)
        return stored
    }

    func keep(_ response: StoredResponse, for key: CacheKey) {
        guard let bytes = try? response.bytes(), bytes.count <= bounds.bytes, bounds.entries > 0 else {
            return
        }
        index.withLock { index in
            // What a killed run had begun to write is cleared away before this run begins to write.
            load(&index)
            index.hasWritten = true
        }
        do throws(FileFailure) {
            try makePrivateFolder(folder)
            try replacePrivateFile("\(folder)/\(key.fileName)", bytes)
        } catch {
            return index.withLock { $0.unwritten = $0.unwritten ?? error.systemReason }
        }
        touch(key.fileName, bytes: bytes.count)
    }

    /// Makes what was kept outlast a power cut; to be called once after the last response.
    package func synchronize() {
        guard index.withLock({ $0.hasWritten && $0.unwritten == nil }) else { return }
        do throws(FileFailure) {
            try syncPrivateFolder(folder)
        } catch {
            index.withLock { $0.unwritten = error.systemReason }
        }
    }

    /// What was found damaged and dropped, and whether responses could not be kept. Nothing of it is a failure:
    /// what is not in the cache is requested again.
    package var warnings: [Diagnostic] {
        let (damaged, unwritten) = index.withLock { ($0.damaged, $0.unwritten) }
        var warnings: [Diagnostic] = []
        if damaged > 0 {
            warnings.append(
                .warning(
                    "transport.cache-damaged",
                    "\(damaged) cached \(damaged == 1 ? "response" : "responses") could not be read and \(damaged == 1 ? "was" : "were") dropped",
                    details: ["they were requested again"], at: .file(path: folder),
                    hints: ["check the disk if this happens again"]))
        }
        if let unwritten {
            warnings.append(
                .warning(
                    "transport.cache-unwritten", "Responses could not be cached for the next run",
                    details: [unwritten], at: .file(path: folder),
                    hints: [
                        "remove what is at this path, or make it writable"
                    ]
                ))
        }
        return warnings
    }

    private func remove(_ name: String) {
        index.withLock { index in
            load(&index)
            if let entry = index.entries.removeValue(forKey: name) { index.bytes -= entry.bytes }
            unsafe unlink("\(folder)/\(name)")
        }
    }

    /// Notes a use, and throws out what has become too much.
    private func touch(_ name: String, bytes: Int) {
        unsafe utimensat(AT_FDCWD, "\(folder)/\(name)", nil, 0)
        index.withLock { index in
            load(&index)
            index.uses += 1
            index.bytes += bytes - (index.entries[name]?.bytes ?? 0)
            index.entries[name] = Entry(bytes: bytes, use: index.uses)
            while index.entries.count > bounds.entries || index.bytes > bounds.bytes {
                guard let oldest = index.entries.min(by: { $0.value.use < $1.value.use })?.key else { return }
                index.bytes -= index.entries.removeValue(forKey: oldest)?.bytes ?? 0
                unsafe unlink("\(folder)/\(oldest)")
            }
        }
    }

    /// Takes up what an earlier run left, in the order of its last use. It comes before the first write, so that what is
    /// half written is of another run.
    private func load(_ index: inout Index) {
        guard !index.isLoaded else { return }
        index.isLoaded = true
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(".") && name.contains(CacheKey.suffix + ".") {
            unsafe unlink("\(folder)/\(name)")  // What a run that was killed had begun to write.
        }
        let found = names.filter { $0.hasSuffix(CacheKey.suffix) && !$0.hasPrefix(".") }.compactMap { name in
            facts("\(folder)/\(name)").map { (name: name, facts: $0) }
        }
        for (name, facts) in found.sorted(by: { ($0.facts.used, $0.name) < ($1.facts.used, $1.name) }) {
            index.uses += 1
            index.bytes += facts.bytes
            index.entries[name] = Entry(bytes: facts.bytes, use: index.uses)
        }
    }
}

/// Size and time of last use in nanoseconds; nil for anything but a regular file.
private func facts(_ path: String) -> (bytes: Int, used: Int)? {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(facts.st_size), facts.written.tv_sec &* 1_000_000_000 &+ facts.written.tv_nsec)
}

private func regularFile(_ path: String, most: Int) -> [UInt8]? {
    guard let facts = facts(path), facts.bytes <= most else { return nil }
    return FileManager.default.contents(atPath: path).map(Array.init)
}
