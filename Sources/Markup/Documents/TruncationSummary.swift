/// What is gone from a document.
struct TruncationSummary {
    var rows = 0
    var entries = 0
    var folds = 0
    var paragraphs = 0

    /// `1,204 rows of tables and 2 folded parts were left out: …`; nil when nothing is gone.
    func sentence(because reason: String) -> String? {
        let gone = [
            counted(rows, "row of a table", "rows of tables"),
            counted(entries, "entry of a list", "entries of lists"),
            counted(folds, "folded part", "folded parts"), counted(paragraphs, "paragraph", "paragraphs"),
        ].compactMap { $0 }
        guard let last = gone.last else { return nil }
        let all = gone.count == 1 ? last : gone.dropLast().joined(separator: ", ") + " and " + last
        let isOne = rows + entries + folds + paragraphs == 1
        return "\(all) \(isOne ? "was" : "were") left out: \(reason)."
    }

    private func counted(_ count: Int, _ one: String, _ more: String) -> String? {
        count == 0 ? nil : "\(grouped(count)) \(count == 1 ? one : more)"
    }
}

/// `12,345`.
private func grouped(_ count: Int) -> String {
    let digits = Array("\(count)")
    return digits.enumerated().reduce(into: "") { text, digit in
        if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
        text.append(digit.element)
    }
}
