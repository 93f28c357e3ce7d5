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
    var taken = 0
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
