private func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// Bytes in the Brotli format (RFC 7932 §9) as uncompressed blocks: valid, and not smaller.
func brotlied(_ bytes: [UInt8]) -> [UInt8] {
    // A window of 16 bits is one bit, so every block but the first begins at a byte's edge.
    var result: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let block = rest.prefix(65_536)
        rest = rest.dropFirst(block.count)
        // ISLAST 0, MNIBBLES 4, MLEN-1 in 16 bits, ISUNCOMPRESSED 1; the rest of the bytes is padding.
        var head = UInt32(block.count - 1) << 3 | 1 << 19
        if result.isEmpty { head <<= 1 }
        result += [UInt8(head & 255), UInt8(head >> 8 & 255), UInt8(head >> 16 & 255)] + block
    }
    // The last, empty block; alone it has the bit of the window before it.
    return result + [result.isEmpty ? 6 : 3]
}

/// Bytes in the Zstandard format (RFC 8878) as raw blocks, without the checksum: valid, and not smaller.
func zstandard(_ bytes: [UInt8]) -> [UInt8] {
    zstandardHead + blocks(bytes)
}

private func blocks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(65_536)
        rest = rest.dropFirst(block.count)
        let head = UInt32(block.count) << 3 | (rest.isEmpty ? 1 : 0)
        result += littleEndian(head).prefix(3) + block
    } while !rest.isEmpty
    return result
}

/// The magic number, no checksum and no size, a window of 1 MiB.
private let zstandardHead: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 10 << 3]

/// Sixteen blocks of 64 KiB zeros (RFC 8878 §3.1.1.2.2): 1 MiB in 70 bytes.
let zstandardBomb: [UInt8] =
    zstandardHead + (1...16).flatMap { littleEndian(65_536 << 3 | 2 | ($0 == 16 ? 1 : 0)).prefix(3) + [0] }

/// 8 MiB of zeros, from the tool `brotli`.
let brotliBomb: [UInt8] = [
    0xCB, 0xFF, 0xFF, 0x3F, 0xF8, 0x27, 0x00, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x6F,
]

/// A frame with a window of 128 MiB, more than HTTP allows (RFC 9659).
let zstandardOfLargeWindow: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 17 << 3, 1, 0, 0]
