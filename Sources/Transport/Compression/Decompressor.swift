/// Undoes one content coding while the body comes in, and knows whether the end was seen.
///
/// libcurl could decompress too, but it takes a stream that was cut short inside a complete Content-Length
/// for a whole one.
@safe final class Decompressor {
    /// How it went with a piece.
    enum Outcome {
        /// The piece was read.
        case accepted
        /// The receiver wants no more.
        case refused
        /// The bytes are not of this coding, their checksum is wrong, or something follows the end.
        case damaged
    }

    private static let pieceSize = 65_536
    /// What it undoes.
    let coding: ContentCoding
    private let codec: any Codec
    private let piece: UnsafeMutableRawBufferPointer
    private var hasEnded = false

    /// Nil when there is no memory for it.
    init?(_ coding: ContentCoding) {
        guard let codec = coding.codec() else { return nil }
        self.coding = coding
        self.codec = codec
        unsafe piece = .allocate(byteCount: Self.pieceSize, alignment: 16)
    }

    deinit { unsafe piece.deallocate() }

    /// Whether every stream that began has ended; false before the first byte.
    var isWhole: Bool { hasEnded }

    /// Makes ready for another body; false when this one did not end well or the coding does not allow it.
    func restart() -> Bool {
        guard isWhole, codec.restart() else { return false }
        hasEnded = false
        return true
    }

    /// Reads compressed bytes and hands on what comes out, at most 64 KiB at a time.
    func write(_ bytes: UnsafeRawBufferPointer, give: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        var used = 0
        var isFull = false
        while used < bytes.count || isFull {
            if hasEnded, !codec.restart() { return .damaged }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
            let step = unsafe codec.step(rest, into: piece)
            let output = unsafe UnsafeRawBufferPointer(rebasing: piece[..<step.produced])
            if step.produced > 0, unsafe !give(output) { return .refused }
            // A step that does nothing though it could would be repeated for ever.
            guard step.state != .damaged, step.consumed + step.produced > 0 || used == bytes.count else {
                return .damaged
            }
            used += step.consumed
            hasEnded = step.state == .ended
            isFull = step.produced == Self.pieceSize && !hasEnded
        }
        return .accepted
    }
}

/// The decompressors that one loop has no use for at the moment: to make one costs more than to undo a small body.
final class IdleDecompressors {
    private let most: Int
    private var idle: [Decompressor] = []

    /// Keeps at most so many.
    init(most: Int) {
        self.most = most
    }

    /// One that is ready for a body; nil when there is no memory for it.
    func decompressor(for coding: ContentCoding) -> Decompressor? {
        if coding == .gzip, let kept = idle.popLast() { return kept }
        return Decompressor(coding)
    }

    /// Keeps one for the next body. Those of other codings than gzip go: their windows may hold megabytes.
    func keep(_ decompressor: Decompressor) {
        guard idle.count < most, decompressor.coding == .gzip, decompressor.restart() else { return }
        idle.append(decompressor)
    }
}

/// What one step of a codec did.
struct CodecStep {
    enum State {
        /// There is more of the stream to come.
        case going
        /// The stream's end was seen, and all of it is out.
        case ended
        /// The bytes are not of this coding, or their checksum is wrong.
        case damaged
    }

    var state: State
    /// How many bytes of the input were used up.
    var consumed = 0
    /// How many bytes of the output were written.
    var produced = 0
}

/// A C library's decoder of one coding, step by step; what all have in common is in `Decompressor`.
protocol Codec: AnyObject {
    /// Makes ready for a further stream after the end of one; false when the coding knows only one.
    func restart() -> Bool

    /// Decodes until the input is used up or the output is full.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep
}

/// A way to compress a body that is requested (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable {
    /// RFC 1952.
    case gzip
    /// Brotli, RFC 7932.
    case brotli = "br"
    /// Zstandard, RFC 8878.
    case zstd

    /// What is sent as Accept-Encoding.
    static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

    /// The coding with this name in a header; nil when it was not requested.
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
