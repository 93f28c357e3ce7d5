import AppHealth
import Diagnostics
import Transport

/// The snapshot files that one run has read, so that a folder with the files of many apps is read once.
///
/// The bytes of a file are held until the app it is about has taken them, and at most 128 MiB of them; what is
/// beyond that is read again by its own app.
package actor SnapshotFileCache {
    /// A file, or no more than whose it is.
    struct File: Sendable {
        /// The app that it names; nil when it names none.
        var owner: Slug?
        /// The time that it names.
        var time: Instant?
        /// Nil when another app has taken them.
        var bytes: [UInt8]?
    }

    typealias DataState = @Sendable () async -> Result<File, RequestFault>

    private enum Slot {
        case reading(Task<Result<File, RequestFault>, Never>)
        case held(Result<File, RequestFault>)
    }

    private static let mostBytes = 128 << 20
    private var slots: [Address: Slot] = [:]
    private var heldBytes = 0

    /// Nothing is read yet.
    package init() {}

    /// A file for an app; its bytes are in it when it is about the app or about none.
    func file(at address: Address, for app: Slug, _ read: @escaping DataState) async -> Result<
        File, RequestFault
    > {
        let result: Result<File, RequestFault>
        switch slots[address] {
        case .held(let known): result = known
        case .reading(let task): result = await task.value
        case nil:
            let task = Task { await read() }
            slots[address] = .reading(task)
            result = await task.value
            hold(result, at: address)
        }
        guard case .success(let file) = result, file.owner == nil || file.owner == app else {
            return result
        }
        if file.owner == app { giveAway(address) }
        return file.bytes == nil ? await read() : result
    }

    private func hold(_ result: Result<File, RequestFault>, at address: Address) {
        guard case .success(var file) = result else {
            slots[address] = .held(result)
            return
        }
        let count = file.bytes?.count ?? 0
        if count <= Self.mostBytes - heldBytes { heldBytes += count } else { file.bytes = nil }
        slots[address] = .held(.success(file))
    }

    private func giveAway(_ address: Address) {
        guard case .held(.success(var file)) = slots[address] else { return }
        heldBytes -= file.bytes?.count ?? 0
        file.bytes = nil
        slots[address] = .held(.success(file))
    }
}

/// Turns the bytes of one snapshot file into a snapshot; pure.
struct SnapshotReader {
    /// The app that is read.
    var app: App
    /// The name of the source in the site.
    var sourceID: Slug
    /// The path or address of the file, for diagnostics.
    var document: String

    static let provider = "files"
    static let shape = KeyShape(of: SnapshotFile.self)

    private var decoder: AnswerDecoder { AnswerDecoder(provider: Self.provider, endpoint: document) }

    /// Who the file is about and when it was made, as far as that can be read.
    func envelope(of bytes: [UInt8]) -> SnapshotEnvelope? {
        try? decoder.decode(SnapshotEnvelope.self, from: bytes).value
    }

    /// The snapshot with its warnings.
    func snapshot(from bytes: [UInt8]) throws(DecodingFailure) -> Snapshot {
        let (file, losses, tape) = try decoder.read(SnapshotFile.self, from: bytes)
        try checkHead(of: file)
        var mapping = SnapshotMapping(file: file, app: app, sourceID: sourceID, losses: losses)
        var snapshot = mapping.snapshot()
        snapshot.warnings += UnexpectedKeySearch.keys(in: tape, shape: Self.shape).map {
            $0.warning(document: document, bytes: tape.bytes)
        }
        return snapshot
    }

    private func checkHead(of file: SnapshotFile) throws(DecodingFailure) {
        try require(
            file.format.text == SnapshotFile.formatName, "format", "\"\(SnapshotFile.formatName)\""
        ) {
            quoted(file.format.text, limit: 40)
        }
        try require(
            file.version.value == SnapshotFile.readVersion, "version", "1, the version that is read"
        ) {
            String(file.version.value)
        }
        try require(file.app.text == app.id.text, "app", "\"\(app.id)\", the app of this source") {
            quoted(file.app.text, limit: 40)
        }
    }

    private func require(
        _ isGood: Bool, _ path: String, _ expected: String, found: () -> String
    ) throws(DecodingFailure) {
        guard !isGood else { return }
        throw decoder.failure(path, .mismatch(expected: expected, found: found()))
    }
}

/// The two fields that say to whom a file belongs, read even when the rest of it cannot be.
struct SnapshotEnvelope: Decodable, Sendable {
    private var app: Lenient<WireName>?
    private var capturedAt: Lenient<WireInstant>?

    /// The app it names; nil when it names none.
    var slug: Slug? { app?.value.flatMap { Slug($0.text) } }

    /// The time it names.
    var time: Instant? { capturedAt?.value?.instant }
}
