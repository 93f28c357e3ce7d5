/// A growing buffer of UTF-8 bytes, reused from page to page.
package struct ByteWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8]

    /// An empty buffer with room for so many bytes.
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(max(0, capacity))
    }

    /// The number of bytes written.
    package var count: Int { bytes.count }

    /// What was written, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what was written and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes one byte as it is.
    @inline(__always)
    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes bytes as they are.
    package mutating func append(bytes source: UnsafeBufferPointer<UInt8>) {
        unsafe bytes.append(contentsOf: source)
    }

    /// Writes bytes as they are.
    package mutating func append(bytes source: some Sequence<UInt8>) {
        bytes.append(contentsOf: source)
    }

    /// Writes text as it is: for text of the program, never for text from outside.
    package mutating func append(_ literal: StaticString) {
        guard literal.hasPointerRepresentation else {
            append(raw: literal.description)
            return
        }
        unsafe append(bytes: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes text as it is: for text that is already in the output language.
    package mutating func append(raw text: String) {
        unsafe withBytes(of: text) { writer, bytes in unsafe writer.append(bytes: bytes) }
    }

    /// Writes a number in plain decimal.
    package mutating func append(_ number: Int) {
        if number < 0 { append(byte: 0x2D) }
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var first = 20
            repeat {
                first -= 1
                unsafe digits[first] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            unsafe append(bytes: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Runs the closure with the UTF-8 bytes of a text, without a copy where the text allows it.
    @inline(__always)
    mutating func withBytes(of text: String, _ body: (inout ByteWriter, UnsafeBufferPointer<UInt8>) -> Void) {
        let done: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe body(&self, $0) }
        if done == nil { unsafe Array(text.utf8).withUnsafeBufferPointer { unsafe body(&self, $0) } }
    }
}
