import AppHealth

extension ChartTable {
    /// The fewest successive days that are put together.
    private static let leastRun = 3

    /// The table as a page shows it: without columns that have no value in any row, and with successive days of which it
    /// says the same in one row, `2026-08-25 to 2026-11-05`. The file of data has all rows and columns.
    package var condensed: ChartTable { withoutEmptyColumns.withRuns }

    /// The table without columns that have no value in any row; the first one names the rows and stays.
    package var withoutEmptyColumns: ChartTable {
        let kept = heads.indices.filter { column in
            column == 0 || cells.contains { !$0[column].isEmpty }
        }
        guard kept.count < heads.count else { return self }
        return ChartTable(columns: kept.map { heads[$0] }, cells: cells.map { row in kept.map { row[$0] } })
    }

    private var withRuns: ChartTable {
        var rows: [[ChartCell]] = []
        rows.reserveCapacity(cells.count)
        var start = 0
        while start < cells.count {
            let end = self.end(ofRunFrom: start)
            if end - start >= Self.leastRun, case .day(let first) = cells[start][0],
                case .day(let last) = cells[end - 1][0]
            {
                rows.append([.text("\(first) to \(last)")] + cells[start].dropFirst())
            } else {
                rows += cells[start..<end]
            }
            start = end
        }
        return rows.count == cells.count ? self : ChartTable(columns: heads, cells: rows)
    }

    /// Where the days end that follow each other from a row on and of which the table says the same.
    private func end(ofRunFrom start: Int) -> Int {
        guard case .day(var last) = cells[start][0] else { return start + 1 }
        var end = start + 1
        while end < cells.count, case .day(let day) = cells[end][0], day == last.advanced(by: 1),
            cells[end].dropFirst() == cells[start].dropFirst()
        {
            (last, end) = (day, end + 1)
        }
        return end
    }
}

extension ChartCell {
    /// Whether there is no value.
    fileprivate var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .day: false
        case .value(let value, _, _): value == nil
        case .change(let change, _): change == nil
        case .interval(let interval, _, _): interval == nil
        }
    }
}
