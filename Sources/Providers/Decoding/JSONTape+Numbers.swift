extension JSONTape {
    /// The whole number of a token, `12` or `12.0` or `1.2e1`; nil when it is no number, none of these or does not fit.
    func whole<Number: FixedWidthInteger>(_ index: Int, as type: Number.Type) -> Number? {
        guard tokens[index].kind == .number else { return nil }
        let range = tokens[index].range
        if let short = decimal(range) { return Number(exactly: short) }
        guard isNumber(range) else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self)
        if let number = Number(text) { return number }
        // From 2⁵³ on one Double stands for several whole numbers.
        guard let double = Double(text), double.magnitude < 0x1p53 else { return nil }
        return Number(exactly: double)
    }

    /// The number of a token; nil when it is none or does not fit.
    func double(_ index: Int) -> Double? {
        guard tokens[index].kind == .number, isNumber(tokens[index].range) else { return nil }
        let number = Double(String(decoding: bytes[tokens[index].range], as: UTF8.self))
        return number?.isFinite == true ? number : nil
    }

    /// The number of at most 18 digits without sign and without a zero in front, as nearly every count is.
    private func decimal(_ range: Range<Int>) -> Int? {
        guard range.count <= 18, bytes[range.lowerBound] != UInt8(ascii: "0") || range.count == 1 else {
            return nil
        }
        var value = 0
        for byte in bytes[range] {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// Whether the bytes are a number as RFC 8259 §6 writes it; the scan admits more.
    private func isNumber(_ range: Range<Int>) -> Bool {
        var rest = bytes[range]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        guard !whole.isEmpty, whole.first != UInt8(ascii: "0") || whole.count == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard !digits(&rest).isEmpty else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            guard !digits(&rest).isEmpty else { return false }
        }
        return rest.isEmpty
    }

    private func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return digits
    }
}
