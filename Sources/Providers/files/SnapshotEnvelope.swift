import AppHealth

/// The two fields that tell to whom a file belongs, read even when the rest of it cannot be.
struct SnapshotEnvelope: Decodable, Sendable {
    private var app: Lenient<WireName>?
    private var capturedAt: Lenient<WireInstant>?

    /// The app it names; nil when it names none.
    var slug: Slug? { app?.value.flatMap { Slug($0.text) } }

    /// The time it names.
    var time: Instant? { capturedAt?.value?.instant }
}
