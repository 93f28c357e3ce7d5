import AppHealth
import Diagnostics

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

    private var decoder: ResponseDecoder {
        ResponseDecoder(provider: Self.provider, endpoint: document, origin: .file)
    }

    /// Who the file is about and when it was made, as far as that can be read.
    func envelope(of bytes: [UInt8]) -> SnapshotEnvelope? { SnapshotEnvelope(of: bytes) }

    /// The snapshot with its warnings.
    func snapshot(from bytes: [UInt8]) throws(DecodingFailure) -> Snapshot {
        let (file, losses, unexpected) = try file(from: bytes)
        try checkHead(of: file)
        var mapping = SnapshotMapping(file: file, app: app, sourceID: sourceID, losses: losses)
        var snapshot = mapping.snapshot()
        snapshot.warnings += unexpected
        return snapshot
    }

    /// The file with what is wrong in it. Its tokens, which take more memory than its values, are gone with the return.
    private func file(
        from bytes: [UInt8]
    ) throws(DecodingFailure) -> (SnapshotFile, SkippedValues, [Diagnostic]) {
        let (file, losses, tape) = try decoder.read(SnapshotFile.self, from: bytes)
        let unexpected = UnexpectedKeySearch.keys(in: tape, shape: Self.shape).map {
            $0.warning(document: document, bytes: tape.bytes)
        }
        return (file, losses, unexpected)
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

    /// Reads it, whatever else the file is; nil when the file is no JSON.
    init?(of bytes: [UInt8]) {
        let decoder = ResponseDecoder(provider: SnapshotReader.provider, endpoint: "", origin: .file)
        guard let found = try? decoder.decode(SnapshotEnvelope.self, from: bytes).value else { return nil }
        self = found
    }

    /// The app it names; nil when it names none.
    var slug: Slug? { app?.value.flatMap { Slug($0.text) } }

    /// The time it names.
    var time: Instant? { capturedAt?.value?.instant }
}
