import Formatting
import Statistics

extension SummaryDocument {
    /// How many entries may be left out: all but the first line.
    var entryCount: Int {
        muted.count + folded.reduce(0) { $0 + $1.issues.count } + notes.count + issues.count
            + max(0, sentences.count - 1)
    }

    /// The summary without so many entries, the least important first: muted events, issues of the folded groups,
    /// notes, top issues, then lines, each from its end. It says what is gone.
    func withoutEntries(_ count: Int, because limit: String) -> SummaryDocument {
        var document = self
        var rest = count
        let muted = document.muted.removeEntries(&rest)
        var issues = 0
        for place in document.folded.indices.reversed() {
            issues += document.folded[place].issues.removeEntries(&rest)
        }
        document.folded.removeAll(where: \.issues.isEmpty)
        let notes = document.notes.removeEntries(&rest)
        issues += document.issues.removeEntries(&rest)
        let lines = document.sentences.removeEntries(&rest, keeping: 1)
        let gone = [
            counted(issues, "entry of an issue", "entries of issues"),
            counted(muted, "muted event", "muted events"), counted(notes, "note", "notes"),
            counted(lines, "line", "lines"),
        ].compactMap { $0 }
        guard let last = gone.last else { return document }
        let all = gone.count == 1 ? last : gone.dropLast().joined(separator: ", ") + " and " + last
        document.leftOut = "\(all) \(count == 1 ? "was" : "were") left out: \(limit)."
        return document
    }
}

private func counted(_ count: Int, _ one: String, _ more: String) -> String? {
    count == 0 ? nil : "\(countText(count)) \(count == 1 ? one : more)"
}

extension Array {
    /// Removes from the end what is still to be removed; answers how many.
    fileprivate mutating func removeEntries(_ rest: inout Int, keeping least: Int = 0) -> Int {
        let gone = Swift.min(rest, Swift.max(0, count - least))
        removeLast(gone)
        rest -= gone
        return gone
    }
}
