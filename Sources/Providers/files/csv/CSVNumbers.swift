/// A number as people and programs write it, digits and decimals apart: `6,460`, `6.460`, `6 460`, `6300.0`, `99,53`.
struct CSVNumber: Equatable, Sendable {
    private let whole: String
    private let decimals: String

    /// What the mark of a cell is by itself.
    enum Mark: Hashable, Sendable {
        /// One that only decimals follow: `1002.000`, `0.5`.
        case decimal(Character)
        /// One that only thousands follow: `1.234.567`.
        case thousands(Character)
        /// Either: `6.460`.
        case open(Character)
    }

    /// The marks by themselves; none in digits alone.
    let marks: Set<Mark>

    /// - Parameters:
    ///   - isCount: Whether `6.460` and `6,460` are thousands; of a rate they are decimals.
    ///   - decimalMark: What comes before decimals in the column; nil where nothing shows it.
    init?(_ text: String, isCount: Bool, decimalMark known: Character? = nil) {
        if let number = ScientificNumber(text) {
            guard number.whole.count <= Self.mostDigits else { return nil }
            (whole, decimals) = (number.whole, number.decimals)
            self.marks = number.hasMark ? [.decimal(".")] : []
            return
        }
        let spaces = "\u{A0}\u{202F} '\u{2019}"
        let marks = text.filter { ".,".contains($0) }
        let kinds = Set(marks)
        let digits = text.filter { $0.isASCII && $0.isWholeNumber }
        let others = text.filter { spaces.contains($0) }
        guard !digits.isEmpty, digits.count <= (isCount ? Self.mostDigits : Self.mostDigitsOfRate),
            digits.count + marks.count + others.count == text.count,
            Set(others).count <= 1, text.first?.isWholeNumber == true, text.last?.isWholeNumber == true
        else { return nil }
        var decimalMark: Character?
        var found: Set<Mark> = []
        switch kinds.count {
        case 2:
            guard let last = marks.last, marks.count(where: { $0 == last }) == 1 else { return nil }
            decimalMark = last
            found = Set(kinds.map { $0 == last ? .decimal($0) : .thousands($0) })
        case 1 where marks.count == 1:
            let parts = text.split { marks.contains($0) }
            let isOpen = others.isEmpty && parts[1].count == 3 && parts[0].count <= 3 && parts[0] != "0"
            decimalMark = isOpen && isCount && marks.first != known ? nil : marks.first
            found = Set(kinds.map { isOpen ? .open($0) : .decimal($0) })
        default: found = Set(kinds.map { .thousands($0) })
        }
        let halves = decimalMark.map { mark in text.split(separator: mark) } ?? [Substring(text)]
        let groups = halves[0].split { !$0.isWholeNumber }
        guard groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 }) && groups[0].count <= 3,
            halves.count == 1 || halves[1].allSatisfy(\.isWholeNumber)
        else { return nil }
        whole = groups.joined()
        decimals = halves.count > 1 ? String(halves[1]) : ""
        self.marks = found
    }

    private static let mostDigits = 15
    /// A number of 64 bits has up to 17 digits, and zeros before them.
    private static let mostDigitsOfRate = 25

    /// The number when it is whole: `6300.0` is.
    var count: Int? { decimals.allSatisfy { $0 == "0" } ? Int(whole.isEmpty ? "0" : whole) : nil }

    /// The number.
    var value: Double? { Double("\(whole.isEmpty ? "0" : whole).\(decimals.isEmpty ? "0" : decimals)") }
}

/// A rate in 0…1: a percentage where the cell or the header has the sign, otherwise a fraction. It is never guessed
/// from its size: 0.9 may be 0.9%.
func csvFraction(_ cell: String, isPercent: Bool) -> Double? {
    let hasSign = cell.hasSuffix("%")
    let text = hasSign ? trimmed(String(cell.dropLast())).filter { $0 != "\u{A0}" && $0 != "\u{202F}" } : cell
    guard let value = CSVNumber(text, isCount: false)?.value else { return nil }
    let fraction = hasSign || isPercent ? value / 100 : value
    return (0...1).contains(fraction) ? fraction : nil
}
