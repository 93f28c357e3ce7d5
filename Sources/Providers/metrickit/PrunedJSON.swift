/// How deep a JSON text nests, byte after byte. Depth costs a counter here, never the machine's stack.
struct JSONNesting {
    private(set) var depth = 0
    private var isText = false
    private var isEscaped = false

    mutating func pass(_ byte: UInt8) {
        if isText {
            (isText, isEscaped) = (
                isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
            )
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
    }
}

/// The JSON text with `null` in the place of every list and object that lies deeper than so many levels.
///
/// The stack of a crash by endless recursion nests deeper than any decoder follows; what is wanted of it lies
/// at its beginning. A text that is no JSON stays none.
func prunedJSON(_ bytes: [UInt8], levels: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var nesting = JSONNesting()
    for byte in bytes {
        let before = nesting.depth
        nesting.pass(byte)
        if nesting.depth > before, nesting.depth == levels + 1 { result += "null".utf8 }
        if before <= levels, nesting.depth <= levels { result.append(byte) }
    }
    return result
}
