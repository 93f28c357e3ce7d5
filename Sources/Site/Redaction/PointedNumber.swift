/// A number with points between thousands, as in `22.884` and `1.234.567`.
///
/// One point may be that of a fraction too: the program writes rates so, such as `99.861`.
struct PointedNumber {
    let value: Int
    /// The index behind it.
    let end: Int
    /// Whether a sign follows that counts do not have, such as `%`.
    let isShare: Bool

    /// The number whose first digit is at an index of the bytes of a plain form; nil without groups of three digits, and
    /// for a part of another number.
    init?(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        func digits(at index: Int) -> Int { bytes[index...].prefix(while: isDigit).count }
        func isMark(_ index: Int) -> Bool {
            index > 0 && index < bytes.count && [UInt8(ascii: "."), UInt8(ascii: ",")].contains(bytes[index])
        }
        let first = digits(at: start)
        guard (1...3).contains(first), bytes[start] != UInt8(ascii: "0"),
            !(isMark(start - 1) && start > 1 && isDigit(bytes[start - 2]))
        else { return nil }
        var (index, groups) = (start + first, 0)
        while index < bytes.count, bytes[index] == UInt8(ascii: "."), digits(at: index + 1) == 3 {
            (index, groups) = (index + 4, groups + 1)
        }
        guard (1...5).contains(groups), !isMark(index) || isWhole(bytes[(index + 1)...]) else { return nil }
        value = bytes[start..<index].reduce(0) { isDigit($1) ? $0 * 10 + Int($1 - 48) : $0 }
        end = index
        let rest = bytes[index...].prefix(4).drop { $0 == 0x20 || $0 == 0xC2 || $0 == 0xA0 }
        isShare = ["%", "×", "pp"].contains { rest.starts(with: $0.utf8) }
    }
}

/// Whether what follows a mark is no fraction, or one of zeros.
func isWhole(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.prefix(while: isDigit).allSatisfy { $0 == UInt8(ascii: "0") }
}
