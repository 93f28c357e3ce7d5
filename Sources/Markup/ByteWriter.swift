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

    /// Drops what was written and keeps the memory.
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

extension ByteWriter {
    /// Writes text from outside so that it is only text in the language.
    ///
    /// In every language what is unsafe is dropped (`Unicode.Scalar.isUnsafe`), and NUL becomes U+FFFD.
    /// The result is sound in element text and in quoted attributes of HTML and XML.
    package mutating func append(_ text: String, escapedFor language: OutputLanguage) {
        switch language {
        case .html, .xml: appendEscaped(text, attention: .tagged)
        case .plain: appendEscaped(text, attention: .plain)
        case .markdown: appendMarkdown(text)
        }
    }

    /// Copies runs of harmless bytes and replaces what is between them.
    private mutating func appendEscaped(_ text: String, attention: ByteSet) {
        unsafe withBytes(of: text) { writer, bytes in
            var start = 0
            var index = 0
            while index < bytes.count {
                guard unsafe attention.contains(bytes[index]) else {
                    index &+= 1
                    continue
                }
                let length = unsafe foreignLength(bytes, at: index)
                if length == 0 {
                    index &+= 1
                    continue
                }
                unsafe writer.append(bytes: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                unsafe writer.appendReplacement(of: bytes[index])
                index &+= length
                start = index
            }
            unsafe writer.append(bytes: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// The entity of a character with meaning in HTML and XML; nothing for what is dropped.
    private mutating func appendReplacement(of byte: UInt8) {
        switch byte {
        case 0x26: append("&amp;")
        case 0x3C: append("&lt;")
        case 0x3E: append("&gt;")
        case 0x22: append("&quot;")
        case 0x27: append("&#39;")
        case 0x00: append("\u{FFFD}")
        default: break
        }
    }
}

/// How many bytes to replace at the index: 1 for ASCII, the length of an unsafe code point, 0 for an ordinary one.
///
/// The same as `Unicode.Scalar.isUnsafe`, over bytes; a test holds one against the other for every code point.
@inline(__always)
func foreignLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let lead = unsafe bytes[index]
    guard lead >= 0x80 else { return 1 }
    guard index + 1 < bytes.count else { return 0 }
    let second = unsafe bytes[index + 1]
    if lead == 0xC2 { return second < 0xA0 ? 2 : 0 }
    if lead == 0xD8 { return second == 0x9C ? 2 : 0 }
    guard index + 2 < bytes.count else { return 0 }
    let third = unsafe bytes[index + 2]
    switch (lead, second, third) {
    case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA6...0xAF): return 3
    case (0xEF, 0xB7, 0x90...0xAF), (0xEF, 0xBB, 0xBF), (0xEF, 0xBF, 0xB9...0xBB), (0xEF, 0xBF, 0xBE...0xBF):
        return 3
    default: break
    }
    guard lead >= 0xF0, index + 3 < bytes.count else { return 0 }
    let fourth = unsafe bytes[index + 3]
    let isLast = second & 0x0F == 0x0F && third == 0xBF && fourth >= 0xBE
    return isLast || (lead == 0xF3 && second == 0xA0 && third == 0x80 && fourth == 0x81) ? 4 : 0
}

extension ByteSet {
    /// What HTML and XML escape.
    static let tagged = ByteSet(controlsAnd: "&<>\"'", sparing: [0x09, 0x0A])
    /// What plain text drops.
    static let plain = ByteSet(controlsAnd: "", sparing: [0x09, 0x0A])
    /// What Markdown looks at; most of it stays as it is in the middle of a line.
    static let markdown = ByteSet(controlsAnd: "\\`*_[]<>|~$&%#-+=.)@:/! \t")
}

/// A set of bytes, tested without a table: two words for ASCII, everything else by its lead byte.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The C0 controls and DEL, and the lead bytes of what is dropped from every text, and these characters.
    init(controlsAnd characters: StaticString, sparing spared: [UInt8] = []) {
        for byte in UInt8(0)..<0x20 where !spared.contains(byte) { insert(byte) }
        insert(0x7F)
        characters.withUTF8Buffer { unsafe $0.forEach { insert($0) } }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 &<< UInt64(byte) } else if byte < 128 { high |= 1 &<< UInt64(byte - 64) }
    }

    /// Whether the byte needs a look: a member, or one that leads code points that are dropped.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return (low &>> UInt64(byte)) & 1 != 0 }
        if byte < 128 { return (high &>> UInt64(byte & 63)) & 1 != 0 }
        return byte == 0xE2 || byte == 0xC2 || byte == 0xD8 || byte >= 0xEF
    }
}
