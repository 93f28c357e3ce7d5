import AppHealth
import Diagnostics

extension CSVTable {
    /// The rows with their values read, one for each day and release: of several the first counts, or their sum where the
    /// program that writes them parts a day.
    func joinedRows(document: String, losses: inout SkippedValues) -> [CSVRow] {
        let ofDays = self.rows.filter { !isOfAllDays($0) }
        // A rollup has one such row: more have lost their days, which is to be said.
        let isRollup = !ofDays.isEmpty && self.rows.count - ofDays.count == 1
        let records = isRollup ? ofDays : Array(self.rows)
        let rows = records.compactMap { record in
            CSVRow(record, of: self, document: document, losses: &losses).map {
                (line: record.line, row: $0)
            }
        }
        let joined = preset?.addsUp == true ? added(rows) : unique(rows, document, &losses)
        // A row of all releases that was skipped is there: its own fault is what to correct.
        if !joined.isEmpty, records.allSatisfy(isOfRelease) { losses.addMissingTotals(document) }
        return joined
    }

    /// Whether a row is of no day and no release: rollups end with the total of all days.
    private func isOfAllDays(_ record: CSVText.Record) -> Bool {
        guard let date = columns[.date], record.fields.indices.contains(date) else { return false }
        return nullWords.contains(plainCell(record.fields[date])) && !isOfRelease(record)
    }

    /// Whether a row, which may have any fault, names a release.
    private func isOfRelease(_ record: CSVText.Record) -> Bool {
        guard let column = columns[.release], record.fields.indices.contains(column) else { return false }
        return !valueCell(record.fields[column], of: .release).isEmpty
    }

    private struct Key: Hashable {
        var date: CivilDate
        var release: String?
    }

    private func unique(
        _ rows: [(line: Int, row: CSVRow)], _ document: String, _ losses: inout SkippedValues
    ) -> [CSVRow] {
        var seen: [Key: (place: Int, line: Int)] = [:]
        var kept: [CSVRow] = []
        for (line, row) in rows {
            let key = Key(date: row.date, release: row.release)
            guard let first = seen[key] else {
                seen[key] = (kept.count, line)
                kept.append(row)
                continue
            }
            kept[first.place].hasOthers = true
            losses.add(
                .warning(
                    "csv.row",
                    "files: line \(line): expected one row for each day and release; line \(first.line) is another",
                    at: .file(path: document, line: line),
                    hints: ["write one table for each platform, or one row with the sums"]))
        }
        return kept
    }

    /// The rows of each day and release as one.
    private func added(_ rows: [(line: Int, row: CSVRow)]) -> [CSVRow] {
        var places: [Key: Int] = [:]
        var sums: [CSVRow] = []
        for (_, row) in rows {
            let key = Key(date: row.date, release: row.release)
            if let place = places[key] {
                sums[place].add(row)
            } else {
                places[key] = sums.count
                sums.append(row)
            }
        }
        return sums
    }
}
