/// A way to compress a body that is asked for (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable {
    /// RFC 1952.
    case gzip
    /// Brotli, RFC 7932.
    case brotli = "br"
    /// Zstandard, RFC 8878.
    case zstd

    /// What is sent as Accept-Encoding.
    static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

    /// The coding with this name in a header; nil when nobody asked for it.
    init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// A decoder of it; nil when there is no memory.
    func codec() -> (any Codec)? {
        switch self {
        case .gzip: GzipCodec()
        case .brotli: BrotliCodec()
        case .zstd: ZstdCodec()
        }
    }
}
