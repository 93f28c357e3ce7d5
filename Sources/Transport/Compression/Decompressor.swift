/// Undoes one content coding while the body comes in, and knows whether the end was seen.
///
/// libcurl could decompress too, but it takes a stream that was cut short inside a complete Content-Length
/// for a whole one.
@safe final class Decompressor {
    /// How it went with a piece.
    enum Outcome {
        /// The piece was taken.
        case taken
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

    /// Takes compressed bytes and hands on what comes out, at most 64 KiB at a time.
    func take(_ bytes: UnsafeRawBufferPointer, give: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        var used = 0
        var isFull = false
        while used < bytes.count || isFull {
            if hasEnded, !codec.restart() { return .damaged }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
            let step = unsafe codec.step(rest, into: piece)
            let output = unsafe UnsafeRawBufferPointer(rebasing: piece[..<step.produced])
            if step.produced > 0, unsafe !give(output) { return .refused }
            // A step that does nothing though it could would be repeated for ever.
            guard step.state != .damaged, step.taken + step.produced > 0 || used == bytes.count else {
                return .damaged
            }
            used += step.taken
            hasEnded = step.state == .ended
            isFull = step.produced == Self.pieceSize && !hasEnded
        }
        return .taken
    }
}
