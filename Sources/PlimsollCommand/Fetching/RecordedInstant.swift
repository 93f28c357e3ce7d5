import AppHealth
import Files

/// The instant of a recorded fetch, which lies in the folder of its exchanges. What is requested of a service depends on it,
/// so a replay runs at it, whenever and wherever that is.
struct RecordedInstant {
    private let path: String

    /// That of a folder of exchanges.
    init(in folder: String) { path = folder + "/instant.txt" }

    /// The instant; nil where earlier versions recorded, which did not keep it.
    var instant: Instant? {
        guard let bytes = try? readFile(path, limit: 64) else { return nil }
        return Instant(String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// Keeps it.
    func write(_ instant: Instant) throws(FileFailure) {
        try replaceFile(path, Array("\(instant)\n".utf8))
    }
}

extension Project {
    /// The same at the instant of the fetch that is replayed.
    func replaying(_ exchanges: Exchanges) -> Project {
        guard case .replayed(let folder) = exchanges, let instant = RecordedInstant(in: folder).instant else {
            return self
        }
        return Project(
            configuration: configuration, folder: self.folder, data: data, environment: environment,
            now: instant, name: name)
    }
}
