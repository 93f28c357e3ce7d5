/// The JSON text with `null` in the place of every list and object that lies deeper than so many levels.
///
/// The stack of a crash by endless recursion nests deeper than any decoder follows; what is wanted of it lies
/// at its beginning. Depth costs a counter here, never the machine's stack. A text that is no JSON stays none.
func prunedJSON(_ bytes: [UInt8], levels: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in bytes {
        let wasWithin = depth <= levels
        if isText {
            (isText, isEscaped) = (
                isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
            )
        } else {
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == levels + 1 { result += "null".utf8 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        if wasWithin, depth <= levels { result.append(byte) }
    }
    return result
}
