// Sums of counts that a service sent: none of them traps, whatever it sends.

extension Int {
    /// The sum, or the largest number when it does not fit.
    func addingCapped(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// The sum; nil where one of them is not known, or when it is beyond every number.
func checkedSum(_ counts: [Int?]) -> Int? {
    counts.reduce(Int?.some(0)) { total, next in
        guard let total, let next else { return nil }
        let (sum, isOver) = total.addingReportingOverflow(next)
        return isOver ? nil : sum
    }
}

/// The number that a text of ASCII digits writes; nil for signs, blanks and whatever does not fit.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
    }
    return Int(text)
}
