/// What one request may cost.
package struct Limits: Hashable, Sendable {
    /// Milliseconds for name lookup, connection and TLS.
    package var connectMilliseconds = 10_000
    /// Milliseconds for the whole request, redirects included; waiting for a free connection is not counted.
    package var totalMilliseconds = 60_000
    /// Bytes a second below which a transfer counts as slow; 0 turns the check off.
    package var slowBytesPerSecond = 64
    /// Seconds a transfer may stay slow.
    package var slowSeconds = 30
    /// The most bytes of a body, counted after decompression.
    package var bodyBytes = 64 << 20
    /// The most bytes of all header lines of one response.
    package var headerBytes = 128 << 10
    /// The most redirects that are followed.
    package var redirects = 5

    /// 10 s to connect, 60 s in all, 64 MiB of body, 5 redirects.
    package init() {}
}
